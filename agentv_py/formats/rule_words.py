"""The rules of a suite → the words of their reasons and settings, which several formats show."""

from collections.abc import Mapping
from typing import Any

from agentv_py import jsontext
from agentv_py.formats.text import format_count
from agentv_py.report.explanation.model import EvaluatorRules, PlacedRule, SuiteRules

_LONGEST_SETTING = 90


def describe_suite(suite: SuiteRules) -> str:
    pass_at, partial_at = suite.thresholds
    return f"{format_count(suite.cases, 'case')} · pass at {pass_at:.10g}, partial at {partial_at:.10g}"


def describe_reason(placed: PlacedRule) -> str:
    """Say who decided: the line of a user, or the rule of a schema or of the values."""
    rule = placed.rule
    if rule.origin == "suite":
        return f"{placed.where} {rule.reason}".strip()
    by = f"{rule.origin}, rule {rule.rule}" if rule.rule else rule.origin
    return f"{by}: {rule.reason}" if rule.reason else by


def describe_evaluator(evaluator: EvaluatorRules) -> str:
    words = [evaluator.type, f"weight {evaluator.weight:.10g}"]
    if evaluator.required:
        words.append("required")
    if evaluator.case_ids:
        first, more = evaluator.case_ids[0], len(evaluator.case_ids) - 1
        words.append(f"only case {first}" + (f" and {format_count(more, 'more case')}" if more else ""))
    return " · ".join(words)


def list_settings(settings: Mapping[str, Any]) -> list[str]:
    """Write each setting as its name and its value."""
    return [f"{name} {_cut(_write_setting(value))}" for name, value in settings.items()]


def _write_setting(value: Any) -> str:
    """Write a value much as a suite does."""
    if hasattr(value, "model_dump"):
        value = value.model_dump(exclude_none=True)
        value = value["type"] if value.keys() == {"type"} else value
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_write_setting(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return f"[{', '.join(map(_write_setting, value))}]"
    if isinstance(value, float):
        return f"{value:.10g}"
    return value if isinstance(value, str) else jsontext.dumps(value).decode()


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST_SETTING else f"{text[: _LONGEST_SETTING - 1]}…"
