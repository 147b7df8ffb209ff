"""Batches of boxes and points: pairing against scipy's assignment, and what no order can change."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from agentv_py.case import Case
from agentv_py.comparison.matchers.distance import Distance
from agentv_py.comparison.matchers.iou import Iou
from agentv_py.evaluators.coordinate_distance import CoordinateDistance
from agentv_py.evaluators.iou_score import IouScore
from agentv_py.score import Score

_BOX = st.tuples(*[st.integers(0, 9)] * 2, *[st.integers(1, 9)] * 2).map(list)
_BOXES = st.lists(_BOX, max_size=6)
_POINTS = st.lists(st.lists(st.integers(-5, 5), min_size=2, max_size=2), max_size=6)


def _iou(expected: list[Any], actual: list[Any], **options: Any) -> Score:
    evaluator = IouScore(type="iou_score", bbox_path="$", format="xywh", **options)
    return evaluator.evaluate(Case("", expected, actual))


def _distance(expected: list[Any], actual: list[Any], **options: Any) -> Score:
    evaluator = CoordinateDistance(type="coordinate_distance", point_path="$", **options)
    return evaluator.evaluate(Case("", expected, actual))


@given(_BOXES, _BOXES, st.sampled_from([None, 0.0, 0.4]))
def test_optimal_boxes_are_scipys_assignment(expected: list[Any], actual: list[Any], threshold: float | None) -> None:
    best = 1.0
    if expected or actual:
        best = 0.0
        if expected and actual:
            matrix = Iou(format="xywh").matrix(expected, actual)
            best = matrix[linear_sum_assignment(-matrix)].sum() / max(matrix.shape)
    assert _iou(expected, actual, matching="optimal", threshold=threshold).score == pytest.approx(best)


@given(_POINTS, _POINTS, st.sampled_from(["euclidean", "manhattan", "cosine"]))
def test_optimal_points_are_scipys_assignment(expected: list[Any], actual: list[Any], metric: Any) -> None:
    distance = Distance(metric=metric, threshold=1)
    scores = [[distance.distance(one, other) for other in actual] for one in expected]
    scores = [[max(0.0, 1 - far) if metric == "cosine" else 1 / (1 + far) for far in row] for row in scores]
    best = 1.0
    if expected or actual:
        pairs = (
            zip(*linear_sum_assignment([[-one for one in row] for row in scores]), strict=True)
            if expected and actual
            else ()
        )
        best = sum(scores[row][column] for row, column in pairs) / max(len(expected), len(actual))
    assert _distance(expected, actual, matching="optimal", metric=metric).score == pytest.approx(best, abs=1e-6)


@given(_BOXES, _BOXES, st.randoms(use_true_random=False), st.sampled_from(["mean", "median", "min"]))
def test_no_order_changes_an_optimal_score(
    expected: list[Any], actual: list[Any], chance: random.Random, aggregation: str
) -> None:
    score = _iou(expected, actual, matching="optimal", aggregation="mean").score
    left, right = chance.sample(expected, len(expected)), chance.sample(actual, len(actual))
    assert _iou(left, right, matching="optimal", aggregation="mean").score == pytest.approx(score)
    assert _iou(expected, left, matching="optimal", aggregation=aggregation).score == 1.0


@given(_BOXES, _BOXES, st.sampled_from(["index", "greedy", "optimal"]))
def test_a_threshold_changes_what_is_right_and_not_the_score(
    expected: list[Any], actual: list[Any], matching: str
) -> None:
    free, bound = _iou(expected, actual, matching=matching), _iou(expected, actual, matching=matching, threshold=0.5)
    assert bound.score == free.score
    assert bound.verdict == ("pass" if free.score >= 0.5 else "fail")
    assert bound.details is not None
    right = [pair for pair in bound.details["pairs"] if pair["iou"] >= 0.5]
    assert len(right) == len(bound.hits)


def test_many_pairs_are_cut_and_counted() -> None:
    boxes = [[number, 0, 1, 1] for number in range(130)]
    score = _iou(boxes, boxes)
    assert score.details is not None
    assert (len(score.details["pairs"]), score.details["pairs_omitted"], len(score.hits)) == (100, 30, 130)


def test_the_nearer_of_two_opposite_directions_finds_its_partner() -> None:
    score = _distance([[1, 0], [0, 1]], [[0, -1], [-1, 0.1]], metric="cosine", matching="optimal")
    assert score.score == pytest.approx(0.0498, abs=1e-4)
    assert score.details is not None
    assert [(pair["expected"], pair["actual"]) for pair in score.details["pairs"]] == [(0, 0), (1, 1)]


def test_answers_are_held_against_each_other_where_both_have_theirs() -> None:
    evaluator = IouScore(type="iou_score", bbox_path="mine", expected_bbox_path="theirs")
    score = evaluator.for_consistency().evaluate(Case("", {"mine": [0, 0, 1, 1]}, {"mine": [0, 0, 1, 1]}))
    assert (score.score, score.hits) == (1.0, ("mine",))
