"""The specification as data: every row of tests/conformance, through the suite loader and the runner."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pipeline import plan_of, rows_of

from agentv_py import evaluators
from agentv_py.errors import InvalidSuite
from agentv_py.suite.yaml_document import read_yaml

_FOLDER = Path(__file__).parent / "conformance"
_ROW_KEYS = {"title", "want", "error", "warning", "expected", "candidate", "evaluator"}
_EVALUATOR_KEYS = {key for member in evaluators.FAMILY.models() for key in member.model_fields} - _ROW_KEYS


def _rows() -> Iterator[Any]:
    for path in sorted(_FOLDER.glob("*.yaml")):
        for row in read_yaml(path, path.name).value:
            yield pytest.param(row, id=f"{path.stem}: {row['title']}")


@pytest.mark.parametrize("row", list(_rows()))
def test_conformance(row: dict[str, Any], write: Callable[[str, Any], Path]) -> None:
    path = write("suite.yaml", _yaml(_suite(row)))
    if "error" in row:
        with pytest.raises(InvalidSuite) as caught:
            plan_of(path)
        assert row["error"] in str(caught.value)
        return
    plan = plan_of(path)
    assert [warning.what for warning in plan.warnings] == ([row["warning"]] if "warning" in row else [])
    [result] = rows_of(path)
    found = result | {"details": result["evaluator_results"][0].get("details", {})}
    want = row["want"]
    details = want.pop("details", {})
    if "score" in want:
        assert found["score"] == pytest.approx(want.pop("score"))
    assert {key: found[key] for key in want} == want
    assert {key: found["details"].get(key) for key in details} == details


def _yaml(suite: dict[str, Any]) -> str:
    """JSON is YAML, but for the numbers that JSON does not have."""
    return json.dumps(suite).replace("Infinity", ".inf").replace("NaN", ".nan")


def _suite(row: dict[str, Any]) -> dict[str, Any]:
    known = _ROW_KEYS | _EVALUATOR_KEYS
    assert row.keys() <= known, f"unknown keys in a conformance row: {row.keys() - known}"
    options = {key: row[key] for key in _EVALUATOR_KEYS if key in row}
    case = {key: row[key] for key in ("expected", "candidate") if key in row}
    kind = "field_accuracy" if "fields" in row else "object_match"
    evaluator = row.get("evaluator", {"type": kind} | options)
    return {"evaluators": [evaluator], "cases": [{"id": "case", **case}]}
