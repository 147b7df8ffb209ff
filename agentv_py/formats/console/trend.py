"""A trend → the parts of a terminal report: the runs, and a sparkline for each evaluator."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from agentv_py.errors import make_printable
from agentv_py.formats.console.layout import build_table, cut_start, draw_change
from agentv_py.formats.text import NO_TREND, draw_sparkline, format_count, format_slope_interval
from agentv_py.report.trend import Series, Slope, Trend

_MOST_RUNS = 20
_MOST_SLICES = 10


def draw_trend(trend: Trend, width: int) -> Iterator[RenderableType]:
    for number, series in enumerate(trend.series):
        if number:
            yield Text()
        yield Text.assemble((make_printable(series.suite), "bold"), f" · {format_count(len(series.runs), 'run')}")
        yield Text()
        yield _draw_runs(series)
        if len(series.runs) > _MOST_RUNS:
            yield Text(f"and {len(series.runs) - _MOST_RUNS:,} before them", style="dim")
        yield Text()
        yield _draw_slopes(series, width)
        yield from _draw_slices(series, width)
        if series.is_degrading:
            yield Text("degrading", style="red")
        elif not series.has_trend:
            yield Text(NO_TREND, style="dim")
    if not trend.series:
        yield Text("no rows")


def _draw_runs(series: Series) -> Table:
    table = build_table("time", ">cases", ">mean score", ">pass rate", ">errors", "run")
    for run in series.runs[-_MOST_RUNS:]:
        figures = f"{run.summary.mean_score.value:.3f}", f"{run.summary.pass_rate.value:.1%}"
        errors = Text(str(run.summary.errors), style="magenta" if run.summary.errors else "dim")
        name = Text(make_printable(run.name))
        table.add_row(make_printable(run.timestamp[:19]), f"{run.summary.cases:,}", *figures, errors, name)
    return table


def _draw_slopes(series: Series, width: int) -> Table:
    table = build_table("", "", ">first", ">last", ">per run", ">95 % interval")
    room = max(width - 62, 8)
    means = [run.summary.mean_score.value for run in series.runs]
    rates = [run.summary.pass_rate.value for run in series.runs]
    _add_slope(table, "mean score", means, series.mean_score, room)
    _add_slope(table, "pass rate", rates, series.pass_rate, room)
    for name, scores, slope in series.evaluators():
        _add_slope(table, make_printable(name), scores, slope, room)
    return table


def _draw_slices(series: Series, width: int) -> Iterator[RenderableType]:
    slices = list(series.slices())
    if not slices:
        return
    yield Text()
    table = build_table("mean score of slices", "", ">first", ">last", ">per run", ">95 % interval")
    room = max(width // 4, 12)
    for each in slices[:_MOST_SLICES]:
        name = cut_start(make_printable(f"{each.by} = {each.value}"), room)
        _add_slope(table, name, each.mean_scores, each.slope, max(width - room - 50, 8))
    yield table
    if len(slices) > _MOST_SLICES:
        yield Text(f"and {format_count(len(slices) - _MOST_SLICES, 'more slice')}", style="dim")


def _add_slope(table: Table, name: str, scores: Sequence[float | None], slope: Slope | None, room: int) -> None:
    known = [score for score in scores if score is not None]
    per_run = draw_change(None if slope is None else slope.slope, "+.4f")
    ends = f"{known[0]:.3f}", f"{known[-1]:.3f}"
    table.add_row(name, draw_sparkline(scores[-room:]), *ends, per_run, format_slope_interval(slope))
