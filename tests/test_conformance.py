"""The specification as data: every row of tests/conformance, through the suite loader and the runner.

A row with `spellings` is a table of values under one field: [candidate, expected] where they match, and
[candidate, expected, note] where they do not; the note is "" for two values that differ. `facts` are what the answer
tells about itself, and `evaluators` several evaluators of the case.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pipeline import plan_of, rows_of

from agentv_py import evaluators
from agentv_py.errors import InvalidSuite, Problem
from agentv_py.suite.yaml_document import read_yaml

_FOLDER = Path(__file__).parent / "conformance"
_CASE_KEYS = ("expected", "candidate", "input", "metadata", "tags", "trace", "evaluators")
_ROW_KEYS = {"title", "want", "error", "warning", "evaluator", "facts", "verdicts", *_CASE_KEYS}
_EVALUATOR_KEYS = {key for member in evaluators.FAMILY.models() for key in member.model_fields} - _ROW_KEYS


_SPELLING_KEYS = {"title", "field", "spellings"}


def _rows(*, spellings: bool) -> Iterator[Any]:
    for path in sorted(_FOLDER.glob("*.yaml")):
        for row in read_yaml(path, path.name).value:
            if ("spellings" in row) == spellings:
                yield pytest.param(row, id=f"{path.stem}: {row['title']}")


@pytest.mark.parametrize("row", list(_rows(spellings=True)))
def test_spellings(row: dict[str, Any], write: Callable[[str, Any], Path]) -> None:
    assert row.keys() == _SPELLING_KEYS
    evaluator = {"type": "field_accuracy", "fields": [{"path": "value"} | row["field"]]}
    values = [
        {"expected": {"value": expected}, "candidate": {"value": text}} for text, expected, *_ in row["spellings"]
    ]
    cases = [{"id": f"case-{index}"} | value for index, value in enumerate(values)]
    results = rows_of(write("suite.yaml", _yaml({"evaluators": [evaluator], "cases": cases})))
    assert [
        [text, expected, *_note(result)] for (text, expected, *_), result in zip(row["spellings"], results, strict=True)
    ] == row["spellings"]


def _note(result: Any) -> list[str]:
    """The note of a miss, if there is one: `value (not a number)`."""
    return [miss.removeprefix("value").strip(" ()") for miss in result["misses"]]


@pytest.mark.parametrize("row", list(_rows(spellings=False)))
def test_conformance(row: dict[str, Any], write: Callable[[str, Any], Path]) -> None:
    if "facts" in row:
        write("answers.json", _yaml([{"id": "case", "candidate": row["candidate"], **row["facts"]}]))
    path = write("suite.yaml", _yaml(_suite(row)))
    if "error" in row:
        with pytest.raises(InvalidSuite) as caught:
            plan_of(path)
        assert row["error"] in str(caught.value)
        return
    plan = plan_of(path)
    warnings = [warning.what for warning in plan.warnings if not _is_about_truth(warning)]
    assert warnings == ([row["warning"]] if "warning" in row else [])
    [result] = rows_of(path)
    found = result | {"details": next((one.get("details", {}) for one in result["evaluator_results"]), {})}
    want = row["want"]
    details = want.pop("details", {})
    if "score" in want:
        assert found["score"] == pytest.approx(want.pop("score"))
    assert {key: found.get(key) for key in want} == want
    assert {key: found["details"].get(key) for key in details} == details


def _is_about_truth(warning: Problem) -> bool:
    """Whether it says that a path is not labelled, or that a label cannot be read; tests/suite/test_truth.py has those."""
    return warning.where.startswith("expected") or warning.what.startswith("the expected value has no")


def _yaml(suite: Any) -> str:
    """JSON is YAML, but for the numbers that JSON does not have."""
    return json.dumps(suite).replace("Infinity", ".inf").replace("NaN", ".nan")


def _suite(row: dict[str, Any]) -> dict[str, Any]:
    known = _ROW_KEYS | _EVALUATOR_KEYS
    assert row.keys() <= known, f"unknown keys in a conformance row: {row.keys() - known}"
    options = {key: row[key] for key in _EVALUATOR_KEYS if key in row}
    case = {key: row[key] for key in _CASE_KEYS if key in row}
    kind = "field_accuracy" if "fields" in row else "object_match"
    evaluator = row.get("evaluator", {"type": kind} | options)
    answers = {"predictions": "answers.json"} if "facts" in row else {}
    # An evaluator of the case itself may name a path that the case does not have.
    suite = {"cases": [{"id": "case", "evaluators": [evaluator], **case}], **answers}
    return suite | {key: row[key] for key in ("verdicts",) if key in row}
