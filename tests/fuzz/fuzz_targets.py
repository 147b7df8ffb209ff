"""What is fuzzed: each target takes bytes, goes through the program with them, and raises where something is wrong.

Whatever a user can fix is no crash; any other exception is one, and so is a case that errs by an exception of Python.
"""

import builtins
import io
import json
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args
from zlib import crc32

import fuzz_readers as readers
import fuzz_seeds as seeds
from fuzz_readers import Wrong
from pipeline import plan_of, rows_of

from agentv_py import jsontext
from agentv_py.cli import app
from agentv_py.errors import UserError
from agentv_py.formats import Format

_EXITS = (0, 1, 2, 3, 5)
_FORMATS: Sequence[str] = get_args(Format)


@dataclass(frozen=True)
class Target:
    shape: str
    seeds: Callable[[], list[bytes]]
    run: Callable[[bytes], None]


def _run_suite(name: str = "s.yaml") -> list[dict[str, Any]]:
    """The suite's rows, if it is valid and asks nobody outside."""
    try:
        plan = plan_of(Path(name))
        rows = [] if plan.outside or plan.asks else rows_of(plan)
    except UserError:
        return []
    for row in rows:
        _check_row(row)
    return rows


def _check_row(row: dict[str, Any]) -> None:
    for error in (row.get("error"), *(result.get("error") for result in row["evaluator_results"])):
        if error and hasattr(builtins, error["kind"]):
            raise Wrong(f"errored case: {error['kind']}: {error['message']}")
    if not (0 <= row["score"] <= 1):
        raise Wrong(f"score {row['score']!r}")


def _command(*arguments: str) -> str:
    """What a command writes to stdout."""
    out, err, code = io.StringIO(), io.StringIO(), 0
    with redirect_stdout(out), redirect_stderr(err):
        try:
            app(list(arguments), standalone_mode=True)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0
    if code not in _EXITS or "standard output cannot be written" in err.getvalue():
        raise Wrong(f"{arguments[0]} ended with {code}: {err.getvalue()[-300:]}")
    return out.getvalue()


def fuzz_suite(data: bytes) -> None:
    Path("s.yaml").write_bytes(data)
    _run_suite()


def fuzz_dataset(suffix: str, data: bytes) -> None:
    for stale in Path().glob("d.*"):
        stale.unlink()
    Path(f"d{suffix}").write_bytes(data)
    evaluators = [seeds.EVALUATORS[crc32(data) % len(seeds.EVALUATORS)]]
    Path("s.yaml").write_text(json.dumps({"evaluators": evaluators, "dataset": f"d{suffix}"}), encoding="utf-8")
    _run_suite()


def fuzz_predictions(data: bytes) -> None:
    Path("p.jsonl").write_bytes(data)
    Path("d.jsonl").write_bytes(_lines(seeds.rows()))
    suite = {"evaluators": seeds.EVALUATORS[:2], "dataset": "d.jsonl", "predictions": "p.jsonl"}
    Path("s.yaml").write_text(json.dumps(suite), encoding="utf-8")
    _run_suite()


def fuzz_coco(data: bytes) -> None:
    annotations, _, results = data.partition(b"\n")
    Path("annotations.json").write_bytes(annotations)
    Path("results.json").write_bytes(results)
    coco = {"coco": {"annotations": "annotations.json", "results": "results.json"}}
    Path("s.yaml").write_text(json.dumps({"evaluators": [{"type": "detection"}], "dataset": coco}), encoding="utf-8")
    _run_suite()


