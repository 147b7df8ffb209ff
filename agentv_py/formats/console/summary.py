"""A summary → what a terminal shows of it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from agentv_py.errors import printable
from agentv_py.formats.console.layout import SIGNS, STYLES, Side, cut, listed, table
from agentv_py.formats.markdown.blocks import dash
from agentv_py.report.attributes import Line, tables
from agentv_py.report.detection import PRECISIONS, RECALLS, Figures, detection
from agentv_py.report.diff.sentence import counted
from agentv_py.report.differences import MOST_DIFFERENCES, Difference, differences, weakest
from agentv_py.report.repeats import Spread
from agentv_py.report.statistics import Estimate
from agentv_py.report.summary import Summary

_MOST_RANKED = 5


def parts(report: Summary, width: int) -> Iterator[RenderableType]:
    yield Text.assemble((", ".join(map(printable, report.suites)), "bold"), f" · {counted(report.cases, 'case')}")
    yield _verdicts(report)
    yield Text()
    yield _figures(report)
    if report.usage:
        yield Text.assemble("models      ", (str(report.usage), "dim"))
    yield Text()
    yield _evaluators(report)
    if report.repeats.cases:
        yield Text()
        yield from _repeats(report.repeats)
    for evaluator, figures in detection(report).items():
        yield Text()
        yield _detection(evaluator, figures)
    if report.full:
        for evaluator, lines in tables(report):
            yield Text()
            yield _attributes(evaluator, lines)
    elif weak := _weakest(report):
        yield Text()
        yield weak
    if report.shown and not report.full:
        yield Text()
        yield Text("first cases that did not pass", style="dim")
        for row in report.shown:
            yield from _failing(row, width)
        hidden = report.cases - report.passed - len(report.shown)
        if hidden > 0:
            yield Text(f"and {hidden:,} more in the results", style="dim")


def _verdicts(report: Summary) -> Text:
    errors = "error" if report.errors == 1 else "errors"
    counts = (("passed", "pass", report.passed), ("partial", "partial", report.partial),
              ("failed", "fail", report.failed), (errors, "error", report.errors))  # fmt: skip
    line = Text()
    for word, verdict, number in counts:
        style = STYLES[verdict] if number else "dim"
        line.append(f"{SIGNS[verdict]} {number:,} {word}   ", style=style)
    return line


def _figures(report: Summary) -> Table:
    rows = Table.grid(padding=(0, 2))
    rows.add_row(
        "pass rate",
        Text(f"{report.pass_rate.value:.1%}", style="bold"),
        _interval(report.pass_rate, "{:.1%}"),
    )
    rows.add_row(
        "mean score",
        Text(f"{report.mean_score.value:.3f}", style="bold"),
        _interval(report.mean_score, "{:.3f}"),
    )
    return rows


def _interval(estimate: Estimate, form: str) -> Text:
    return Text(f"95 % interval {form.format(estimate.low)} to {form.format(estimate.high)}", style="dim")


def _evaluators(report: Summary) -> Table:
    rows = table("evaluator", "type", ">mean score", ">pass rate", ">errors")
    for one in report.evaluators.values():
        errors = Text(str(one.errors), style=STYLES["error"] if one.errors else "dim")
        rows.add_row(printable(one.name), one.type, f"{one.mean_score:.3f}", f"{one.pass_rate:.1%}", errors)
    return rows


def _detection(evaluator: str, figures: Figures) -> Table:
    rows = table(printable(evaluator), *(f">{name}" for name in PRECISIONS))
    rows.add_row("average precision", *(dash(figures[name]) for name in PRECISIONS))
    rows.add_row("", *(Text(name, style="dim") for name in RECALLS))
    rows.add_row("average recall", *(dash(figures[name]) for name in RECALLS))
    return rows


def _weakest(report: Summary) -> Table | None:
    wrong = weakest(report, 5)
    if not wrong:
        return None
    rows = table("weakest attributes", ">precision", ">recall", ">F1", ">TP", ">TN", ">FP", ">FN")
    several = len(report.evaluators) > 1
    for one in wrong:
        name = Text(printable(one.name))
        if several:
            name.append(f"  {printable(one.evaluator)}", style="dim")
        derived = (dash(one.quality.precision), dash(one.quality.recall), dash(one.quality.f1))
        rows.add_row(name, *derived, *map(str, one.counts.values()))
    return rows


def _repeats(repeats: Spread) -> Iterator[RenderableType]:
    rows = table("repeats", ">best", ">mean", ">variance", ">std dev", ">consistency", "ranking")
    for number, line in enumerate(repeats.lines()):
        figures = (line.best, line.mean, line.variance, line.standard_deviation, line.consistency)
        rows.add_row(printable(line.name), *map(dash, figures), _ranking(line.ranking), style="" if number else "bold")
    yield rows
    if len(repeats.weakest) < repeats.cases:
        yield Text(f"and {repeats.cases - len(repeats.weakest):,} more in the results", style="dim")
    if repeats.left_out:
        yield Text(f"not in the consistency: {', '.join(map(printable, repeats.left_out))}", style="dim")


def _ranking(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers[:_MOST_RANKED])) + (" …" if len(numbers) > _MOST_RANKED else "")


def _attributes(evaluator: str, lines: Sequence[Line]) -> Table:
    rows = table(printable(evaluator), ">TP", ">TN", ">FP", ">FN", ">precision", ">recall", ">F1", ">support")
    for line in lines:
        counts = ["" if value is None else str(value) for value in (*line.values()[:4], line.support)]
        derived = [dash(line.quality.precision), dash(line.quality.recall), dash(line.quality.f1)]
        style = "bold" if line is lines[-1] or line is lines[-2] else ""
        rows.add_row(printable(line.name), *counts[:4], *derived, counts[4], style=style)
    return rows


def _failing(row: Mapping[str, Any], width: int) -> Iterator[RenderableType]:
    word = "error" if row["status"] == "error" else row["verdict"]
    yield Text.assemble(
        (f"{SIGNS[word]} ", STYLES[word]),
        (cut(printable(row["case_id"]), width - 24), "bold"),
        (f"  {word} {row['score']:.3f}", STYLES[word]),
    )
    found = list(differences(row))
    shown = found[:MOST_DIFFERENCES]
    paired = [one for one in shown if one.expected or one.actual]
    for one in shown:
        if one not in paired:
            yield Padding(Text(cut(printable(one.where), 3 * width)), (0, 0, 0, 4))
    yield from listed([(one.where, _sides(one), one.note) for one in paired], len(found), width)


def _sides(one: Difference) -> list[Side]:
    both = (("expected", one.expected, "green"), ("got", one.actual, "red"))
    return [Side(word, value, style) for word, value, style in both if value is not None]
