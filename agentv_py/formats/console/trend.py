"""A trend → what a terminal shows of it: the runs, and a line that rises and falls for each evaluator."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from agentv_py.errors import printable
from agentv_py.formats.console.layout import file, signed, table
from agentv_py.report.diff.sentence import counted
from agentv_py.report.sparkline import sparkline
from agentv_py.report.trend import Series, Slope, Trend

_MOST_RUNS = 20


def parts(trend: Trend, width: int) -> Iterator[RenderableType]:
    for number, series in enumerate(trend.series):
        if number:
            yield Text()
        yield Text.assemble((printable(series.suite), "bold"), f" · {counted(len(series.runs), 'run')}")
        yield Text()
        yield _runs(series, width)
        if len(series.runs) > _MOST_RUNS:
            yield Text(f"and {len(series.runs) - _MOST_RUNS:,} before them", style="dim")
        yield Text()
        yield _slopes(series, width)
        if series.degrading:
            yield Text("degrading", style="red")
    if not trend.series:
        yield Text("no rows")


def _runs(series: Series, width: int) -> Table:
    rows = table("time", ">cases", ">mean score", ">pass rate", ">errors", "results")
    for run in series.runs[-_MOST_RUNS:]:
        figures = f"{run.summary.mean_score.value:.3f}", f"{run.summary.pass_rate.value:.1%}"
        errors = Text(str(run.summary.errors), style="magenta" if run.summary.errors else "dim")
        name = file(run.file, max(width - 62, 12))
        rows.add_row(printable(run.timestamp[:19]), f"{run.summary.cases:,}", *figures, errors, name)
    return rows


def _slopes(series: Series, width: int) -> Table:
    rows = table("", "", ">first", ">last", ">per run", ">95 % interval")
    room = max(width - 62, 8)
    means = [run.summary.mean_score.value for run in series.runs]
    rates = [run.summary.pass_rate.value for run in series.runs]
    _add(rows, "mean score", means, series.mean_score, room)
    _add(rows, "pass rate", rates, series.pass_rate, room)
    for name, scores, slope in series.evaluators():
        _add(rows, printable(name), scores, slope, room)
    return rows


def _add(rows: Table, name: str, scores: Sequence[float | None], slope: Slope | None, room: int) -> None:
    known = [score for score in scores if score is not None]
    interval = "–" if slope is None or slope.low is None else f"{slope.low:+.4f} to {slope.high:+.4f}"
    per_run = signed(None if slope is None else slope.slope, "+.4f")
    rows.add_row(name, sparkline(scores[-room:]), f"{known[0]:.3f}", f"{known[-1]:.3f}", per_run, interval)
