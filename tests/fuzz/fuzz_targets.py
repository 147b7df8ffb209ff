"""What is fuzzed: each target takes bytes, goes through the program with them, and raises where something is wrong.

Whatever a user can fix is no crash; any other exception is one, and so is a case that errs by an exception of Python.
"""

import builtins
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, get_args
from zlib import crc32

import fuzz_files as files
import fuzz_readers as readers
import fuzz_seeds as seeds
from fuzz_readers import Wrong
from pipeline import plan_of, rows_of

from agentv_py import jsontext
from agentv_py.errors import Problem, UserError
from agentv_py.formats import Format, render
from agentv_py.report.diff.compute import compute_diff
from agentv_py.report.diff.gates import find_violations, parse_gates
from agentv_py.report.summary import Summary
from agentv_py.report.trend import compute_trend
from agentv_py.results.read import open_sources, read_results
from agentv_py.results.read import reread_rows as rows_in

_FORMATS: Sequence[Format] = get_args(Format)
_FAST_FORMATS = [form for form in _FORMATS if form != "console"]  # which takes longer than all others together


@dataclass(frozen=True)
class Target:
    shape: str
    seeds: Callable[[], Iterable[bytes]]
    run: Callable[[bytes], None]
    share: float = 1.0
    """Of the time, in proportion to the others'."""


def _run_suite(name: str = "s.yaml") -> list[dict[str, Any]]:
    """The suite's rows, if it is valid and asks nobody outside."""
    try:
        plan = plan_of(Path(name))
        rows = [] if plan.runs_subprocess or plan.uses_model else rows_of(Path(name))
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


def _damage_some(sheet: bytes) -> bytes:
    """A whole workbook around the sheet; of one in eight a part is missing."""
    whole = files.build_xlsx(sheet)
    return whole[: crc32(sheet) % len(whole)] if crc32(sheet) % 8 == 0 else whole


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
    """Each report of the rows, in each format, or in most."""
    Path("r.jsonl").write_bytes(data)
    first, _, rest = data.partition(b"\n")
    Path("rest.jsonl").write_bytes(rest + b"\n" + first)
    with suppress(UserError), open_sources(["r.jsonl", "rest.jsonl"]) as (whole, rest_of_it):
        summary = Summary(full=True, rows=partial(rows_in, [whole]))
        for row in read_results(whole):
            if not isinstance(row, Problem):
                summary.add(row)
        diff = compute_diff(whole, rest_of_it, cluster="vendor")
        list(find_violations(diff, parse_gates(["broken", "significant", "mean:-1%", "pass-rate:-1pp"])))
        for report in (summary, diff, compute_trend([whole, rest_of_it])):
            for form in _FORMATS if crc32(data) % 5 == 0 else _FAST_FORMATS:
                text = "".join(render(report, form))
                if form == "json":
                    json.loads(text, parse_constant=_refuse_constant)


def _refuse_constant(name: str) -> None:
    raise Wrong(f"{name} is not JSON")


def fuzz_judge_reply(data: bytes) -> None:
    Path("reply").write_bytes(data)
    judge = {"type": "code_judge", "script": ["cat", "reply"]}
    Path("s.yaml").write_text(json.dumps({"evaluators": [judge], "cases": [{"candidate": 1}]}), encoding="utf-8")
    for row in rows_of(Path("s.yaml")):
        _check_row(row)


def _lines(rows: Sequence[Any]) -> bytes:
    return b"".join(map(jsontext.dumps_line, rows))


def _texts(texts: Sequence[str]) -> Callable[[], list[bytes]]:
    return lambda: [text.encode() for text in texts]


def _results() -> Iterator[bytes]:
    """Rows of real runs, and what those do not hold."""
    first = b""
    for suite in seeds.suites():
        Path("s.yaml").write_bytes(suite)
        for file in seeds.EVALS.glob("*.json*"):
            Path(file.name).write_bytes(file.read_bytes())
        rows = _run_suite()
        short = [{key: item for key, item in row.items() if key not in ("expected", "candidate")} for row in rows]
        if short and not first:
            first = _lines(short[:1])
            yield _add_rare_facts(json.loads(first))
        if short:
            yield _lines(short[:2])


