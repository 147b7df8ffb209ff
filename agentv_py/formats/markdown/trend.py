"""A trend → the blocks of a comment."""

from collections.abc import Iterator, Sequence
from itertools import islice

from agentv_py.formats.json.slices import MOST_SLICES
from agentv_py.formats.markdown.blocks import FoldedList, escape, write_table
from agentv_py.formats.text import (
    NO_TREND,
    describe_trend,
    draw_sparkline,
    format_count,
    format_figure,
    format_slope_interval,
)
from agentv_py.report.trend import Series, Slope, Trend

_LONGEST_NAME = 80


def write_trend(trend: Trend) -> Iterator[str | FoldedList]:
    yield f"### Trend: {describe_trend(trend)}"
    for series in trend.series:
        yield f"#### {escape(series.suite)}: {_describe_series(series)}"
        heads = ("figure", "runs", "first", "last", "per run", "95 % interval")
        yield write_table("Figures", heads, list(_list_figures(series)))
        yield write_table(
            f"Runs ({len(series.runs)})",
            ("time", "cases", "mean score", "pass rate", "errors", "run"),
            [(escape(run.timestamp[:19]), run.summary.cases, f"{run.summary.mean_score.value:.3f}",
              f"{run.summary.pass_rate.value:.1%}", run.summary.errors, escape(run.name)) for run in series.runs],
        )  # fmt: skip


def _describe_series(series: Series) -> str:
    verdict = ", degrading" if series.is_degrading else "" if series.has_trend else f", {NO_TREND}"
    return format_count(len(series.runs), "run") + verdict


def _list_figures(series: Series) -> Iterator[Sequence[str]]:
    means = [run.summary.mean_score.value for run in series.runs]
    rates = [run.summary.pass_rate.value for run in series.runs]
    yield _write_figure("mean score", means, series.mean_score)
    yield _write_figure("pass rate", rates, series.pass_rate)
    for name, scores, slope in series.evaluators():
        yield _write_figure(escape(name), scores, slope)
    for each in islice(series.slices(), MOST_SLICES):
        name = escape(f"{each.by} = {each.value}", _LONGEST_NAME)
        yield _write_figure(name, each.mean_scores, each.slope)


def _write_figure(name: str, scores: Sequence[float | None], slope: Slope | None) -> Sequence[str]:
    known = [score for score in scores if score is not None]
    per_run = format_figure(None if slope is None else slope.slope, "+.4f")
    interval = format_slope_interval(slope)
    return name, draw_sparkline(scores[-60:]), f"{known[0]:.3f}", f"{known[-1]:.3f}", per_run, interval
