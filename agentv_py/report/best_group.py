"""Groups of rows → the group that is best, where a paired test says so against every other group."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from agentv_py.report.groups import Group, Groups
from agentv_py.report.statistics import adjust_p_values

if TYPE_CHECKING:
    from agentv_py.report.diff.flips import Floats

GroupFigure = Literal["mean_score", "pass_rate"]
FIGURES: tuple[GroupFigure, ...] = ("mean_score", "pass_rate")


def find_best(groups: Groups) -> dict[tuple[str, str], list[GroupFigure]]:
    """Return which groups are best in which figures. Groups that answered other cases cannot be paired."""
    best: dict[tuple[str, str], list[GroupFigure]] = {}
    for peers in _list_peers(groups):
        for figure in FIGURES:
            winner = _find_winner(peers, figure)
            if winner is not None:
                best.setdefault((winner.suite, winner.value), []).append(figure)
    return best


def _list_peers(groups: Groups) -> list[list[Group]]:
    """List the groups that are compared with each other: those of one suite, or files that hold one suite each."""
    if groups.by not in ("target", "file"):
        return []
    members = list(groups.members.values())
    if groups.by == "file" and len({group.value for group in members}) == len(members):
        return [members]
    return [[group for group in members if group.suite == suite] for suite in {group.suite: None for group in members}]


def _find_winner(peers: Sequence[Group], figure: GroupFigure) -> Group | None:
    """Return the group with the highest figure, if it is better than each other group (Holm's method)."""
    from agentv_py.report.diff.significance import LEVEL, estimate_shift  # reports of one target do not need it

    if len(peers) < 2:
        return None
    leader = max(peers, key=lambda group: _read_figure(group, figure))
    shifts = [
        estimate_shift(_pair_results(leader, other, figure), None, seed=0) for other in peers if other is not leader
    ]
    adjusted = adjust_p_values([shift.p_value for shift in shifts])
    is_best = all(shift.verdict == "better" and p <= LEVEL for shift, p in zip(shifts, adjusted, strict=True))
    return leader if is_best else None


def _read_figure(group: Group, figure: GroupFigure) -> float:
    return (group.mean_score if figure == "mean_score" else group.pass_rate).value


def _pair_results(leader: Group, other: Group, figure: GroupFigure) -> "Floats":
    import numpy as np

    place = 0 if figure == "mean_score" else 1
    shared = [case for case in leader.results if case in other.results]
    return np.array([float(leader.results[case][place]) - float(other.results[case][place]) for case in shared])
