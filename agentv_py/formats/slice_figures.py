"""Slices → titles, lines and sentences that several formats show; long lists are cut, and that is said."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from agentv_py.comparison.counts import quality
from agentv_py.formats.text import DASH, format_count, format_figure, format_p_value
from agentv_py.report.slices.fold import MOST_VALUES, Slice, SliceTable
from agentv_py.report.slices.weakest import WorseSlice, find_worse_slices
from agentv_py.report.statistics import Estimate
from agentv_py.report.summary import Summary, join_names
from agentv_py.suite.slice_key import SliceKey

WORSE = "↓"
WORSE_REMARK = f"{WORSE} is worse than all other cases together, more than chance explains (Holm)"
_MOST_SMALL = 3
"""Slices with too few cases that are listed."""
_FIGURE_WORDS = {"pass_rate": "pass rate", "mean_score": "mean score"}


class SliceLine(NamedTuple):
    value: str
    cases: int
    pass_rate: str
    mean_score: str
    lowest: str
    """The attribute with the lowest F1."""
    is_worse: bool


class SliceBlock(NamedTuple):
    """The slices of one key, suite and target."""

    title: str
    table: SliceTable
    lines: Sequence[SliceLine]
    remarks: Sequence[str]


def build_slice_blocks(report: Summary, most: int) -> list[SliceBlock]:
    """Build a block per key, suite and target, with at most so many lines."""
    return [
        _build_block(report, table, worse, most)
        for tables, worse in group_tables(report)
        for table in tables
    ]  # fmt: skip


def group_tables(report: Summary) -> Iterator[tuple[list[SliceTable], list[WorseSlice]]]:
    """Yield the tables of each suite and target, whose slices are tested together, and those that are worse."""
    groups: dict[tuple[str, str], list[SliceTable]] = {}
    for table in report.slices.list_tables():
        groups.setdefault((table.suite, table.target), []).append(table)
    for tables in groups.values():
        yield tables, find_worse_slices(tables)


def list_weakest(report: Summary) -> Iterator[str]:
    """Name the weakest slice of each suite and target, where one is worse than the rest."""
    for _, worse in group_tables(report):
        for weakest in worse[:1]:
            yield f"weakest slice: {describe_worse(report, weakest)}"


def describe_worse(report: Summary, worse: WorseSlice) -> str:
    form = ".1%" if worse.figure == "pass_rate" else ".3f"
    name = join_names(*_name_group(report, worse.table), f"{worse.table.key.text} = {worse.member.value}")
    figure = f"{_FIGURE_WORDS[worse.figure]} {worse.value:{form}} against {worse.rest:{form}} of all other cases"
    return f"{name}: {figure} (p {format_p_value(worse.p_adjusted)}, Holm)"


def find_lowest_f1(member: Slice) -> tuple[str, float] | None:
    """Return the attribute of a slice with the lowest F1, and its F1."""
    figures = [
        (f1, name)
        for evaluator in member.evaluators.values()
        for name, counts in evaluator.attributes.items()
        if (f1 := _read_f1(counts)) is not None
    ]
    return min(figures)[::-1] if figures else None


def _read_f1(counts: dict[str, int]) -> float | None:
    f1 = quality(counts).f1
    return 0.0 if f1 is None and (counts["fp"] or counts["fn"]) else f1


def _build_block(report: Summary, table: SliceTable, worse: Sequence[WorseSlice], most: int) -> SliceBlock:
    marked = {each.member.value for each in worse if each.table is table}
    judged, small = table.list_judged(), table.list_small()
    lines = [_build_line(member, is_worse=member.value in marked) for member in judged[:most]]
    few = [_build_small_line(member) for member in small[: min(_MOST_SMALL, most - len(lines))]]
    hidden = len(judged) - len(lines), len(small) - len(few)
    title = join_names(*_name_group(report, table), table.key.text)
    return SliceBlock(
        title, table, [*lines, *few], [*describe_few(table.key, len(few)), *_list_remarks(table, *hidden)]
    )


def _name_group(report: Summary, table: SliceTable) -> tuple[str, str]:
    return table.suite if len(report.by_suite) > 1 else "", table.target if report.has_several_targets else ""


def _build_line(member: Slice, *, is_worse: bool) -> SliceLine:
    lowest = find_lowest_f1(member)
    return SliceLine(
        member.value,
        member.cases,
        _format_estimate(member.pass_rate, 100, ".1f", "%"),
        _format_estimate(member.mean_score, 1, ".3f", ""),
        DASH if lowest is None else f"{lowest[0]} {format_figure(lowest[1])}",
        is_worse,
    )


def _build_small_line(member: Slice) -> SliceLine:
    return SliceLine(member.value, member.cases, "too few", "too few", "", is_worse=False)


def describe_few(key: SliceKey, shown: int) -> Iterator[str]:
    """Say once what "too few" means, if a line shows it."""
    if shown:
        yield f"too few: fewer than {format_count(key.min_cases, 'case')} (--min-cases)"


def _format_estimate(estimate: Estimate, factor: int, form: str, unit: str) -> str:
    value, low, high = (format(factor * bound, form) for bound in estimate)
    return f"{value}{unit} ({low} to {high})"


def _list_remarks(table: SliceTable, hidden: int, small: int) -> Iterator[str]:
    if hidden:
        yield f"and {format_count(hidden, 'more slice')}"
    if small:
        yield f"and {format_count(small, 'more slice')} with fewer than {format_count(table.key.min_cases, 'case')}"
    if table.without:
        yield f"{format_count(table.without, 'case')} without a value"
    if table.beyond:
        yield f"{format_count(table.beyond, 'case')} of values beyond the first {MOST_VALUES:,} are in no slice"
