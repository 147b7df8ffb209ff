"""Polygons without shapely, which is an extra."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

_WITHOUT_SHAPELY = "import sys; sys.modules['shapely'] = None; "
_COMMAND = _WITHOUT_SHAPELY + "from agentv_py.cli import main; main()"
_CALL = _WITHOUT_SHAPELY + "from agentv_py import *; compare({}, {}, {'p': iou(format='polygon', polygon='exact')})"
_CASE = "{id: a, expected: {p: [[0, 0], [4, 0], [4, 4]]}, candidate: {p: [[0, 0], [4, 0], [4, 4]]}}"
_INSTALL = "exact needs shapely, which is not installed; run: pip install 'agentv-py[geometry]'"


def _run(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", _COMMAND, "run", "suite.yaml"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("evaluator", "place"),
    [
        ("{type: iou_score, bbox_path: p, format: polygon, polygon: exact}", "1:72: evaluators[0].polygon"),
        ("{type: field_accuracy, fields: [{path: p, match: iou, format: polygon, polygon: exact}]}", "1:94: evaluators[0].fields[0].polygon"),
        ("{type: object_match, comparators: {p: {unordered: {match: iou, format: polygon, polygon: exact}}}}", "1:103: evaluators[0].comparators.p.unordered.polygon"),
    ],
)  # fmt: skip
def test_exact_polygons_without_shapely_name_the_install_command(
    write: Callable[[str, Any], Path], tmp_path: Path, evaluator: str, place: str
) -> None:
    write("suite.yaml", f"evaluators: [{evaluator}]\ncases: [{_CASE}]\n")
    done = _run(tmp_path)
    assert (done.returncode, done.stderr) == (2, f"error: suite.yaml:{place}: {_INSTALL}\n")


def test_a_case_s_own_evaluators_say_it_with_their_row(write: Callable[[str, Any], Path], tmp_path: Path) -> None:
    own = {"type": "field_accuracy", "fields": [{"path": "p", "match": "iou", "format": "polygon", "polygon": "exact"}]}
    write("rows.jsonl", {"id": "a", "expected": {}, "candidate": {}, "evaluators": [own]})
    write("suite.yaml", "dataset: rows.jsonl\n")
    done = _run(tmp_path)
    assert (done.returncode, done.stderr) == (2, f"error: rows.jsonl:1: fields[0].polygon: {_INSTALL}\n")


def test_bounding_boxes_of_polygons_need_no_shapely(write: Callable[[str, Any], Path], tmp_path: Path) -> None:
    write("suite.yaml", f"evaluators: [{{type: iou_score, bbox_path: p, format: polygon}}]\ncases: [{_CASE}]\n")
    assert _run(tmp_path).returncode == 0


def test_python_callers_are_told_as_well() -> None:
    done = subprocess.run([sys.executable, "-c", _CALL], capture_output=True, text=True, check=False)
    assert f"ValueError: comparators.p.polygon: {_INSTALL}" in done.stderr
