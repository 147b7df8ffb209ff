"""Report → JSON with stable keys."""

from dataclasses import asdict
from typing import Any

from agentv_py import jsontext
from agentv_py.comparing.counts import Quality, macro, micro, quality
from agentv_py.report.spread import Line, Spread
from agentv_py.report.summary import EvaluatorSummary, Summary


def render(report: Summary) -> str:
    return jsontext.dumps(as_json(report)).decode() + "\n"


def as_json(report: Summary) -> dict[str, Any]:
    return {
        "kind": "summary",
        "suites": report.suites,
        "cases": report.cases,
        "passed": report.passed,
        "partial": report.partial,
        "failed": report.failed,
        "errors": report.errors,
        "pass_rate": asdict(report.pass_rate),
        "mean_score": asdict(report.mean_score),
        "evaluators": [_evaluator(one) for one in report.evaluators.values()],
        "metrics": {one.name: _metrics(one) for one in report.evaluators.values() if one.attributes},
        **({"repeats": _repeats(report.repeats)} if report.repeats.cases else {}),
        **({"usage": report.usage.as_row()} if report.usage else {}),
    }


def _repeats(repeats: Spread) -> dict[str, Any]:
    return {
        "cases": repeats.cases,
        **_line(repeats.whole()),
        "ranking": [
            {"repeat": number, "cases": cases, "mean_score": mean} for number, cases, mean in repeats.ranking()
        ],
        "weakest": [{"case_id": line.name, **_line(line), "ranking": line.ranking} for line in repeats.weakest],
        "left_out": list(repeats.left_out),
    }


def _line(line: Line) -> dict[str, Any]:
    return {
        "best": line.best,
        "mean": line.mean,
        "variance": line.variance,
        "standard_deviation": line.standard_deviation,
        "consistency": line.consistency,
    }


def _evaluator(one: EvaluatorSummary) -> dict[str, Any]:
    return {
        "name": one.name,
        "type": one.type,
        "cases": one.cases,
        "mean_score": one.mean_score,
        "pass_rate": one.pass_rate,
        "errors": one.errors,
        **({"usage": one.usage.as_row()} if one.usage else {}),
    }


def _metrics(one: EvaluatorSummary) -> dict[str, Any]:
    counts = list(one.attributes.values())
    total = micro(counts)
    return {
        "attributes": {attribute: _row(found, quality(found)) for attribute, found in one.attributes.items()},
        "micro": _row(total, quality(total)),
        "macro": asdict(macro(counts)),
    }


def _row(counts: dict[str, int], derived: Quality) -> dict[str, Any]:
    return counts | asdict(derived) | {"support": counts["tp"] + counts["fn"]}
