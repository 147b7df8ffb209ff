"""Case → score. The names of evaluators are the registry."""

from typing import Annotated, Literal, get_args

from agentv_py.evaluator import Evaluator
from agentv_py.family import Family

EvaluatorName = Literal[
    "field_accuracy", "object_match", "json_quality", "iou_score", "coordinate_distance", "detection", "code_judge",
    "llm_judge",
]  # fmt: skip

FAMILY = Family(__name__, get_args(EvaluatorName), "type")
AnyEvaluator = Annotated[Evaluator, FAMILY]
