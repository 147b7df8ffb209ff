"""Case → score. The names of evaluators are the registry."""

from collections.abc import Callable
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, Field, WrapValidator

from agentv_py.evaluators.base import Evaluator
from agentv_py.options import LazyUnion, check_names

EvaluatorName = Literal[
    "field_accuracy", "object_match", "json_quality", "iou_score", "coordinate_distance", "detection", "code_judge",
    "llm_judge", "composite", "tool_trajectory", "latency", "cost", "token_usage", "equals", "contains", "regex",
    "is_json", "json_schema", "rules",
]  # fmt: skip

FAMILY = LazyUnion(__name__, get_args(EvaluatorName), "type")
AnyEvaluator = Annotated[Evaluator, FAMILY]


def _check_names(given: Any, validate: Callable[[Any], list[Any]]) -> list[Any]:
    return check_names(given, validate, "evaluators", "names are unique within a case")


def _check_weights(evaluators: list[Any]) -> list[Any]:
    if not any(evaluator.weight for evaluator in evaluators):
        raise ValueError("every weight is 0, so nothing would count")
    return evaluators


Evaluators = Annotated[
    list[AnyEvaluator], Field(min_length=1), AfterValidator(_check_weights), WrapValidator(_check_names)
]
"""The evaluators of a suite, of a case, or of another evaluator."""
