"""Report → JSON with stable keys."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from agentv_py import jsontext
from agentv_py.case import ABSENT
from agentv_py.comparison.counts import Quality, macro, micro, quality
from agentv_py.errors import IN_JSON, without_commands
from agentv_py.report.detection import Figures, detection
from agentv_py.report.diff.changes import Change, changes
from agentv_py.report.diff.columns import Key
from agentv_py.report.diff.model import AttributeShift, Diff, EvaluatorShift, Move
from agentv_py.report.diff.sentence import sentence
from agentv_py.report.diff.significance import Shift
from agentv_py.report.kinds import Report
from agentv_py.report.repeats import Line, Spread
from agentv_py.report.statistics import Estimate
from agentv_py.report.summary import EvaluatorSummary, Summary
from agentv_py.report.trend import Series, Slope, Trend


def render(report: Report) -> Iterator[str]:
    if isinstance(report, Summary):
        yield from _written(_summary(report))
    elif isinstance(report, Diff):
        yield from _written(_diff(report))
    else:
        yield from _written(_trend(report))
    yield "\n"


def _written(value: dict[str, Any]) -> Iterator[str]:
    """An object whose values may be iterators: lists that are written as they come."""
    yield "{"
    for number, (key, member) in enumerate(value.items()):
        yield f"{',' if number else ''}{_text(key)}:"
        if isinstance(member, Iterator):
            yield from _list(member)
        else:
            yield _text(member)
    yield "}"


def _list(members: Iterable[Any]) -> Iterator[str]:
    yield "["
    for number, member in enumerate(members):
        yield f"{',' if number else ''}{_text(member)}"
    yield "]"


def _text(value: Any) -> str:
    return without_commands(jsontext.dumps(value).decode(), IN_JSON)


def _summary(report: Summary) -> dict[str, Any]:
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
        "evaluators": [_evaluator(one) for one in report.evaluators.values()],
        "metrics": {one.name: _metrics(one) for one in report.evaluators.values() if one.attributes},
        **({"repeats": _repeats(report.repeats)} if report.repeats.cases else {}),
        **({"usage": report.usage.as_row()} if report.usage else {}),
        **({"detection": _detection(figures)} if (figures := detection(report)) else {}),
    }


def _detection(figures: dict[str, Figures]) -> dict[str, Any]:
    """By evaluator; and, where there is but one, its figures as such."""
    alone = next(iter(figures.values())) if len(figures) == 1 else {}
    return {**alone, "evaluators": figures}


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
        "macro": macro(counts)._asdict(),
    }


def _row(counts: dict[str, int], derived: Quality) -> dict[str, Any]:
    return counts | derived._asdict() | {"support": counts["tp"] + counts["fn"]}


def _diff(diff: Diff) -> dict[str, Any]:
    return {
        "kind": "diff",
        "baseline": diff.baseline.source.shown,
        "candidate": diff.candidate.source.shown,
        "suites": diff.suites,
        "matched": diff.matched,
        "compared": diff.cases,
        "clusters": diff.clusters,
        "only_baseline": [key.case_id for key in diff.only_baseline],
        "only_candidate": [key.case_id for key in diff.only_candidate],
        "duplicates": _sides(*diff.duplicates),
        "errors": _sides(*diff.errors),
        "errored": [_case(one.key) | _sides(one.baseline, one.candidate) for one in diff.errored],
        "broken": (_move(diff, move) for move in diff.broken),
        "fixed": (_move(diff, move) for move in diff.fixed),
        "higher": diff.higher,
        "lower": diff.lower,
        "mean_score": _sides(diff.mean_score.baseline, diff.mean_score.candidate) | _shift(diff.mean_score.shift),
        "pass_rate": _rates(diff),
        "evaluators": [_evaluator_shift(one) for one in diff.evaluators],
        "attributes": [_attribute_shift(one) for one in diff.attributes],
        "verdict": diff.verdict,
        "sentence": sentence(diff),
    }


def _sides(baseline: Any, candidate: Any) -> dict[str, Any]:
    return {"baseline": baseline, "candidate": candidate}


def _case(key: Key) -> dict[str, Any]:
    return {"suite": key.suite, "case_id": key.case_id}


def _move(diff: Diff, move: Move) -> dict[str, Any]:
    found = [_change(one) for one in changes(*diff.rows_of(move))]
    return _case(move.key) | _sides(move.baseline, move.candidate) | {"delta": move.delta, "changed": found}


def _change(one: Change) -> dict[str, Any]:
    """Sides that have no value are left out."""
    values = {"expected": one.expected, "baseline": one.baseline, "candidate": one.candidate}
    shown: dict[str, Any] = {"evaluator": one.evaluator, "path": one.path}
    shown |= {side: value for side, value in values.items() if value is not ABSENT}
    return shown | ({"note": one.note} if one.note else {})


def _shift(shift: Shift) -> dict[str, Any]:
    return asdict(shift)


def _rates(diff: Diff) -> dict[str, Any]:
    rates = diff.pass_rate
    return _sides(rates.baseline.value, rates.candidate.value) | _shift(rates.shift) | {
        "baseline_interval": _interval(rates.baseline),
        "candidate_interval": _interval(rates.candidate),
    }  # fmt: skip


def _interval(estimate: Estimate) -> dict[str, float]:
    return {"low": estimate.low, "high": estimate.high}


def _evaluator_shift(one: EvaluatorShift) -> dict[str, Any]:
    sides = _sides(one.mean_score.baseline, one.mean_score.candidate)
    named = {"name": one.name, "type": one.type, "cases": one.cases}
    return named | sides | _shift(one.mean_score.shift) | {"p_adjusted": one.p_adjusted}


def _attribute_shift(one: AttributeShift) -> dict[str, Any]:
    named = {"evaluator": one.evaluator, "attribute": one.name}
    counts = {"baseline_counts": one.baseline, "candidate_counts": one.candidate}
    return named | _sides(*one.f1) | {"delta": one.delta} | counts


def _trend(trend: Trend) -> dict[str, Any]:
    return {"kind": "trend", "series": [_series(one) for one in trend.series], "degrading": trend.degrading}


def _series(series: Series) -> dict[str, Any]:
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
        "mean_score": _slope(series.mean_score),
        "pass_rate": _slope(series.pass_rate),
        "evaluators": [
            {"name": name, "mean_scores": scores} | _slope(slope) for name, scores, slope in series.evaluators()
        ],
        "degrading": series.degrading,
    }


def _slope(slope: Slope | None) -> dict[str, Any]:
    return {"slope": None, "low": None, "high": None} if slope is None else asdict(slope)
