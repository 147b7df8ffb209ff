"""Report → JSON with stable keys."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from agentv_py import jsontext
from agentv_py.case import ABSENT
from agentv_py.comparison.counts import Quality, macro_average, quality, sum_counts
from agentv_py.errors import IN_JSON, escape_commands
from agentv_py.formats.diff_sentence import write_sentence
from agentv_py.report.detection import Figures, compute_detection_figures
from agentv_py.report.diff.changes import FieldChange, list_changes
from agentv_py.report.diff.columns import CaseKey
from agentv_py.report.diff.model import AttributeShift, CaseChange, Diff, EvaluatorShift
from agentv_py.report.repeats import RepeatFigures, RepeatSummary
from agentv_py.report.statistics import Estimate
from agentv_py.report.summary import EvaluatorSummary, Summary
from agentv_py.report.trend import Series, Slope, Trend

if TYPE_CHECKING:
    from agentv_py.report import Report


def render(report: "Report") -> Iterator[str]:
    if isinstance(report, Summary):
        yield from _write_object(_convert_summary(report))
    elif isinstance(report, Diff):
        yield from _write_object(_convert_diff(report))
    else:
        yield from _write_object(_convert_trend(report))
    yield "\n"


def _write_object(value: dict[str, Any]) -> Iterator[str]:
    """Write an object. A value that is an iterator is a list, and is written item by item."""
    yield "{"
    for number, (key, member) in enumerate(value.items()):
        yield f"{',' if number else ''}{_encode(key)}:"
        if isinstance(member, Iterator):
            yield from _write_list(member)
        else:
            yield _encode(member)
    yield "}"


def _write_list(members: Iterable[Any]) -> Iterator[str]:
    yield "["
    for number, member in enumerate(members):
        yield f"{',' if number else ''}{_encode(member)}"
    yield "]"


def _encode(value: Any) -> str:
    return escape_commands(jsontext.dumps(value).decode(), IN_JSON)


def _convert_summary(report: Summary) -> dict[str, Any]:
    return {
        "kind": "summary",
        "suites": report.suites,
        "cases": report.cases,
        "passed": report.passed,
        "partial": report.partial,
        "failed": report.failed,
        "errors": report.errors,
        "pass_rate": report.pass_rate._asdict(),
        "mean_score": report.mean_score._asdict(),
        "evaluators": [_convert_evaluator(evaluator) for evaluator in report.evaluators.values()],
        "metrics": {
            evaluator.name: _convert_metrics(evaluator)
            for evaluator in report.evaluators.values()
            if evaluator.attributes
        },
        **({"repeats": _convert_repeats(report.repeats)} if report.repeats.cases else {}),
        **({"parsed": report.parsed} if report.parsed else {}),
        **({"usage": report.usage.to_row()} if report.usage else {}),
        **({"detection": _convert_detection(figures)} if (figures := compute_detection_figures(report)) else {}),
    }


def _convert_detection(figures: dict[str, Figures]) -> dict[str, Any]:
    """Convert the figures by evaluator; those of a single evaluator are at the top as well."""
    alone = next(iter(figures.values())) if len(figures) == 1 else {}
    return {**alone, "evaluators": figures}


def _convert_repeats(repeats: RepeatSummary) -> dict[str, Any]:
    return {
        "cases": repeats.cases,
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


def _convert_metrics(evaluator: EvaluatorSummary) -> dict[str, Any]:
    attributes = evaluator.attributes
    total = sum_counts(attributes.values())
    return {
        "attributes": {name: _convert_counts(counts, quality(counts)) for name, counts in attributes.items()},
        "micro": _convert_counts(total, quality(total)),
        "macro": macro_average(attributes.values())._asdict(),
    }


def _convert_counts(counts: dict[str, int], derived: Quality) -> dict[str, Any]:
    return counts | derived._asdict() | {"support": counts["tp"] + counts["fn"]}


def _convert_diff(diff: Diff) -> dict[str, Any]:
    return {
        "kind": "diff",
        "baseline": diff.baseline.source.shown,
        "candidate": diff.candidate.source.shown,
        "suites": diff.suites,
        "matched": len(diff.matched),
        "compared": diff.cases,
        "clusters": diff.clusters,
        "only_baseline": [key.case_id for key in diff.only_baseline],
        "only_candidate": [key.case_id for key in diff.only_candidate],
        "duplicates": _name_sides(*diff.duplicates),
        "errors": _name_sides(*diff.errors),
        "errored": [_convert_key(case.key) | _name_sides(case.baseline, case.candidate) for case in diff.errored],
        "broken": (_convert_case(diff, case) for case in diff.broken),
        "fixed": (_convert_case(diff, case) for case in diff.fixed),
        "higher": diff.higher,
        "lower": diff.lower,
        "mean_score": _name_sides(diff.mean_score.baseline, diff.mean_score.candidate) | asdict(diff.mean_score.shift),
        "pass_rate": _convert_rates(diff),
        "evaluators": [_convert_evaluator_shift(evaluator) for evaluator in diff.evaluators],
        "attributes": [_convert_attribute_shift(attribute) for attribute in diff.attributes],
        "verdict": diff.verdict,
        "sentence": write_sentence(diff),
    }


def _name_sides(baseline: Any, candidate: Any) -> dict[str, Any]:
    return {"baseline": baseline, "candidate": candidate}


def _convert_key(key: CaseKey) -> dict[str, Any]:
    return {"suite": key.suite, "case_id": key.case_id}


def _convert_case(diff: Diff, case: CaseChange) -> dict[str, Any]:
    changed = [_convert_change(change) for change in list_changes(*diff.read_rows(case))]
    scores = _name_sides(case.baseline, case.candidate)
    return _convert_key(case.key) | scores | {"delta": case.delta, "changed": changed}


def _convert_change(change: FieldChange) -> dict[str, Any]:
    """Convert a change; a side without a value is left out."""
    values = {"expected": change.expected, "baseline": change.baseline, "candidate": change.candidate}
    value: dict[str, Any] = {"evaluator": change.evaluator, "path": change.path}
    value |= {side: answer for side, answer in values.items() if answer is not ABSENT}
    return value | ({"note": change.note} if change.note else {})


def _convert_rates(diff: Diff) -> dict[str, Any]:
    rates = diff.pass_rate
    return _name_sides(rates.baseline.value, rates.candidate.value) | asdict(rates.shift) | {
        "baseline_interval": _convert_interval(rates.baseline),
        "candidate_interval": _convert_interval(rates.candidate),
    }  # fmt: skip


def _convert_interval(estimate: Estimate) -> dict[str, float]:
    return {"low": estimate.low, "high": estimate.high}


def _convert_evaluator_shift(evaluator: EvaluatorShift) -> dict[str, Any]:
    mean = evaluator.mean_score
    value = {"name": evaluator.name, "type": evaluator.type, "cases": evaluator.cases}
    return value | _name_sides(mean.baseline, mean.candidate) | asdict(mean.shift) | {
        "p_adjusted": evaluator.p_adjusted
    }  # fmt: skip


def _convert_attribute_shift(attribute: AttributeShift) -> dict[str, Any]:
    value = {"evaluator": attribute.evaluator, "attribute": attribute.name}
    counts = {"baseline_counts": attribute.baseline, "candidate_counts": attribute.candidate}
    return value | _name_sides(*attribute.f1) | {"delta": attribute.delta} | counts


def _convert_trend(trend: Trend) -> dict[str, Any]:
    series = [_convert_series(series) for series in trend.series]
    return {"kind": "trend", "series": series, "degrading": trend.is_degrading}


def _convert_series(series: Series) -> dict[str, Any]:
    return {
        "suite": series.suite,
        "runs": [
            {
                "file": run.file,
                "timestamp": run.timestamp,
                "cases": run.summary.cases,
                "errors": run.summary.errors,
                "mean_score": run.summary.mean_score._asdict(),
                "pass_rate": run.summary.pass_rate._asdict(),
            }
            for run in series.runs
        ],
        "mean_score": _convert_slope(series.mean_score),
        "pass_rate": _convert_slope(series.pass_rate),
        "evaluators": [
            {"name": name, "mean_scores": scores} | _convert_slope(slope) for name, scores, slope in series.evaluators()
        ],
        "degrading": series.is_degrading,
    }


def _convert_slope(slope: Slope | None) -> dict[str, Any]:
    return {"slope": None, "low": None, "high": None} if slope is None else asdict(slope)
