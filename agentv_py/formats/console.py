"""Report → a terminal, 80 columns and up; and the progress bar."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from agentv_py.errors import printable
from agentv_py.formats.markdown import dash, usage_line
from agentv_py.report.attributes import Line, tables
from agentv_py.report.findings import MOST_DIFFERENCES, Difference, differences, weakest
from agentv_py.report.spread import Spread
from agentv_py.report.statistics import Estimate
from agentv_py.report.summary import Summary

_STYLES = {"pass": "green", "partial": "yellow", "fail": "red", "error": "magenta"}
_MOST_RANKED = 5
_SIGNS = {"pass": "✓", "partial": "◐", "fail": "✗", "error": "!"}


def render(report: Summary) -> str:
    console = Console(highlight=False, soft_wrap=False)
    with console.capture() as captured:
        console.print(Padding(Group(*_parts(report, console.width - 2)), (1, 1)))
    return "\n".join(line.rstrip(" ") for line in captured.get().split("\n"))


@contextmanager
def progress(total: int) -> Iterator[Callable[[int], None]]:
    """A bar on stderr. It is drawn by the caller's thread: a fork must not find another one at work."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("scoring"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True)
    with bar:
        task = bar.add_task("scoring", total=total)

        def advance(cases: int) -> None:
            bar.update(task, advance=cases, refresh=True)

        yield advance


def _parts(report: Summary, width: int) -> Iterator[RenderableType]:
    yield Text.assemble((", ".join(map(printable, report.suites)), "bold"), f" · {_count(report.cases, 'case')}")
    yield _verdicts(report)
    yield Text()
    yield _figures(report)
    if report.usage:
        yield _usage(report)
    yield Text()
    yield _evaluators(report)
    if report.repeats.cases:
        yield Text()
        yield from _repeats(report.repeats)
    if report.full:
        for evaluator, lines in tables(report):
            yield Text()
            yield _attributes(evaluator, lines)
    elif table := _weakest(report):
        yield Text()
        yield table
    if report.shown and not report.full:
        yield Text()
        yield Text("first cases that did not pass", style="dim")
        for row in report.shown:
            yield from _failing(row, width)
        hidden = report.cases - report.passed - len(report.shown)
        if hidden > 0:
            yield Text(f"and {hidden:,} more in the results", style="dim")


def _verdicts(report: Summary) -> Text:
    counts = (("passed", "pass", report.passed), ("partial", "partial", report.partial),
              ("failed", "fail", report.failed), ("errors", "error", report.errors))  # fmt: skip
    line = Text()
    for word, verdict, number in counts:
        style = _STYLES[verdict] if number else "dim"
        line.append(f"{_SIGNS[verdict]} {number:,} {word}   ", style=style)
    return line


def _figures(report: Summary) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_row(
        "pass rate",
        Text(f"{report.pass_rate.value:.1%}", style="bold"),
        _interval(report.pass_rate, "{:.1%}"),
    )
    table.add_row(
        "mean score",
        Text(f"{report.mean_score.value:.3f}", style="bold"),
        _interval(report.mean_score, "{:.3f}"),
    )
    return table


def _usage(report: Summary) -> Text:
    return Text.assemble("models      ", (usage_line(report.usage), "dim"))


def _interval(estimate: Estimate, form: str) -> Text:
    return Text(f"95 % interval {form.format(estimate.low)} to {form.format(estimate.high)}", style="dim")


def _evaluators(report: Summary) -> Table:
    table = _table("evaluator", "type", ">mean score", ">pass rate", ">errors")
    for one in report.evaluators.values():
        errors = Text(str(one.errors), style=_STYLES["error"] if one.errors else "dim")
        table.add_row(printable(one.name), one.type, f"{one.mean_score:.3f}", f"{one.pass_rate:.1%}", errors)
    return table


