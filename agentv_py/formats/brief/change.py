"""A diff or a trend → the lines of a brief report."""

from collections.abc import Iterator

from agentv_py.formats.brief.lines import quote
from agentv_py.formats.diff_sentence import list_uncompared, write_target_sentences
from agentv_py.formats.text import describe_trend, format_count, format_figure, format_slope_interval
from agentv_py.report.diff.changes import list_distinct_changes
from agentv_py.report.diff.model import CaseChange, Diff
from agentv_py.report.trend import Slope, Trend

_MOST_CASES = 8
_MOST_CHANGES = 2
_MOST_ATTRIBUTES = 5


def write_diff(diff: Diff) -> tuple[list[str], str]:
    """Return the lines, and the command that tells more about the case that lost most."""
    lines = [f"{diff.verdict.upper()} {', '.join(diff.suites)}"]
    lines += [part for _, sentence in write_target_sentences(diff) for part in sentence.split("; ")]
    lines += list_uncompared(diff)
    broken = sorted(diff.broken, key=lambda case: case.delta)
    for case in broken[:_MOST_CASES]:
        lines += _write_case(diff, case)
    if len(broken) > _MOST_CASES:
        lines.append(f"({format_count(len(broken) - _MOST_CASES, 'more broken case')})")
    lines += [f"errs now, passed before: {case.key.name}" for case in diff.newly_errored[:_MOST_CASES]]
    lines += [f"fixed {case.key.name}: {case.baseline:.3f} → {case.candidate:.3f}" for case in diff.fixed[:_MOST_CASES]]
    if len(diff.fixed) > _MOST_CASES:
        lines.append(f"({format_count(len(diff.fixed) - _MOST_CASES, 'more fixed case')})")
    for attribute in sorted(diff.changed_attributes, key=lambda each: each.delta or 0.0)[:_MOST_ATTRIBUTES]:
        before, after = map(format_figure, attribute.f1)
        lines.append(f"attribute {attribute.name} ({diff.name_evaluator(attribute.key)}): F1 {before} → {after}")
    return lines, _suggest_command(diff, broken)


def write_trend(trend: Trend) -> tuple[list[str], str]:
    """Return the lines, and the command that compares the first run with the last."""
    lines = [describe_trend(trend).upper()]
    for series in sorted(trend.series, key=lambda each: not each.is_degrading):
        first, last = series.runs[0].summary, series.runs[-1].summary
        lines.append(
            f"{series.suite}: {format_count(len(series.runs), 'run')}:"
            f" mean score {format_figure(first.mean_score.value)} → {format_figure(last.mean_score.value)}"
            f"{_write_slope(series.mean_score)},"
            f" pass rate {format_figure(first.pass_rate.value, '.1%')} → {format_figure(last.pass_rate.value, '.1%')}"
        )
    runs = trend.series[0].runs if trend.series else []
    return lines, quote("evalctl", "diff", runs[0].file, runs[-1].file) if len(runs) > 1 else ""


def _write_slope(slope: Slope | None) -> str:
    return "" if slope is None or slope.low is None else f" ({format_slope_interval(slope)} per run)"


def _write_case(diff: Diff, case: CaseChange) -> Iterator[str]:
    yield f"broken {case.key.name}: {case.baseline:.3f} → {case.candidate:.3f}"
    changes = list(list_distinct_changes(*diff.read_rows(case)))
    for change in changes[:_MOST_CHANGES]:
        values = ", ".join(f"{word} {value}" for word, value in change.texts() if value is not None)
        yield f"  {change.path}: {values}" + (f" ({change.remark})" if change.remark else "")
    if len(changes) > _MOST_CHANGES:
        yield f"  ({len(changes) - _MOST_CHANGES} more)"


def _suggest_command(diff: Diff, broken: list[CaseChange]) -> str:
    shown = diff.candidate.source.shown
    cases = [*(case.key for case in broken), *(case.key for case in diff.newly_errored)]
    return quote("evalctl", "explain", shown, cases[0].case_id) if cases else quote("evalctl", "report", shown)
