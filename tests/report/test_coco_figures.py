"""COCO's twelve figures against pycocotools, from the suite file to the report."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import coco
import numpy as np
import pytest
from conftest import Evalctl
from pipeline import rows_of

from agentv_py.comparison.coco_thresholds import OVERLAPS
from agentv_py.report.detection import FIGURES, Detections
from agentv_py.report.summary import Summary

Write = Callable[[str, Any], Path]

_SUITE = "evaluators: [{type: detection}]\ndataset: {coco: {annotations: gt.json, results: dt.json}}\n"


def _rows(write: Write, files: coco.Files) -> list[dict[str, Any]]:
    write("gt.json", files[0])
    write("dt.json", files[1])
    return rows_of(write("suite.yaml", _SUITE))


def _figures(*parts: list[dict[str, Any]]) -> list[float | None]:
    """Of rows that were counted apart, as processes do, and merged in order."""
    whole = Summary()
    for rows in parts:
        part = Summary()
        for row in rows:
            part.add(row)
        whole.merge(part)
    detections = whole.evaluators[0].detections
    assert detections is not None
    return list(detections.figures().values())


@pytest.mark.parametrize(
    "files",
    [coco.images(25, labels, objects, found, seed) for seed, (labels, objects, found) in
     enumerate([(1, 6, 12), (1, 12, 250), (3, 8, 40), (40, 15, 60), (5, 1, 3), (2, 30, 90)])],
    ids=["one label", "more than a hundred detections", "some labels", "many labels", "few objects", "many objects"],
)  # fmt: skip
def test_the_twelve_figures_are_those_of_pycocotools(write: Write, files: coco.Files) -> None:
    rows = _rows(write, files)
    found = _figures(rows[:7], rows[7:8], rows[8:])
    for name, ours, theirs in zip(FIGURES, found, coco.stats(*files), strict=True):
        assert ours == (None if theirs is None else pytest.approx(theirs, abs=1e-6)), name


def test_no_object_of_a_size_gives_no_figure(write: Write) -> None:
    dataset, results = coco.images(3, 1, 4, 4, 1)
    for one in dataset["annotations"]:
        one["area"] = 10.0
    found = dict(zip(FIGURES, _figures(_rows(write, (dataset, results))), strict=True))
    assert (found["AP_small"] is None, found["AP_medium"], found["AR_large"]) == (False, None, None)


def test_the_overlaps_are_numpys_to_the_last_bit() -> None:
    assert list(OVERLAPS) == np.linspace(0.5, 0.95, 10).tolist()


def test_a_report_of_the_results_has_the_figures_of_the_run(evalctl: Evalctl, write: Write) -> None:
    files = coco.images(30, 4, 5, 9, 5)
    write("gt.json", files[0])
    write("dt.json", files[1])
    write("suite.yaml", _SUITE)
    run = evalctl("run", "suite.yaml", "-j", "2", "-o", "results.jsonl", "--no-data", "--format", "json", "--exit-zero")
    report = evalctl("report", "results.jsonl", "--format", "json")
    figures = json.loads(run.stdout)["detection"]
    assert figures == json.loads(report.stdout)["detection"]
    assert figures.pop("evaluators") == {"detection": figures}
    assert list(figures.values()) == pytest.approx(coco.stats(*files), abs=1e-6)
    assert list(figures) == list(FIGURES)
    table = evalctl("report", "results.jsonl").stdout
    assert f"average recall     {figures['AR1']:.3f}" in table
    assert all(len(line) <= 80 for line in table.splitlines())


@pytest.mark.parametrize(
    "damage",
    [5, [5], [{}], [{"label": [1]}], [{"objects": [1, 1, 1]}], [{"objects": [1, 1, 1, -1]}], [{"matched": [0, 0]}],
     [{"confidence": ["x"]}], [{"confidence": [float("nan")]}], [{"matched": [2**60]}], [{"ignored": [-1]}]],
)  # fmt: skip
def test_what_is_no_answer_of_an_image_is_left_out(damage: Any) -> None:
    whole = {"label": "a", "objects": [1, 0, 0, 1], "confidence": [0.5], "matched": [1], "ignored": [0]}
    wrong = (
        [whole | one if one else one for one in damage if isinstance(one, dict)] if isinstance(damage, list) else damage
    )
    detections = Detections()
    detections.add(wrong)
    assert detections.labels == {}
    detections.add([whole])
    assert detections.figures()["AR100"] == 0.1
