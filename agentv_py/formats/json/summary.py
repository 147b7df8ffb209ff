"""A summary → an object with stable keys."""

from collections.abc import Mapping
from typing import Any

from agentv_py.comparison.counts import Quality, macro_average, quality, sum_counts
from agentv_py.formats.json.slices import convert_slices
from agentv_py.formats.text import format_gate
from agentv_py.report.attribute_counts import AttributeCounts
from agentv_py.report.best_group import find_best
from agentv_py.report.detection import Figures, compute_detection_figures
from agentv_py.report.evaluator_summary import EvaluatorSummary
from agentv_py.report.gate_result import GateResult
from agentv_py.report.groups import Groups
from agentv_py.report.repeats import RepeatFigures, RepeatSummary
from agentv_py.report.slice_confidence import list_slice_confidences
from agentv_py.report.suite_summary import SuiteSummary
from agentv_py.report.summary import Summary
from agentv_py.report.tally import Tally


def convert_summary(report: Summary) -> dict[str, Any]:
    """Convert a summary. Where there are several suites, each has its own figures under `by_suite` as well."""
    has_several = len(report.suites) > 1
    return {
        "kind": "summary",
        "suites": report.suites,
        **_convert_tally(report.totals, has_figures=not report.has_several_targets),
        **({"labels": [label._asdict() for label in report.labels]} if report.labels else {}),
        **({"lowest_pass": report.totals.lowest_pass} if report.totals.lowest_pass < 1 else {}),
        **_convert_selections(report),
        **_convert_skipped(report),
        **({"gates": [{"suite": suite} | _convert_gate(gate) for suite, gate in report.gates]} if report.gates else {}),
        **({"by_suite": [_convert_suite(suite) for suite in report.by_suite.values()]} if has_several else {}),
        **({"groups": _convert_groups(report.groups)} if report.groups.members else {}),
        "evaluators": [
            ({"suite": evaluator.suite} if has_several else {})
            | ({"target": evaluator.target} if report.has_several_targets else {})
            | _convert_evaluator(evaluator)
            for evaluator in report.evaluators
        ],
        "metrics": {
            report.name_evaluator(evaluator): convert_metrics(evaluator.counts)
            for evaluator in report.evaluators
            if evaluator.counts
        },
        **({"slices": convert_slices(report)} if report.slices.tables else {}),
        **_convert_errors(report),
        **_convert_confidences(report),
        **_convert_agreements(report),
        **({"repeats": _convert_repeats(report.repeats)} if report.repeats.cases else {}),
        **({"parsed": parsed} if (parsed := report.parsed_answers) else {}),
        **({"usage": report.usage.to_row()} if report.usage else {}),
        **({"detection": _convert_detection(figures)} if (figures := compute_detection_figures(report)) else {}),
    }


def _convert_errors(report: Summary) -> dict[str, Any]:
    known = {report.name_evaluator(e): e for e in report.evaluators if e.kinds is not None}
    if not known:
        return {}
    from agentv_py.formats.json.errors import convert_errors  # many runs have no error

    return {"error_kinds": {name: convert_errors(evaluator) for name, evaluator in known.items()}}


def _convert_agreements(report: Summary) -> dict[str, Any]:
    known = {report.name_evaluator(e): e.agreement for e in report.evaluators if e.agreement is not None}
    figures = ("cases", "agreement", "kappa", "base_rate", "true_pass_rate", "true_fail_rate")
    judges = {name: {figure: getattr(own, figure) for figure in figures} for name, own in known.items()}
    return {"judges": judges} if judges else {}


def _convert_confidences(report: Summary) -> dict[str, Any]:
    known = {report.name_evaluator(e): e.confidence for e in report.evaluators if e.confidence is not None}
    if not known:
        return {}
    from agentv_py.formats.json.confidence import convert_confidence  # it needs numpy

    broken = {"confidence_without_value": report.broken_wrappers} if report.broken_wrappers else {}
    figures = {name: convert_confidence(confidence) for name, confidence in known.items()}
    for name, slices in _convert_slice_confidences(report).items():
        figures[name]["slices"] = slices
    return {"confidence": figures} | broken


def _convert_slice_confidences(report: Summary) -> dict[str, list[dict[str, Any]]]:
    from agentv_py.formats.json.confidence import convert_tally
    from agentv_py.formats.sections.confidence import name_unit

    return {
        name: [
            {"by": line.by, "value": line.value, **convert_tally(line.confidence.whole, name_unit(line.confidence))}
            for line in lines
        ]
        for name, lines in list_slice_confidences(report).items()
    }


