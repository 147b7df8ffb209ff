"""Case → score. The union of evaluators is the registry."""

from agentv_py.evaluators.field_accuracy import FieldAccuracy

AnyEvaluator = FieldAccuracy
