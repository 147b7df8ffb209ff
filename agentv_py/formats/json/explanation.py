"""An explanation → an object with stable keys."""

from typing import Any

from agentv_py.options import Options
from agentv_py.report.explanation.model import EvaluatorRules, PlacedRule, SuiteExplanation


def convert_explanation(explanation: SuiteExplanation) -> dict[str, Any]:
    return {
        "kind": "suite_explanation",
        "suites": [
            {
                "suite": suite.suite,
                "file": suite.file,
                "cases": suite.cases,
                "verdicts": {"pass": suite.thresholds.pass_at, "partial": suite.thresholds.partial_at},
                "evaluators": [_convert_evaluator(evaluator) for evaluator in suite.evaluators],
                "omitted": suite.omitted,
            }
            for suite in explanation.suites
        ],
    }


def _convert_evaluator(evaluator: EvaluatorRules) -> dict[str, Any]:
    return {
        "name": evaluator.name,
        "type": evaluator.type,
        "weight": evaluator.weight,
        "required": evaluator.required,
        "where": evaluator.where,
        "case_ids": evaluator.case_ids,
        "settings": _convert_setting(evaluator.settings),
        "fields": [convert_rule(rule) for rule in evaluator.rules],
    }


def _convert_setting(value: Any) -> Any:
    if isinstance(value, Options):
        return value.model_dump(mode="json", exclude_none=True, by_alias=True)
    if isinstance(value, dict):
        return {key: _convert_setting(item) for key, item in value.items()}
    return [_convert_setting(item) for item in value] if isinstance(value, list) else value


def convert_rule(placed: PlacedRule) -> dict[str, Any]:
    rule = placed.rule
    return {
        "path": rule.path,
        "comparator": rule.comparator,
        "passes": rule.passes,
        "options": rule.options,
        "weight": rule.weight,
        "share": rule.share,
        "origin": rule.origin,
        "rule": rule.rule,
        "reason": rule.reason,
        "where": placed.where,
    }
