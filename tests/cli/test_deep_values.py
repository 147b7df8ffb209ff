"""Values that are nested deep: what a run writes, every report reads."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl

from agentv_py import jsontext
from agentv_py.evaluators.grade import NamedEvaluator
from agentv_py.report.summary import Summary
from agentv_py.run.scorer import Scorer
from agentv_py.score import Score
from agentv_py.suite.raw_case import RawCase
from agentv_py.suite.schema import Verdicts

Write = Callable[[str, Any], Path]

_FORMATS = ("console", "json", "markdown", "csv", "junit", "html")


def _nest(levels: int, value: Any = 1) -> Any:
    for _ in range(levels):
        value = {"a": value}
    return value


_JUDGE = """
import json, sys
levels = json.load(sys.stdin)["config"]["levels"]
print('{"score": 0.5, "misses": ["x"], "details": ' + '{"a":' * levels + '1' + '}' * levels + '}')
"""
_EVALUATORS: list[dict[str, Any]] = [
    {"type": "code_judge", "script": "judge.py", "levels": 199},
    {"type": "field_accuracy", "fields": [{"path": "a"}]},
    {"type": "object_match", "comparators": {"a": "exact"}},
]
_DEEP = {
    "expected": {"expected": _nest(199), "candidate": {"a": 2}},
    "candidate": {"expected": {"a": 1}, "candidate": _nest(199)},
    "both": {"expected": _nest(199), "candidate": _nest(199, 2)},
    "text": {"expected": _nest(199), "candidate": json.dumps(_nest(199, 2))},
    "extra key": {"expected": {"a": 1}, "candidate": {"a": 1}, "more": _nest(199)},
    "several": {"expected": _nest(199), "candidates": [_nest(198), _nest(198, 2)]},
}


def test_rows_with_values_of_199_levels_are_read_by_every_command(
    write: Write, evalctl: Evalctl, tmp_path: Path
) -> None:
    write("judge.py", _JUDGE)
    write("d.jsonl", "".join(f"{json.dumps({'id': id_, **values})}\n" for id_, values in _DEEP.items()))
    write("s.yaml", {"dataset": "d.jsonl", "evaluators": _EVALUATORS})
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--report", "r.html", "--report", "r.csv", "--report", "r.xml")
    rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()]
    assert ([row["case_id"] for row in rows], "Traceback" in done.stderr) == (list(_DEEP), False)
    assert [row["status"] for row in rows[:-1]] == ["ok"] * 5
    for arguments in (("report", "r.jsonl"), ("diff", "r.jsonl", "r.jsonl")):
        read = evalctl(*arguments, "--format", "html")
        assert (read.returncode, read.stderr) == (0, "")


def test_every_format_shows_a_row_of_the_most_levels_that_are_written(write: Write, evalctl: Evalctl) -> None:
    result = {"name": "n", "type": "t", "weight": 1, "score": 0.5, "verdict": "fail", "hits": [], "misses": ["a"]}
    mismatch = {"path": "a", "expected": _nest(290), "actual": _nest(291)}
    result |= {"reasoning": "", "details": {"mismatches": [mismatch]}, "duration_ms": 1}
    row = {key: value for key, value in result.items() if key not in ("name", "type", "weight", "details")}
    row = {"timestamp": "", "suite": "s", "case_id": "c", "status": "ok", **row, "evaluator_results": [result]}
    write("r.jsonl", jsontext.dumps_line(row | {"candidate": _nest(299), "expected": _nest(299)}))
    for form in _FORMATS:
        done = evalctl("report", "r.jsonl", "--format", form)
        assert (done.returncode, done.stderr) == (0, "")


def test_a_judge_s_answer_that_is_too_deep_is_an_error_of_its_case_alone(
    write: Write, evalctl: Evalctl, tmp_path: Path
) -> None:
    write("judge.py", _JUDGE)
    cases = [
        {"id": f"c{levels}", "evaluators": [_EVALUATORS[0] | {"levels": levels}], "candidate": 1}
        for levels in (1, 199, 200, 400)
    ]
    write("s.yaml", {"cases": cases})
    assert evalctl("run", "s.yaml", "-o", "r.jsonl").returncode == 3
    rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["status"] for row in rows] == ["ok", "ok", "error", "error"]
    assert evalctl("report", "r.jsonl").returncode == 0


@pytest.mark.parametrize("levels", [250, 300, 1_000, 100_000])
def test_details_that_could_not_be_read_again_are_an_error_of_their_case(levels: int) -> None:
    deep = Score(1.0, hits=("a",), verdict="pass", details=_nest(levels))
    evaluator = NamedEvaluator("n", "t", 1.0, required=False, evaluate=lambda _: deep)
    scored = Scorer("s", [evaluator], Verdicts())([RawCase("d", 1, {"id": "c", "candidate": 1})])
    row = jsontext.loads(bytes(scored.rows), jsontext.MAX_WRITTEN_DEPTH)
    if levels == 250:
        assert (row["status"], scored.summary.totals.passed) == ("ok", 1)
        return
    summary = Summary()
    summary.add(row)
    assert (row["error"]["kind"], summary.totals.errors, summary.totals.total) == ("too_deep", 1, 0.0)
    assert (scored.summary.totals.errors, scored.summary.totals.passed) == (1, 0)
