"""Groups of rows → a table with a column per group, which several formats draw."""

from collections.abc import Sequence
from typing import NamedTuple

from agentv_py.formats.text import DASH, format_figure
from agentv_py.report.best_group import GroupFigure, find_best
from agentv_py.report.groups import Group, Groups

BEST = "★"


class GroupTable(NamedTuple):
    by: str
    names: Sequence[str]
    lines: Sequence[tuple[str, Sequence[str]]]
    """The name of each figure, and the figure of each group."""
    remark: str
    """What the mark says, or that no group has it; empty where groups cannot be compared."""


def build_group_table(groups: Groups, *, has_whole: bool = False) -> GroupTable:
    """Build the table; where the figures of all cases stand above it, a single target repeats none of them."""
    members, best = list(groups.members.values()), find_best(groups)
    has_costs, has_latencies = any(group.priced for group in members), any(group.latencies for group in members)
    is_whole = has_whole and groups.by == "target" and len(members) == 1
    lines = (
        []
        if is_whole
        else [
            ("cases", [f"{group.cases:,}" for group in members]),
            ("mean score", [_mark(f"{group.mean_score.value:.3f}", group, "mean_score", best) for group in members]),
            ("pass rate", [_mark(f"{group.pass_rate.value:.1%}", group, "pass_rate", best) for group in members]),
        ]
    )
    if has_costs:
        lines.append(("cost", [format_figure(group.cost, ".4g") if group.priced else DASH for group in members]))
    if has_latencies:
        lines += [
            (f"p{share} latency", [format_figure(group.find_latency(share / 100), ",.0f", " ms") for group in members])
            for share in (50, 95)
        ]
    if not is_whole:
        lines.append(("errors", [f"{group.errors:,}" for group in members]))
    remarks = [_write_remark(groups, has_best=bool(best)), *_describe_errors(members, is_whole=is_whole)]
    names = [groups.name(group) for group in members]
    return GroupTable(groups.by, names, lines, "; ".join(filter(None, remarks)))


def _mark(text: str, group: Group, figure: GroupFigure, best: dict[tuple[str, str], list[GroupFigure]]) -> str:
    return f"{text} {BEST}" if figure in best.get((group.suite, group.value), ()) else text


def _describe_errors(members: Sequence[Group], *, is_whole: bool) -> list[str]:
    return ["errors count as 0"] if not is_whole and any(group.errors for group in members) else []


def _write_remark(groups: Groups, *, has_best: bool) -> str:
    if groups.by not in ("target", "file") or len(groups.members) < 2:
        return ""
    what = f"than every other {groups.by}, more than chance explains"
    return f"{BEST} is better {what}" if has_best else f"no {groups.by} is better {what}"
