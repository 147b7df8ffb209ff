"""IoU against shapely and pycocotools on random data, and on what floats can hardly hold."""

import math
import random
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pycocotools import mask
from shapely import Polygon, box, unary_union

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.matchers.iou import Iou, box_iou
from agentv_py.comparison.readers.box import read_box

_EXACT = Iou(format="polygon", polygon="exact")
_NUMBERS = st.floats() | st.integers() | st.sampled_from([True, None, "3", "x", 10**400, 1e308, 5e-324])


def _boxes(chance: random.Random, count: int) -> list[list[float]]:
    return [[*chance.choices(range(50), k=2), *(chance.uniform(0.1, 40) for _ in range(2))] for _ in range(count)]


def test_boxes_agree_with_pycocotools() -> None:
    chance = random.Random(0)
    left, right = _boxes(chance, 60), _boxes(chance, 50)
    theirs = mask.iou(left, right, [0] * len(right))
    match = Iou(format="xywh")
    assert match.matrix(left, right) == pytest.approx(theirs, abs=1e-12)
    assert [[match.similarity(a, b) for b in right] for a in left] == pytest.approx(theirs, abs=1e-12)


def test_boxes_agree_with_shapely() -> None:
    chance = random.Random(1)
    for one, other in zip(_boxes(chance, 200), _boxes(chance, 200), strict=True):
        (x, y, w, h), (u, v, s, t) = one, other
        left, right = box(x, y, x + w, y + h), box(u, v, u + s, v + t)
        common, union = left.intersection(right).area, left.union(right).area
        match = Iou(format="xywh")
        assert match.similarity(one, other) == pytest.approx(common / union)
        assert match.overlap(one, other) == pytest.approx((common, union))


def _star(chance: random.Random) -> list[list[float]]:
    """Concave, in either direction."""
    middle = [chance.uniform(0, 10), chance.uniform(0, 10)]
    corners = sorted(chance.uniform(0, 2 * math.pi) for _ in range(chance.randint(4, 12)))
    radii = [chance.uniform(0.5, 8) for _ in corners]
    points = [[middle[0] + r * math.cos(a), middle[1] + r * math.sin(a)] for r, a in zip(radii, corners, strict=True)]
    return points[:: chance.choice((1, -1))]


def test_polygons_agree_with_shapely() -> None:
    chance = random.Random(2)
    for _ in range(300):
        one, other = _star(chance), _star(chance)
        left, right = Polygon(one), Polygon(other)
        if left.is_valid and right.is_valid:
            share = left.intersection(right).area / left.union(right).area
            assert _EXACT.similarity(one, other) == pytest.approx(share, abs=1e-9)
            assert _EXACT.similarity(one, one[::-1]) == pytest.approx(1.0)
            assert _EXACT.matrix([one], [other])[0, 0] == _EXACT.similarity(one, other)


def test_polygons_that_touch_themselves_enclose_all_their_parts() -> None:
    chance = random.Random(3)
    for _ in range(100):
        knot = [5.0, 5.0]
        parts = [[knot, [9.0, 5 + chance.uniform(0.5, 4)], [9.0, 5 - chance.uniform(0.5, 4)]],
                 [knot, [1.0, 5 - chance.uniform(0.5, 4)], [1.0, 5 + chance.uniform(0.5, 4)]]]  # fmt: skip
        other = _star(chance)
        if not Polygon(other).is_valid:
            continue
        whole = unary_union([Polygon(part) for part in parts])
        share = whole.intersection(Polygon(other)).area / whole.union(Polygon(other)).area
        touching, crossing = parts[0] + parts[1], [*parts[0][1:], *parts[1][1:]]
        assert _EXACT.similarity(touching, other) == pytest.approx(share, abs=1e-9)
        assert _EXACT.similarity(crossing, crossing) == 1.0


def test_polygons_may_be_flat_lists_point_objects_and_boxes() -> None:
    square = [[0, 0], [4, 0], [4, 4], [0, 4]]
    for spelling in (
        [0, 0, 4, 0, 4, 4, 0, 4],
        [{"x": x, "y": y} for x, y in square],
        {"x": 0, "y": 0, "w": 4, "h": "4"},
    ):
        assert _EXACT.similarity(square, spelling) == 1.0
        assert Iou(format="polygon").similarity(square, spelling) == 1.0


@pytest.mark.parametrize(
    "wrong", [[[0, 0], [1, 1]], [[0, 0, 0], [1, 1, 1], [2, 0, 2]], [0, 0, 1, 1], [], 5, [[0, 0], [1, None], [2, 2]]]
)
@pytest.mark.parametrize("match", [_EXACT, Iou(format="polygon")], ids=["exact", "bounding_box"])
def test_what_is_no_polygon_is_an_invalid_box(match: Iou, wrong: Any) -> None:
    with pytest.raises(Incomparable, match="invalid bounding box"):
        match.similarity([[0, 0], [4, 0], [4, 4]], wrong)


@given(st.lists(st.lists(_NUMBERS, min_size=4, max_size=4), min_size=1, max_size=4), st.sampled_from(["xyxy", "xywh"]))
@example([[0, -9_288_674_231_451_160, 1, 1]], "xywh")
def test_the_quick_way_is_the_long_way(boxes: list[list[Any]], form: Any) -> None:
    match = Iou(format=form)
    matrix = match.matrix(boxes, boxes)
    for row, one in enumerate(boxes):
        for column, other in enumerate(boxes):
            try:
                long = box_iou(read_box(one, form), read_box(other, form))
            except Incomparable:
                assert np.isnan(matrix[row, column])
                with pytest.raises(Incomparable, match="invalid bounding box"):
                    match.similarity(one, other)
            else:
                assert match.similarity(one, other) == pytest.approx(long, abs=1e-12)
                assert matrix[row, column] == pytest.approx(long, abs=1e-12)


@pytest.mark.parametrize("size", [1e-200, 1e-320, 1.0, 1e200, 8e307])
def test_boxes_of_any_size_are_themselves(size: float) -> None:
    match = Iou()
    one, half = [0.0, 0.0, size, size], [0.0, 0.0, size, size / 2]
    assert match.similarity(one, one) == 1.0
    assert match.similarity(one, half) == pytest.approx(0.5, rel=1e-2)
    assert match.matrix([one], [one, half]) == pytest.approx(np.array([[1.0, match.similarity(one, half)]]))
