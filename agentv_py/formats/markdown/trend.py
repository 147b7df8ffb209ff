"""A trend → the blocks of a comment."""

from collections.abc import Iterator, Sequence

from agentv_py.formats.markdown.blocks import Folded, plain, table
from agentv_py.report.sparkline import sparkline
from agentv_py.report.trend import Series, Slope, Trend


def blocks(trend: Trend) -> Iterator[str | Folded]:
    yield f"### Trend: {'degrading' if trend.degrading else 'not degrading'}"
    for series in trend.series:
        yield f"#### {plain(series.suite)}: {len(series.runs)} runs{', degrading' if series.degrading else ''}"
        yield table("Figures", ("figure", "runs", "first", "last", "per run", "95 % interval"), list(_figures(series)))
        yield table(
            f"Runs ({len(series.runs)})",
            ("time", "cases", "mean score", "pass rate", "errors", "results"),
            [(plain(run.timestamp[:19]), run.summary.cases, f"{run.summary.mean_score.value:.3f}",
              f"{run.summary.pass_rate.value:.1%}", run.summary.errors, plain(run.file)) for run in series.runs],
        )  # fmt: skip


def _figures(series: Series) -> Iterator[Sequence[str]]:
    means = [run.summary.mean_score.value for run in series.runs]
    rates = [run.summary.pass_rate.value for run in series.runs]
    yield _figure("mean score", means, series.mean_score)
    yield _figure("pass rate", rates, series.pass_rate)
    for name, scores, slope in series.evaluators():
        yield _figure(plain(name), scores, slope)


def _figure(name: str, scores: Sequence[float | None], slope: Slope | None) -> Sequence[str]:
    known = [score for score in scores if score is not None]
    interval = "–" if slope is None or slope.low is None else f"{slope.low:+.4f} to {slope.high:+.4f}"
    per_run = "–" if slope is None else f"{slope.slope:+.4f}"
    return name, sparkline(scores[-60:]), f"{known[0]:.3f}", f"{known[-1]:.3f}", per_run, interval
