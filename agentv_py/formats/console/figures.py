"""A summary → its figures on a terminal: of all cases, of each target or other group, of each suite, and the gates."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from agentv_py.errors import make_printable
from agentv_py.formats.console.layout import SIGNS, STYLES, build_table, cut_start, draw_errors, split_columns
from agentv_py.formats.group_figures import build_group_table
from agentv_py.formats.text import (
    describe_errors_in_mean,
    describe_lowest_pass,
    describe_parsed,
    format_figure,
    format_gate,
    format_interval,
)
from agentv_py.report.gate_result import GateResult
from agentv_py.report.statistics import Estimate
from agentv_py.report.summary import Summary

_GATE_SIGNS = {True: SIGNS["pass"], False: SIGNS["fail"]}
_GATE_STYLES = {True: STYLES["pass"], False: STYLES["fail"]}


def draw_figures(report: Summary, width: int) -> Iterator[RenderableType]:
    """Draw the figures of all cases, which are not averaged over targets, then those of each group and suite."""
    if not report.has_several_targets:
        yield _draw_whole(report)
    if report.groups.members:
        yield from _draw_groups(report, width)
    yield from _draw_reached(report)


def _draw_groups(report: Summary, width: int) -> Iterator[RenderableType]:
    """Draw a column per group; groups that do not fit beside each other are drawn below."""
    table = build_group_table(report.groups, has_whole=True)
    if not table.lines:
        return
    names = [cut_start(make_printable(name), max(width // 3, 12)) for name in table.names]
    widths = [max(cell_len(name), *(len(figures[at]) for _, figures in table.lines)) for at, name in enumerate(names)]
    first = max(len(table.by), 11) + 2
    for start, end in split_columns(widths, width - first):
        if not report.has_several_targets or start:
            yield Text()
        rows = build_table(table.by, *(f">{name}" for name in names[start:end]))
        for label, figures in table.lines:
            rows.add_row(label, *figures[start:end])
        yield rows
    if table.remark:
        yield Text(table.remark, style="dim")


def _draw_reached(report: Summary) -> Iterator[RenderableType]:
    """Draw the gates, what the models used, notes, and the figures of each suite where there are several."""
    has_several = len(report.suites) > 1
    if report.gates and not has_several:
        grid = Table.grid(padding=(0, 2, 0, 0))
        grid.add_row(Text("gates     "), _draw_gates([gate for _, gate in report.gates]))
        yield grid
    if report.usage:
        yield Text.assemble("models      ", (str(report.usage), "dim"))
    if report.parsed_answers:
        yield Text(describe_parsed(report.parsed_answers), style="dim")
    if has_several:
        yield Text()
        yield _draw_suites(report)


def _draw_suites(report: Summary) -> Table:
    rows = build_table("suite", ">cases", ">pass rate", ">mean score", ">errors", *(["gates"] if report.gates else []))
    for suite in report.by_suite.values():
        rate, mean = (None, None) if suite.has_several_targets else (suite.pass_rate.value, suite.mean_score.value)
        figures = f"{suite.cases:,}", format_figure(rate, ".1%"), format_figure(mean)
        rows.add_row(make_printable(suite.name), *figures, draw_errors(suite.errors), _draw_gates(suite.gates))
    return rows


def _draw_gates(gates: Sequence[GateResult]) -> Text:
    """Draw each gate with its figure: met or missed."""
    parts = [(f"{_GATE_SIGNS[gate.is_met]} {format_gate(gate)}", _GATE_STYLES[gate.is_met]) for gate in gates]
    return Text("\n").join(Text(text, style=style) for text, style in parts)


def _draw_whole(report: Summary) -> Table:
    rows = Table.grid(padding=(0, 2))
    _add_estimate(rows, "pass rate", report.pass_rate, ".1%", describe_lowest_pass(report.totals))
    _add_estimate(rows, "mean score", report.mean_score, ".3f")
    if note := describe_errors_in_mean(report.totals):
        rows.add_row("", "", Text(note, style="dim"))
    return rows


def _add_estimate(rows: Table, name: str, estimate: Estimate, form: str, note: str = "") -> None:
    words = f"95 % interval {format_interval(estimate.low, estimate.high, form)}{note and f', {note}'}"
    interval = Text(words, style="dim")
    rows.add_row(name, Text(format_figure(estimate.value, form), style="bold"), interval)