def fuzz_results(data: bytes) -> None:
    Path("r.jsonl").write_bytes(data)
    lines = data.split(b"\n")
    Path("half.jsonl").write_bytes(b"\n".join(lines[: len(lines) // 2]) + b"\n")
    number = crc32(data)
    form = ("--format", _FORMATS[number % len(_FORMATS)])
    command = number // len(_FORMATS) % 4
    if command == 0:
        _command("diff", "half.jsonl", "r.jsonl", *form, "--cluster", "vendor")
    elif command == 1:
        _command("trend", "half.jsonl", "r.jsonl", *form)
    else:
        said = _command("report", "r.jsonl", *form)
        if form[1] == "json" and said:
            json.loads(said)


def fuzz_judge_reply(data: bytes) -> None:
    Path("reply").write_bytes(data)
    judge = {"type": "code_judge", "script": ["cat", "reply"]}
    Path("s.yaml").write_text(json.dumps({"evaluators": [judge], "cases": [{"candidate": 1}]}), encoding="utf-8")
    for row in rows_of(plan_of(Path("s.yaml"))):
        _check_row(row)


def _lines(rows: Sequence[Any]) -> bytes:
    return b"".join(map(jsontext.dumps_line, rows))


def _texts(texts: Sequence[str]) -> Callable[[], list[bytes]]:
    return lambda: [text.encode() for text in texts]


def _results() -> list[bytes]:
    """Rows of real runs, and what those do not hold."""
    found: list[bytes] = []
    for suite in seeds.suites():
        Path("s.yaml").write_bytes(suite)
        for file in seeds.EVALS.glob("*.json*"):
            Path(file.name).write_bytes(file.read_bytes())
        rows = _run_suite()
        found.extend([_lines(rows)] if rows else [])
    usage = {"calls": 1, "cached": 0, "prompt_tokens": 5, "completion_tokens": 2, "cost": 0.5}
    row = json.loads(found[0].split(b"\n")[0])
    errored = row | {
        "status": "error",
        "error": {"kind": "x", "message": "y"},
        "tags": ["a"],
        "metadata": {"vendor": "b"},
    }
    used = row | {"evaluator_results": [one | {"usage": usage} for one in row["evaluator_results"]]}
    theirs = {"test_id": "x", "dataset": "d", "score": 0.5, "hits": ["a"], "misses": [], "evaluator_results": [
        {"name": "e", "type": "t", "score": 1, "verdict": "borderline", "assertions": [{"text": "a", "passed": True}]}]}  # fmt: skip
    return [*found, _lines([errored, used, row, theirs])]


def _coco() -> list[bytes]:
    files = [json.loads((seeds.EVALS / f"detection.{one}.json").read_bytes()) for one in ("annotations", "results")]
    return [_lines(files).rstrip(b"\n")]


def _dataset(suffix: str, shape: str, content: Callable[[], bytes]) -> Target:
    return Target(shape, lambda: [content()], lambda data: fuzz_dataset(suffix, data))


TARGETS: dict[str, Target] = {
    "suites": Target("yaml", seeds.suites, fuzz_suite),
    "jsonl": _dataset(".jsonl", "lines", lambda: _lines(seeds.rows())),
    "json": _dataset(".json", "json", lambda: json.dumps(seeds.rows()).encode()),
    "yaml": _dataset(".yaml", "yaml", lambda: json.dumps(seeds.rows()).encode()),
    "csv": _dataset(".csv", "csv", lambda: seeds.CSV),
    "coco": Target("lines", _coco, fuzz_coco),
    "predictions": Target("lines", lambda: [_lines(seeds.predictions())], fuzz_predictions),
    "results": Target("lines", _results, fuzz_results),
    "judge_replies": Target("json", lambda: [jsontext.dumps(one) for one in seeds.REPLIES], fuzz_judge_reply),
    "model_replies": Target("json", lambda: [jsontext.dumps(one) for one in seeds.SAID], readers.fuzz_model_reply),
    "json_in_text": Target("text", _texts(seeds.TEXTS), readers.fuzz_text),
    "paths": Target("text", _texts(seeds.PATHS), readers.fuzz_path),
    "numbers": Target("text", _texts(seeds.NUMBERS), readers.fuzz_number),
    "dates": Target("text", _texts(seeds.DATES), readers.fuzz_date),
    "templates": Target("text", _texts(seeds.TEMPLATES), readers.fuzz_template),
    "quality_files": Target(
        "text", _texts([*seeds.PHRASES, '{"a": "FUZZY", "b": "exact"}']), readers.fuzz_quality_files
    ),
}
