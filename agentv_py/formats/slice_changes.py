"""The slices of a diff → lines that several formats show; long lists are cut, and that is said."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agentv_py.formats.slice_figures import describe_few
from agentv_py.formats.text import format_count, format_figure, format_p_value
from agentv_py.report.diff.model import Diff
from agentv_py.report.diff.slices import SliceShift, SliceShiftTable
from agentv_py.report.summary import join_names

SLICE_HEADS = (">cases", ">broken", ">fixed", ">pass rate", ">mean score", ">p (Holm)")
_MOST_SMALL = 3


class SliceChangeBlock(NamedTuple):
    """The slices of one key and suite: name, cells, and whether the slice is worse."""

    title: str
    lines: Sequence[tuple[str, Sequence[str], bool]]
    remarks: Sequence[str]


def build_slice_changes(diff: Diff, most: int) -> list[SliceChangeBlock]:
    return [_build_block(diff, table, most) for table in diff.slices]


def _build_block(diff: Diff, table: SliceShiftTable, most: int) -> SliceChangeBlock:
    judged = [member for member in table.members if member.mean_score is not None]
    small = [member for member in table.members if member.mean_score is None]
    shown = [*judged[:most], *small[: min(_MOST_SMALL, max(0, most - len(judged)))]]
    lines = [(member.value, _write_cells(member), member.is_worse) for member in shown]
    title = join_names(table.suite if len(diff.suites) > 1 else "", table.target, table.key.text)
    few = describe_few(table.key, max(0, len(shown) - len(judged)))
    return SliceChangeBlock(title, lines, [*few, *_list_remarks(table, len(table.members) - len(shown))])


def _write_cells(member: SliceShift) -> list[str]:
    cells = [f"{member.cases:,}", f"{member.broken:,}", f"{member.fixed:,}"]
    mean, rate = member.mean_score, member.pass_rate
    if mean is None or rate is None:
        return [*cells, "too few", "", ""]
    chance = "" if member.p_adjusted is None else format_p_value(member.p_adjusted)
    return [*cells, format_figure(100 * rate.delta, "+.1f", " pp"), format_figure(mean.delta, "+.3f"), chance]


def _list_remarks(table: SliceShiftTable, hidden: int) -> Iterator[str]:
    if hidden:
        yield f"and {format_count(hidden, 'more slice')}"
    if table.without:
        yield f"{format_count(table.without, 'case')} without a value"
