"""Which confidence belongs to which value."""

from typing import Any

import pytest

from agentv_py.case import ABSENT, Case
from agentv_py.comparison.observations import MOST_OBSERVATIONS, merge_observations, read_confidence
from agentv_py.evaluators.field_accuracy import FieldAccuracy
from agentv_py.evaluators.json_quality import JsonQuality
from agentv_py.evaluators.object_match import ObjectMatch


def _observe(evaluator: Any, expected: Any, candidate: Any, tree: Any) -> Any:
    return evaluator.evaluate(Case("1", expected, candidate, facts={"confidence": tree})).observations


def _match(**comparators: Any) -> ObjectMatch:
    return ObjectMatch.model_validate({"type": "object_match", "comparators": comparators})


_FIELDS = FieldAccuracy.model_validate({"type": "field_accuracy", "fields": [{"path": "a"}, {"path": "b.c"}]})


@pytest.mark.parametrize(
    ("tree", "path", "confidence"),
    [
        ({"a": {"b": 0.5}}, "a.b", 0.5),
        ({"a": 0.5}, "a.b[3].c", 0.5),
        ({"a.b": 0.5, "a": {"b": 0.1}}, "a.b", 0.5),
        ({"items[0].x": 0.5}, "items[0].x", 0.5),
        ({"a": [0.1, 0.2]}, "a[1]", 0.2),
        ({"a": [0.1, 0.2]}, "a", 0.1),
        ({"a": {"b": 0.3, "c": None}}, "a", 0.3),
        ({"a": {"b": "x", "c": 0.1}}, "a", "x"),
        ({"a": [0.1]}, "a[1]", ABSENT),
        ({"a": {}}, "a", ABSENT),
        ({}, "a", ABSENT),
        ({"a": None}, "a", None),
    ],
)
def test_a_confidence_is_read_at_the_path_of_its_value(tree: Any, path: str, confidence: Any) -> None:
    assert read_confidence(tree, path) == confidence


def test_right_and_wrong_fields_have_their_confidences() -> None:
    observations = _observe(_FIELDS, {"a": 1, "b": {"c": 2}}, {"a": 1, "b": {"c": 3}}, {"a": 0.9, "b": {"c": 0.4}})
    assert observations == {"right": {"a": [0.9]}, "wrong": {"b.c": [0.4]}}


def test_a_perfect_case_has_observations_too() -> None:
    observations = _observe(_FIELDS, {"a": 1, "b": {"c": 2}}, {"a": 1, "b": {"c": 2}}, {"a": 0.9, "b": 0.4})
    assert observations == {"right": {"a": [0.9], "b.c": [0.4]}}


def test_missing_and_invalid_confidences_are_counted() -> None:
    expected = {"a": 1, "b": {"c": 2}}
    assert _observe(_FIELDS, expected, expected, {"a": 1.5}) == {"missing": 1, "invalid": 1, "invalid_at": "a"}
    assert _observe(_FIELDS, expected, expected, {"a": True, "b": "0.5"}) == {"invalid": 2, "invalid_at": "a"}


def test_an_empty_value_counts_only_with_a_confidence() -> None:
    expected = {"a": None, "b": {"c": 2}}
    assert _observe(_FIELDS, expected, {}, {"x": 1}) == {}
    assert _observe(_FIELDS, expected, {}, {"a": 0.8, "b": 0.7}) == {"right": {"a": [0.8]}, "wrong": {"b.c": [0.7]}}


def test_rows_in_another_order_keep_their_own_confidences() -> None:
    evaluator = _match(items={"unordered": {"x": "exact", "y": "exact"}})
    expected = {"items": [{"x": 1, "y": 1}, {"x": 2, "y": 2}]}
    candidate = {"items": [{"x": 3, "y": 3}, {"x": 2, "y": 2}, {"x": 1, "y": 0}]}
    tree = {"items": [{"x": 0.1, "y": 0.2}, {"x": 0.3, "y": 0.4}, {"x": 0.5, "y": 0.6}]}
    observations = _observe(evaluator, expected, candidate, tree)
    right, wrong = observations["right"], observations["wrong"]
    assert (sorted(right["items[].x"]), right["items[].y"]) == ([0.3, 0.5], [0.4])
    assert (wrong["items[].x"], sorted(wrong["items[].y"])) == ([0.1], [0.2, 0.6])


def test_json_quality_observes_top_level_keys() -> None:
    evaluator = JsonQuality.model_validate({"type": "json_quality"})
    observations = _observe(evaluator, {"a": "x", "b": [1, 2]}, {"a": "x", "b": [1, 3]}, {"a": 0.9, "b": [0.8, 0.2]})
    assert observations == {"right": {"a": [0.9]}, "wrong": {"b": [0.2]}}


def test_a_very_long_answer_keeps_a_limited_number_of_observations() -> None:
    values = {"a": list(range(MOST_OBSERVATIONS + 5))}
    observations = _observe(_match(a="exact"), values, values, {"a": 0.5})
    assert (len(observations["right"]["a[]"]), observations["omitted"]) == (MOST_OBSERVATIONS, 5)
    merged = merge_observations([observations, {"wrong": {"a[]": [0.1]}, "missing": 2}])
    assert (len(merged["right"]["a[]"]), merged["omitted"], merged["missing"]) == (MOST_OBSERVATIONS, 6, 2)
