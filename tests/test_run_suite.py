"""A suite's rows from Python, without a command."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl

from agentv_py import run_suite
from agentv_py.errors import InvalidSuite, NothingSelected, UserError

Write = Callable[[str, Any], Path]

_MEASURED = {"timestamp", "duration_ms"}
_CASES: list[dict[str, Any]] = [
    {"id": f"c{number}", "expected": {"a": number}, "candidate": {"a": min(number, 2)}, "tags": ["odd"] * (number % 2)}
    for number in range(4)
]


@pytest.fixture
def suite(write: Write) -> Path:
    return write("s.yaml", {"evaluators": [{"type": "object_match", "comparators": {"a": "exact"}}], "cases": _CASES})


def _facts(rows: Any) -> list[dict[str, Any]]:
    return [
        {key: value for key, value in row.items() if key not in _MEASURED}
        | {"evaluator_results": [{**result, "duration_ms": 0} for result in row["evaluator_results"]]}
        for row in rows
    ]


def test_the_rows_are_those_that_the_command_writes(suite: Path, evalctl: Evalctl, tmp_path: Path) -> None:
    evalctl("run", "s.yaml", "-o", "r.jsonl")
    written = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()]
    assert _facts(run_suite(suite)) == _facts(written)


def test_nothing_is_written(suite: Path, tmp_path: Path) -> None:
    assert [row["verdict"] for row in run_suite(suite)] == ["pass", "pass", "pass", "fail"]
    assert [path.name for path in tmp_path.iterdir()] == ["s.yaml"]


@pytest.mark.parametrize("jobs", [1, 2])
def test_rows_come_one_by_one_and_a_caller_may_stop(write: Write, tmp_path: Path, jobs: int) -> None:
    judge = "import json, sys\nopen('log', 'a').write('x')\nprint(json.dumps({'score': 1}))"
    write("judge.py", judge)
    suite = {"evaluators": [{"type": "code_judge", "script": "judge.py"}], "cases": _CASES}
    rows = run_suite(write("s.yaml", suite), jobs=jobs)
    assert not (tmp_path / "log").exists()
    assert next(rows)["case_id"] == "c0"
    rows.close()  # type: ignore[attr-defined]  # a generator has it
    assert next(rows, None) is None


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        ({"cases": ["c1", "c[23]"]}, ["c1", "c2", "c3"]),
        ({"tags": ["odd"]}, ["c1", "c3"]),
        ({"cases": ["c*"], "tags": ["odd"], "limit": 1}, ["c1"]),
    ],
)
def test_cases_are_selected_as_the_command_selects_them(suite: Path, options: Any, ids: list[str]) -> None:
    assert [row["case_id"] for row in run_suite(suite, **options)] == ids


def test_an_invalid_suite_and_an_empty_selection_are_errors_before_the_first_row(write: Write, suite: Path) -> None:
    with pytest.raises(NothingSelected):
        run_suite(suite, cases=["none"])
    with pytest.raises(InvalidSuite, match="a suite needs cases: or dataset:"):
        run_suite(write("t.yaml", {}))
    with pytest.raises(UserError, match="contradict"):
        run_suite(suite, no_cache=True, refresh=True)


def test_what_the_command_warns_of_is_a_python_warning(write: Write) -> None:
    evaluator = {"type": "field_accuracy", "fields": [{"path": "a[x"}, {"path": "b", "required": False}, {"path": "a"}]}
    path = write("s.yaml", {"evaluators": [evaluator], "cases": _CASES[:1]})
    with pytest.warns(UserWarning, match="malformed path"), pytest.warns(UserWarning, match="expected value has 'b'"):
        rows = run_suite(path)
    assert len(list(rows)) == 1


def test_values_are_left_out_on_demand(suite: Path) -> None:
    assert all("expected" not in row and "candidate" not in row for row in run_suite(suite, data=False))