def _convert_tally(tally: Tally, *, has_figures: bool = True) -> dict[str, Any]:
    """Convert counts, and their pass rate and mean score, which are null where they would average several targets."""
    counts = ("cases", "passed", "partial", "failed", "errors")
    estimates = {"pass_rate": tally.pass_rate, "mean_score": tally.mean_score}
    figures = {name: estimate._asdict() if has_figures else None for name, estimate in estimates.items()}
    misses = {"passed_with_misses": tally.passed_with_misses} if tally.passed_with_misses else {}
    return {name: getattr(tally, name) for name in counts} | figures | misses


def _convert_selections(report: Summary) -> dict[str, Any]:
    """Convert which cases of each suite ran, where not all of them did."""
    suites = report.by_suite.values()
    selections = [{"suite": suite.name, **chosen._asdict()} for suite in suites for chosen in suite.narrow_selections]
    return {"selections": selections} if selections else {}


def _convert_skipped(report: Summary) -> dict[str, Any]:
    """Convert in how many cases of each suite an evaluator was skipped."""
    skipped = [
        {"suite": suite.name, "evaluator": name, "cases": cases}
        for suite in report.by_suite.values()
        for name, cases in suite.skipped.items()
    ]
    return {"skipped": skipped} if skipped else {}


def _convert_suite(suite: SuiteSummary) -> dict[str, Any]:
    evaluators = [_convert_evaluator(evaluator) for evaluator in suite.evaluators.values()]
    gates = [_convert_gate(gate) for gate in suite.gates]
    tally = _convert_tally(suite, has_figures=not suite.has_several_targets)
    return {"suite": suite.name, **tally, "gates": gates, "evaluators": evaluators}


def _convert_groups(groups: Groups) -> dict[str, Any]:
    best = find_best(groups)
    members = [
        {"name": groups.name(group), "suite": group.suite, groups.by: group.value, **_convert_tally(group)}
        | {"cost": group.cost if group.priced else None}
        | {"latency_ms": {"p50": group.find_latency(0.5), "p95": group.find_latency(0.95)}}
        | {"best": best.get((group.suite, group.value), [])}
        for group in groups.members.values()
    ]
    return {"by": groups.by, "groups": members}


def _convert_gate(gate: GateResult) -> dict[str, Any]:
    target = {"target": gate.target} if gate.target else {}
    return {
        "gate": gate.name,
        **target,
        "value": gate.value,
        "most" if gate.is_ceiling else "least": gate.limit,
        "met": gate.is_met,
        **({"note": gate.note} if gate.note else {}),
        "text": format_gate(gate),
    }


def _convert_detection(figures: dict[str, Figures]) -> dict[str, Any]:
    """Convert the figures by evaluator; those of a single evaluator are at the top as well."""
    alone = next(iter(figures.values())) if len(figures) == 1 else {}
    return {**alone, "evaluators": figures}


def _convert_repeats(repeats: RepeatSummary) -> dict[str, Any]:
    return {
        "cases": repeats.cases,
        "flaky": repeats.flaky,
        **_convert_figures(repeats.overall()),
        "ranking": [
            {"repeat": number, "cases": cases, "mean_score": mean} for number, cases, mean in repeats.ranking()
        ],
        "weakest": [
            {"case_id": case.name, **_convert_figures(case), "ranking": case.ranking} for case in repeats.weakest
        ],
        "left_out": list(repeats.left_out),
    }


def _convert_figures(figures: RepeatFigures) -> dict[str, Any]:
    return {
        "best": figures.best,
        "mean": figures.mean,
        "variance": figures.variance,
        "standard_deviation": figures.standard_deviation,
        "consistency": figures.consistency,
    }


def _convert_evaluator(evaluator: EvaluatorSummary) -> dict[str, Any]:
    return {
        "name": evaluator.name,
        "type": evaluator.type,
        "cases": evaluator.cases,
        "mean_score": evaluator.mean_score,
        "pass_rate": evaluator.pass_rate,
        "errors": evaluator.errors,
        **({"usage": evaluator.usage.to_row()} if evaluator.usage else {}),
    }


def convert_metrics(counts: Mapping[str, AttributeCounts]) -> dict[str, Any]:
    """Convert the counts of attributes, and add precision, recall, F1, their intervals and their means."""
    attributes = {name: own.sum_up() for name, own in counts.items()}
    total = sum_counts(attributes.values())
    return {
        "attributes": {
            name: _convert_counts(own, quality(own)) | {"intervals": _convert_intervals(counts[name])}
            for name, own in attributes.items()
        },
        "micro": _convert_counts(total, quality(total)),
        "macro": macro_average(attributes.values())._asdict(),
    }


def _convert_intervals(counts: AttributeCounts) -> dict[str, Any]:
    from agentv_py.report.quality_intervals import estimate_quality

    estimates = estimate_quality(counts)._asdict()
    return {name: each and {"low": each.low, "high": each.high} for name, each in estimates.items()}


def _convert_counts(counts: dict[str, int], derived: Quality) -> dict[str, Any]:
    return counts | derived._asdict() | {"support": counts["tp"] + counts["fn"]}
