"""The slices of a summary or a diff → the parts of a terminal report."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from agentv_py.comparison.counts import quality
from agentv_py.errors import make_printable
from agentv_py.formats.console.layout import build_table, cut_start, cut_text, split_columns
from agentv_py.formats.slice_changes import SLICE_HEADS, build_slice_changes
from agentv_py.formats.slice_figures import WORSE, WORSE_REMARK, SliceBlock, build_slice_blocks, list_weakest
from agentv_py.formats.text import format_figure
from agentv_py.report.diff.model import Diff
from agentv_py.report.slices.fold import Slice
from agentv_py.report.summary import Summary

_MOST_LINES = 10
_MOST_COLUMNS = 6
_MOST_ATTRIBUTES = 8
_WIDE = 110
"""From this width on, the lowest F1 of each slice has a column."""
_ESTIMATES = 54
"""Columns that cases and both figures take."""
_CHANGES = 58
"""Columns that the figures of a slice of a diff take."""


def draw_slices(report: Summary, width: int) -> Iterator[RenderableType]:
    blocks = build_slice_blocks(report, _MOST_LINES)
    for block in blocks:
        yield Text()
        yield _draw_block(block, width)
        yield from (Text(remark, style="dim") for remark in block.remarks)
        if report.full:
            yield from _draw_f1(block, width)
    if any(line.is_worse for block in blocks for line in block.lines):
        yield Text(WORSE_REMARK, style="dim")
    yield from (Text(make_printable(line), style="red") for line in list_weakest(report))


def draw_slice_changes(diff: Diff, width: int) -> Iterator[RenderableType]:
    for block in build_slice_changes(diff, _MOST_LINES):
        yield Text()
        room = max(width - _CHANGES, 10)
        table = build_table(cut_start(make_printable(block.title), room), *SLICE_HEADS)
        for value, cells, is_worse in block.lines:
            name = Text(cut_text(make_printable(value), room), style="red" if is_worse else "")
            table.add_row(name, *cells)
        yield table
        yield from (Text(remark, style="dim") for remark in block.remarks)


def _draw_block(block: SliceBlock, width: int) -> Table:
    is_wide = width >= _WIDE
    room = max((width - _ESTIMATES) // (2 if is_wide else 1), 12)
    heads = ("pass rate (95 %)", "mean score (95 %)")
    title = cut_start(make_printable(block.title), room)
    table = build_table(title, ">cases", *(f">{head}" for head in heads), *(["lowest F1"] if is_wide else []))
    for line in block.lines:
        name = Text(cut_text(make_printable(line.value), room - 2))
        if line.is_worse:
            name.append(f" {WORSE}", style="red")
        cells = [f"{line.cases:,}", line.pass_rate, line.mean_score]
        lowest = [cut_text(make_printable(line.lowest), room)] if is_wide else []
        table.add_row(name, *cells, *lowest)
    return table


def _draw_f1(block: SliceBlock, width: int) -> Iterator[RenderableType]:
    """Draw the F1 of the weakest attributes, with a column per slice; slices that do not fit are drawn below."""
    members = block.table.list_judged()[:_MOST_COLUMNS]
    attributes = _list_attributes(members)[:_MOST_ATTRIBUTES]
    if not attributes:
        return
    names = [cut_text(make_printable(member.value), max(width // 5, 8)) for member in members]
    room = max(min(max(len(name) for _, name in attributes), width // 3), 8)
    for start, end in split_columns([max(len(name), 5) for name in names], width - room - 2):
        yield Text()
        table = build_table("F1", *(f">{n}" for n in names[start:end]))
        for evaluator, attribute in attributes:
            figures = [format_figure(_read_f1(member, evaluator, attribute)) for member in members[start:end]]
            table.add_row(cut_start(make_printable(attribute), room), *figures)
        yield table


def _list_attributes(members: Sequence[Slice]) -> list[tuple[str, str]]:
    """List evaluators and attributes; the one with the lowest F1 in any slice comes first."""
    lowest: dict[tuple[str, str], float] = {}
    for member in members:
        for evaluator in member.evaluators.values():
            for name in evaluator.attributes:
                f1 = _read_f1(member, evaluator.name, name)
                key = evaluator.name, name
                lowest[key] = min(lowest.get(key, 1.0), 1.0 if f1 is None else f1)
    return sorted(lowest, key=lambda key: (lowest[key], key))


def _read_f1(member: Slice, evaluator: str, attribute: str) -> float | None:
    counts = member.evaluators[evaluator].attributes.get(attribute) if evaluator in member.evaluators else None
    return None if counts is None else quality(counts).f1
