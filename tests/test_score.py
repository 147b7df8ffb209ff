"""A score never changes: cases that are wholly right share one."""

from typing import Any

import pytest

from agentv_py.case import Case
from agentv_py.evaluators.field_accuracy import FieldAccuracy
from agentv_py.evaluators.grade import assign_names
from agentv_py.run.scorer import Scorer
from agentv_py.suite.schema import Verdicts


def _evaluator() -> FieldAccuracy:
    return FieldAccuracy.model_validate({"type": "field_accuracy", "fields": [{"path": "a"}, {"path": "b"}]})


def _case(number: int) -> Case:
    return Case(str(number), {"a": 1, "b": 2}, {"a": 1, "b": 2})


def test_a_score_and_its_hits_cannot_be_changed() -> None:
    score: Any = _evaluator().evaluate(_case(1))
    with pytest.raises(AttributeError):
        score.score = 0.0
    with pytest.raises(AttributeError):
        score.hits.append("planted")


def test_a_hit_that_is_added_to_one_row_is_in_no_other_row() -> None:
    scorer = Scorer("s", assign_names([_evaluator()]), Verdicts())
    first, second = (scorer.score(_case(number), scorer.evaluators, "") for number in (1, 2))
    first["hits"].append("planted")
    assert second["hits"] == second["evaluator_results"][0]["hits"] == ["a", "b"]
