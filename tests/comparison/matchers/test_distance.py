"""Distances against scipy on random vectors, and what passes."""

import random
from typing import Any

import pytest
from scipy.spatial import distance as scipy_distance

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.matchers.distance import Distance


@pytest.mark.parametrize(
    ("metric", "theirs"), [("euclidean", "euclidean"), ("manhattan", "cityblock"), ("cosine", "cosine")]
)
@pytest.mark.parametrize("dimension", [1, 2, 3, 300])
def test_distances_agree_with_scipy(metric: Any, theirs: str, dimension: int) -> None:
    chance = random.Random(dimension)
    left, right = ([[chance.gauss(0, 9) for _ in range(dimension)] for _ in range(20)] for _ in range(2))
    match = Distance(metric=metric, threshold=2.5)
    found = scipy_distance.cdist(left, right, metric=theirs)
    assert [[match.distance(a, b) for b in right] for a in left] == pytest.approx(found, rel=1e-12, abs=1e-12)
    assert match.matrix(left, right) == pytest.approx(1 / (1 + found / 2.5), abs=1e-12)


def test_the_similarity_falls_with_the_distance_and_passes_at_the_threshold() -> None:
    match = Distance(threshold=10)
    near = [match.similarity([0, 0], [0, away]) for away in (0, 1, 10, 10.001, 1e9)]
    assert near == sorted(near, reverse=True)
    assert [one >= match.passes_at for one in near] == [True, True, True, False, False]


def test_at_threshold_zero_only_the_same_point_passes() -> None:
    match = Distance(threshold=0)
    assert match.similarity([1, 2], [1.0, "2"]) >= match.passes_at
    assert match.similarity([1, 2], [1, 2.0000000001]) < match.passes_at


@pytest.mark.parametrize("size", [1e-200, 1e200])
def test_directions_do_not_depend_on_length(size: float) -> None:
    match = Distance(metric="cosine", threshold=0.5)
    assert match.distance([size, 0.0], [size, size]) == pytest.approx(1 - 0.5**0.5)
    assert match.matrix([[size, 0.0]], [[size, size]])[0, 0] == pytest.approx(match.similarity([1, 0], [1, 1]))


@pytest.mark.parametrize(
    ("wrong", "note"),
    [([], "not a point"), ("12", "not a point"), ([1, [2]], "not a point"), ([1, True], "not a point"), ({"x": 1}, "not a point"),
     ([1, float("inf")], "not a finite number"), ([1, 10**400], "not a finite number"), ([1, 2, 3], "dimension mismatch")],
)  # fmt: skip
def test_what_is_no_point_says_so(wrong: Any, note: str) -> None:
    with pytest.raises(Incomparable) as caught:
        Distance(threshold=1).similarity([1, 2], wrong)
    assert caught.value.note == note
