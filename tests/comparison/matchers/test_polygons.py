"""Polygons whose edges cross: each of them is read once, and all pairs say what each pair says."""

import math
from typing import Any

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from agentv_py.case import Case
from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.matchers.iou import Iou
from agentv_py.evaluators.iou_score import IouScore

_EXACT = Iou(format="polygon", polygon="exact")
_coordinates = st.integers(0, 6) | st.sampled_from([0.5, 1e308, -1e308, 1e-300, None])
_polygons = st.lists(st.tuples(_coordinates, _coordinates).map(list), min_size=2, max_size=6)


def _cross(number: float) -> list[list[float]]:
    """A star of seven corners, every edge of which crosses four others."""
    turns = [2 * math.pi * 3 * corner / 7 for corner in range(7)]
    return [[number + 9 * math.cos(turn), 9 * math.sin(turn)] for turn in turns]


def test_each_polygon_is_parted_once_however_many_partners_it_may_have(monkeypatch: pytest.MonkeyPatch) -> None:
    parted: list[Any] = []
    make_valid = shapely.make_valid

    def count(polygon: Any) -> Any:
        parted.append(polygon)
        return make_valid(polygon)

    monkeypatch.setattr(shapely, "make_valid", count)
    options = {"bbox_path": "b", "format": "polygon", "polygon": "exact", "matching": "optimal"}
    evaluator = IouScore.model_validate({"type": "iou_score"} | options)
    left, right = ([_cross(number + shift) for number in range(12)] for shift in (0.125, 0.375))
    score = evaluator.evaluate(Case("", {"b": left}, {"b": right[::-1]}))
    assert [pair["actual"] for pair in (score.details or {})["pairs"]] == list(range(11, -1, -1))
    assert len(parted) == 24


@given(st.lists(_polygons, min_size=1, max_size=4), st.lists(_polygons, min_size=1, max_size=4))
def test_all_pairs_say_what_each_pair_says(left: list[Any], right: list[Any]) -> None:
    matrix = _EXACT.matrix(left, right)
    for row, one in enumerate(left):
        for column, other in enumerate(right):
            try:
                share = _EXACT.similarity(one, other)
            except Incomparable:
                assert np.isnan(matrix[row, column])
            else:
                assert matrix[row, column] == share
