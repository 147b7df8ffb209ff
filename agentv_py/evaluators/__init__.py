"""Case → score. The union of evaluators is the registry."""

from typing import Annotated

from pydantic import Field

from agentv_py.evaluators.code_judge import CodeJudge
from agentv_py.evaluators.coordinate_distance import CoordinateDistance
from agentv_py.evaluators.detection import Detection
from agentv_py.evaluators.field_accuracy import FieldAccuracy
from agentv_py.evaluators.iou_score import IouScore
from agentv_py.evaluators.json_quality import JsonQuality
from agentv_py.evaluators.llm_judge import LlmJudge
from agentv_py.evaluators.object_match import ObjectMatch

__all__ = [
    "AnyEvaluator", "CodeJudge", "CoordinateDistance", "Detection", "FieldAccuracy", "IouScore", "JsonQuality",
    "LlmJudge", "ObjectMatch",
]  # fmt: skip

AnyEvaluator = Annotated[
    FieldAccuracy | ObjectMatch | JsonQuality | IouScore | CoordinateDistance | Detection | CodeJudge | LlmJudge,
    Field(discriminator="type"),
]
