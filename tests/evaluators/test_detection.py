"""What a detection says of a case, beyond COCO's figures."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl

from agentv_py.case import Case
from agentv_py.evaluators.detection import Detection

_BOX = [0, 0, 10, 10]


def test_a_path_that_some_case_labels_is_no_typo(evalctl: Evalctl, write: Callable[[str, Any], Path]) -> None:
    labelled = {"id": "a", "expected": {"o": []}, "candidate": {"o": []}}
    write("rows.jsonl", labelled)
    write("more.yaml", [labelled | {"id": "b", "expected": {"p": 1}}])
    for dataset, code in (("[rows.jsonl, more.yaml]", 1), ("more.yaml", 2)):
        write("suite.yaml", f"evaluators: [{{type: detection, path: o}}]\ndataset: {dataset}\n")
        done = evalctl("run", "suite.yaml")
        assert (done.returncode, "no case's expected value has 'o'" in done.stderr) == (code, code == 2)


def test_an_image_may_hold_more_than_any_matrix() -> None:
    many = [{"label": "a", "box": [20 * number, 0, 10, 10]} for number in range(3_000)]
    score = Detection(type="detection").evaluate(Case("", many, many[::-1]))
    assert score.details is not None
    assert (score.score, len(score.hits), score.details["matches_omitted"]) == (1.0, 3_000, 2_900)
    assert [len(one["confidence"]) for one in score.details["coco"]] == [100]


def test_labels_of_other_types_are_other_labels() -> None:
    expected = [{"label": 1, "box": _BOX}, {"label": "1", "box": _BOX}, {"box": _BOX}]
    found = [{"label": None, "box": _BOX}, {"label": 1.0, "box": _BOX}, {"label": "1", "box": _BOX}]
    score = Detection(type="detection").evaluate(Case("", expected, found))
    assert score.details is not None
    assert score.details["matches"] == [[0, 1, 1.0], [1, 2, 1.0], [2, 0, 1.0]]


@pytest.mark.parametrize("far", [1e200, 1e154, 1e-200])
def test_boxes_match_even_where_no_float_holds_their_area(far: float) -> None:
    crowd = {"label": "b", "box": [0, 0, far, far], "iscrowd": 1}
    expected = [{"label": "a", "box": [0, 0, far, far]}, {"label": "a", "box": [far, far, far, far]}, crowd]
    found = [{"label": "a", "box": [far, far, far, far * 0.75]}, {"label": "a", "box": [0, 0, far, far]}]
    within = {"label": "b", "box": [far / 4, far / 4, far / 2, far / 2]}
    beyond = {"label": "b", "box": [far * 0.75, 0, far, far]}
    score = Detection(type="detection").evaluate(Case("", expected, [*found, within, beyond]))
    assert score.details is not None
    assert (score.details["matches"], score.misses) == ([[0, 1, 1.0], [1, 0, 0.75]], ("[+3] (unexpected)",))


def test_a_label_may_be_a_number_of_any_length() -> None:
    objects = [{"label": 10**400, "box": _BOX}]
    assert Detection(type="detection").evaluate(Case("", objects, objects)).score == 1.0