def _weakest(report: Summary) -> Table | None:
    wrong = weakest(report, 5)
    if not wrong:
        return None
    table = _table("weakest attributes", ">precision", ">recall", ">F1", ">TP", ">TN", ">FP", ">FN")
    several = len(report.evaluators) > 1
    for one in wrong:
        name = Text(printable(one.name))
        if several:
            name.append(f"  {printable(one.evaluator)}", style="dim")
        derived = (dash(one.quality.precision), dash(one.quality.recall), dash(one.quality.f1))
        table.add_row(name, *derived, *map(str, one.counts.values()))
    return table


def _repeats(repeats: Spread) -> Iterator[RenderableType]:
    table = _table("repeats", ">best", ">mean", ">variance", ">std dev", ">consistency", "ranking")
    for number, line in enumerate(repeats.lines()):
        figures = (line.best, line.mean, line.variance, line.standard_deviation, line.consistency)
        table.add_row(printable(line.name), *map(dash, figures), _ranking(line.ranking), style="" if number else "bold")
    yield table
    if len(repeats.weakest) < repeats.cases:
        yield Text(f"and {repeats.cases - len(repeats.weakest):,} more in the results", style="dim")
    if repeats.left_out:
        yield Text(f"not in the consistency: {', '.join(map(printable, repeats.left_out))}", style="dim")


def _ranking(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers[:_MOST_RANKED])) + (" …" if len(numbers) > _MOST_RANKED else "")


def _attributes(evaluator: str, lines: Sequence[Line]) -> Table:
    table = _table(printable(evaluator), ">TP", ">TN", ">FP", ">FN", ">precision", ">recall", ">F1", ">support")
    for line in lines:
        counts = ["" if value is None else str(value) for value in (*line.values()[:4], line.support)]
        derived = [dash(line.quality.precision), dash(line.quality.recall), dash(line.quality.f1)]
        style = "bold" if line is lines[-1] or line is lines[-2] else ""
        table.add_row(printable(line.name), *counts[:4], *derived, counts[4], style=style)
    return table


def _table(*heads: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for head in heads:
        table.add_column(head.lstrip(">"), justify="right" if head[0] == ">" else "left", overflow="fold")
    return table


def _failing(row: Mapping[str, Any], width: int) -> Iterator[RenderableType]:
    word = "error" if row["status"] == "error" else row["verdict"]
    yield Text.assemble(
        (f"{_SIGNS[word]} ", _STYLES[word]),
        (_cut(printable(row["case_id"]), width - 24), "bold"),
        (f"  {word} {row['score']:.3f}", _STYLES[word]),
    )
    found = list(differences(row))
    shown = found[:MOST_DIFFERENCES]
    paired = [one for one in shown if one.expected or one.actual]
    for one in shown:
        if one not in paired:
            yield Padding(Text(_cut(printable(one.where), 3 * width)), (0, 0, 0, 4))
    widest = min(max((len(printable(one.where)) for one in paired), default=0), width // 2)
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, max_width=widest + 4, overflow="ellipsis")
    table.add_column(no_wrap=True, overflow="ellipsis")
    for one in paired:
        table.add_row(Text(f"    {printable(one.where)}"), _sides(one, width - widest - 8))
    if paired:
        yield table
    if len(found) > MOST_DIFFERENCES:
        yield Text(f"    and {len(found) - MOST_DIFFERENCES} more", style="dim")


def _sides(one: Difference, room: int) -> Text:
    """Both values, each cut so that the other one can be seen, then why."""
    sides = [(word, value, style) for word, value, style in
             (("expected", one.expected, "green"), ("got", one.actual, "red")) if value is not None]  # fmt: skip
    room -= sum(len(word) + 3 for word, _, _ in sides) + len(one.note)
    text = Text()
    for word, value, style in sides:
        text.append(f"{word} ", style="dim").append(_cut(value, max(8, room // len(sides))), style=style).append("  ")
    return text.append(one.note, style="yellow")


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1] + "…"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
