"""Answers that say how sure they are: what is taken off, and what is left."""

from typing import Any

import pytest
from pydantic import ValidationError

from agentv_py.case import Case
from agentv_py.targets.confidence import Confidence

_WRAPPER = Confidence.model_validate({"wrapper": {"value": "v", "confidence": "c"}})
_PATH = Confidence(path="scores")


def _w(value: Any, confidence: Any) -> dict[str, Any]:
    return {"v": value, "c": confidence}


@pytest.mark.parametrize(
    ("answer", "alone", "tree"),
    [
        ({"a": _w(1, 0.9), "b": 2}, {"a": 1, "b": 2}, {"a": 0.9}),
        ({"a": _w([1, 2], 0.5)}, {"a": [1, 2]}, {"a": 0.5}),
        ({"a": [_w(1, 0.1), 2]}, {"a": [1, 2]}, {"a": [0.1, None]}),
        ({"a": _w({"b": _w(1, 0.2), "d": 2}, 0.8)}, {"a": {"b": 1, "d": 2}}, {"a": {"b": 0.2, "d": 0.8}}),
        (_w({"a": 1}, 0.7), {"a": 1}, 0.7),
        (_w(None, 0.7), None, 0.7),
        ({"a": {"v": 1}}, {"a": 1}, {}),
        ({"a": {"v": 1, "unit": "kg"}}, {"a": {"v": 1, "unit": "kg"}}, {}),
        ({"a": {"v": 1, "c": 0.5, "page": 2}}, {"a": 1}, {"a": 0.5}),
        ({"a": _w(1, "high")}, {"a": 1}, {"a": "high"}),
        ({"a": _w(1, None)}, {"a": 1}, {}),
        ("text", "text", None),
        ([], [], {}),
    ],
)
def test_wrappers_are_taken_off_at_any_depth(answer: Any, alone: Any, tree: Any) -> None:
    case = Case("1", candidate=answer)
    _WRAPPER.separate(case)
    assert (case.candidate, case.confidence) == (alone, tree)


@pytest.mark.parametrize(
    ("path", "answer", "alone", "tree"),
    [
        ("scores", {"a": 1, "scores": {"a": 0.5}}, {"a": 1}, {"a": 0.5}),
        ("x.scores", {"a": 1, "x": {"y": 2, "scores": [0.5]}}, {"a": 1, "x": {"y": 2}}, [0.5]),
        ("[1]", [{"a": 1}, {"a": 0.5}], [{"a": 1}], {"a": 0.5}),
        ("[0].s", [{"a": 1, "s": 0.5}], [{"a": 1}], 0.5),
        ("x.s", {"x.s": 0.5, "x": {"s": 1}}, {"x": {"s": 1}}, 0.5),
        ("scores", {"a": 1}, {"a": 1}, {}),
    ],
)
def test_a_tree_at_a_path_is_taken_off(path: str, answer: Any, alone: Any, tree: Any) -> None:
    case = Case("1", candidate=answer)
    Confidence(path=path).separate(case)
    assert (case.candidate, case.confidence) == (alone, tree)


def test_text_is_read_and_its_place_is_remembered() -> None:
    case = Case("1", candidate='Sure:\n```json\n{"a": {"v": 1, "c": 0.5}}\n```')
    _WRAPPER.separate(case)
    assert (case.candidate, case.confidence, case.source) == ({"a": 1}, {"a": 0.5}, "fenced")
    case = Case("1", candidate='{"a": 1}')
    _WRAPPER.separate(case)
    assert (case.candidate, case.confidence, case.source) == ('{"a": 1}', {}, "whole")


def test_several_answers_have_their_own_confidences_and_keep_their_facts() -> None:
    case = Case("1", candidates=[{"a": _w(1, 0.5)}, {"a": 2}], facts={"repeats": [{"cost": 1}, {"confidence": 0.3}]})
    _WRAPPER.separate(case)
    assert case.candidates == [{"a": 1}, {"a": 2}]
    assert case.facts == {"repeats": [{"cost": 1, "confidence": {"a": 0.5}}, {"confidence": 0.3}]}


def test_a_wrapper_without_a_value_stays_and_is_counted() -> None:
    case = Case("1", candidate={"a": {"c": 0.5}, "b": _w(1, 0.5)})
    _WRAPPER.separate(case)
    assert case.candidate == {"a": {"c": 0.5}, "b": 1}
    assert case.facts == {"confidence": {"b": 0.5}, "confidence_without_value": 1}


def test_confidences_of_another_scale_become_shares() -> None:
    case = Case("1", candidate={"a": 1, "scores": {"a": 97, "b": [50, "x", True]}})
    Confidence(path="scores", scale=100).separate(case)
    assert case.confidence == {"a": 0.97, "b": [0.5, "x", True]}


@pytest.mark.parametrize(
    "options", [{}, {"wrapper": {}, "path": "a"}, {"path": "a[*].b"}, {"path": "a..b"}, {"path": "$"}, {"scale": 0, "path": "a"},
                {"wrapper": {"value": "x", "confidence": "x"}}],
)  # fmt: skip
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Confidence.model_validate(options)