def _add_rare_facts(row: dict[str, Any]) -> bytes:
    """Rows with what a run without models, targets and errors never writes, and a row of AgentV."""
    usage = {"calls": 1, "cached": 0, "prompt_tokens": 5, "completion_tokens": 2, "cost": 0.5}
    errored = row | {
        "status": "error",
        "error": {"kind": "x", "message": "y"},
        "tags": ["a"],
        "metadata": {"vendor": "b"},
    }
    used = row | {"evaluator_results": [one | {"usage": usage} for one in row["evaluator_results"]]}
    theirs = {"test_id": "x", "dataset": "d", "score": 0.5, "hits": ["a"], "misses": [], "evaluator_results": [
        {"name": "e", "type": "t", "score": 1, "verdict": "borderline", "assertions": [{"text": "a", "passed": True}]}]}  # fmt: skip
    return _lines([errored, used, row, theirs])


def _coco() -> list[bytes]:
    files = [json.loads((seeds.EVALS / f"detection.{one}.json").read_bytes()) for one in ("annotations", "results")]
    return [_lines(files).rstrip(b"\n")]


def _dataset(suffix: str, shape: str, content: Callable[[], bytes]) -> Target:
    return Target(shape, lambda: [content()], lambda data: fuzz_dataset(suffix, data), 2)


TARGETS: dict[str, Target] = {
    "suites": Target("yaml", seeds.suites, fuzz_suite, 4),
    "jsonl": _dataset(".jsonl", "lines", lambda: _lines(seeds.rows())),
    "json": _dataset(".json", "json", lambda: json.dumps(seeds.rows()).encode()),
    "yaml": _dataset(".yaml", "yaml", lambda: json.dumps(seeds.rows()).encode()),
    "csv": _dataset(".csv", "csv", lambda: seeds.CSV),
    "xlsx": Target("text", lambda: [files.build_sheet()], lambda data: fuzz_dataset(".xlsx", _damage_some(data)), 0.5),
    "parquet": Target("text", lambda: [files.build_parquet()], lambda data: fuzz_dataset(".parquet", data), 0.5),
    "object_files": Target(
        "lines", lambda: [_lines(seeds.rows())], lambda data: files.fuzz_object_files(_run_suite, data)
    ),
    "coco": Target("lines", _coco, fuzz_coco),
    "predictions": Target("lines", lambda: [_lines(seeds.predictions())], fuzz_predictions, 2),
    "results": Target("lines", _results, fuzz_results, 6),
    "merge": Target("lines", files.run_small_suite, files.fuzz_merge),
    "resume": Target("lines", files.run_small_suite, files.fuzz_resume),
    "accept": Target("lines", files.run_small_suite, files.fuzz_accept),
    "convert": Target("yaml", files.list_foreign_suites, files.fuzz_convert, 2),
    "schemas": Target("json", lambda: [jsontext.dumps(one) for one in seeds.SCHEMAS], readers.fuzz_schema),
    "rules": Target("text", _texts(seeds.RULES), readers.fuzz_rule),
    "cache": Target("text", lambda: [files.build_cache()], files.fuzz_cache, 0.5),
    "target_replies": Target(
        "json", lambda: [jsontext.dumps(one) for one in seeds.TARGET_REPLIES], readers.fuzz_target_reply
    ),
    "judge_replies": Target("json", lambda: [jsontext.dumps(one) for one in seeds.REPLIES], fuzz_judge_reply),
    "model_replies": Target("json", lambda: [jsontext.dumps(one) for one in seeds.SAID], readers.fuzz_model_reply),
    "json_in_text": Target("text", _texts(seeds.TEXTS), readers.fuzz_text),
    "paths": Target("text", _texts(seeds.PATHS), readers.fuzz_path),
    "numbers": Target("text", _texts(seeds.NUMBERS), readers.fuzz_number),
    "dates": Target("text", _texts(seeds.DATES), readers.fuzz_date),
    "names": Target("text", _texts(seeds.NAMES), readers.fuzz_name),
    "templates": Target("text", _texts(seeds.TEMPLATES), readers.fuzz_template),
    "quality_files": Target(
        "text", _texts([*seeds.PHRASES, '{"a": "FUZZY", "b": "exact"}']), readers.fuzz_quality_files
    ),
}
