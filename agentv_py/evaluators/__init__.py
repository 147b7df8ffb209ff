"""Case → score. The names of evaluators are the registry."""

from typing import Annotated, Literal, get_args

from agentv_py.evaluators.base import Evaluator
from agentv_py.options import LazyUnion

EvaluatorName = Literal[
    "field_accuracy", "object_match", "json_quality", "iou_score", "coordinate_distance", "detection", "code_judge",
    "llm_judge",
]  # fmt: skip

FAMILY = LazyUnion(__name__, get_args(EvaluatorName), "type")
AnyEvaluator = Annotated[Evaluator, FAMILY]
