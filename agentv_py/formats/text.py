"""Numbers → the words and marks that several formats share."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentv_py.report.diff.significance import Shift
    from agentv_py.report.gate_result import GateResult
    from agentv_py.report.repeats import RepeatSummary
    from agentv_py.report.statistics import Estimate
    from agentv_py.report.summary import Summary
    from agentv_py.report.tally import Tally
    from agentv_py.report.trend import Slope, Trend

DASH = "–"
NO_TREND = "no trend yet: it takes 3 runs"

_BARS = "▁▂▃▄▅▆▇█"
_LEAST_SPREAD = 0.2


def format_figure(value: float | None, form: str = ".3f", unit: str = "") -> str:
    """Write a number, or a dash where it is undefined."""
    return DASH if value is None else format(value, form) + unit


def format_interval(low: float | None, high: float | None, form: str = "+.3f", unit: str = "") -> str:
    return DASH if low is None or high is None else f"{format(low, form)} to {format(high, form)}{unit}"


def format_estimate(value: float | None, estimate: "Estimate | None", form: str = ".3f") -> str:
    """Write a figure, then its interval in parentheses if it has one."""
    figure = format_figure(value, form)
    return figure if estimate is None else f"{figure} ({estimate.low:{form}} to {estimate.high:{form}})"


def format_shift(shift: "Shift | None") -> str:
    """Write the interval of a change of F1."""
    return DASH if shift is None else format_interval(shift.low, shift.high)


def format_slope_interval(slope: "Slope | None") -> str:
    return DASH if slope is None else format_interval(slope.low, slope.high, "+.4f")


def format_p_value(p_value: float) -> str:
    """Write a p-value, which is never 0."""
    return "<0.001" if p_value < 0.001 else f"{p_value:.3f}"


def format_gate(gate: "GateResult") -> str:
    """Write a gate after the figure that the suite reached: met or missed."""
    note = f" ({gate.note})" if gate.note else ""
    return f"{gate.label} {gate.figure} {gate.sign} {gate.limit:.15g}, {gate.word}{note}"


def format_count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def describe_size(report: "Summary") -> str:
    """Say how many cases there are, and how many targets answered them if there are several."""
    targets = f"{len(report.targets):,} targets"
    if not report.has_several_targets:
        return format_count(report.cases, "case")
    if report.cases_per_target is None:
        return f"{format_count(report.cases, 'answer')} of {targets}"
    return f"{format_count(report.cases_per_target, 'case')} × {targets}"


def describe_selections(report: "Summary") -> Iterator[str]:
    """Say which cases of each suite ran, where not all of them did."""
    for suite in report.by_suite.values():
        name = f"{suite.name}: " if len(report.suites) > 1 else ""
        yield from (f"{name}{selection}" for selection in suite.narrow_selections)


def describe_errors_in_mean(tally: "Tally") -> str:
    """Say that errors count as 0 in the mean score, and what it is without them; empty if there are none."""
    if not tally.errors:
        return ""
    others = tally.cases - tally.errors
    without = f"; {tally.total / others:.3f} over the {format_count(others, 'other')}" if others else ""
    return f"errors count as 0{without}"


def describe_passes_with_misses(tally: "Tally") -> str:
    """Say how many of the cases that pass have misses, right behind the word `passed`; empty if none has."""
    return f" ({tally.passed_with_misses:,} with misses)" if tally.passed_with_misses else ""


def describe_lowest_pass(tally: "Tally") -> str:
    """Say which score the worst case has that passes; empty if every case that passes has 1."""
    return f"lowest pass {tally.lowest_pass:.3f}" if tally.lowest_pass < 1 else ""


def describe_skipped(report: "Summary") -> Iterator[str]:
    """Say in how many cases of each suite an evaluator was skipped."""
    for suite in report.by_suite.values():
        before = f"{suite.name} · " if len(report.by_suite) > 1 else ""
        for name, number in suite.skipped.items():
            yield f"{before}{name}: skipped in {format_count(number, 'case')}"


def describe_trend(trend: "Trend") -> str:
    """Say whether any suite degrades; fewer than three runs have no interval, and so no trend."""
    if trend.is_degrading:
        return "degrading"
    return "not degrading" if any(series.has_trend for series in trend.series) else NO_TREND


def describe_same_errors(count: int) -> str:
    """Say how many further cases have the same error; empty if there are none."""
    return f"the same error in {format_count(count, 'more case')}" if count else ""


def describe_flaky(repeats: "RepeatSummary") -> str:
    """Say how many cases are flaky."""
    verb = "is" if repeats.flaky == 1 else "are"
    count = f"{repeats.flaky:,} of {format_count(repeats.cases, 'case')} with several answers {verb} flaky"
    return f"{count}: some answers pass, others do not" if repeats.flaky else count


def describe_parsed(parsed: Mapping[str, int]) -> str:
    """Say how many answers hold more than JSON; empty if every answer is JSON alone."""
    places = (("fenced", "fenced"), ("found", "between other words"))
    parts = [f"{parsed[key]:,} {words}" for key, words in places if key in parsed]
    if not parts:
        return ""
    return f"The JSON of {format_count(sum(parsed.values()), 'answer')} is a part of the text: {', '.join(parts)}."


def draw_sparkline(scores: Sequence[float | None]) -> str:
    """Draw a bar per run. The axis is at least a fifth of the scale high, so that noise looks like noise.

    A run without a score is a gap; equal scores are a line in the middle.
    """
    known = [score for score in scores if score is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    spread = max(high - low, _LEAST_SPREAD)
    bottom = (low + high - spread) / 2
    step = (len(_BARS) - 1) / spread
    return "".join(" " if score is None else _BARS[int((score - bottom) * step + 1e-9)] for score in scores)
