"""Groups of rows → the group that is best, where a paired test says so against every other group."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from agentv_py.report.groups import Group, Groups

if TYPE_CHECKING:
    from agentv_py.report.diff.flips import Floats
    from agentv_py.report.diff.significance import Shift

GroupFigure = Literal["mean_score", "pass_rate"]
FIGURES: tuple[GroupFigure, ...] = ("mean_score", "pass_rate")


def find_best(groups: Groups) -> dict[tuple[str, str], list[GroupFigure]]:
    """Return which groups are best in which figures. Groups that answered other cases cannot be paired."""
    best: dict[tuple[str, str], list[GroupFigure]] = {}
    for peers in _list_peers(groups):
        for winner, figure in _find_winners(peers):
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


def _find_winners(peers: Sequence[Group]) -> Iterator[tuple[Group, GroupFigure]]:
    """Yield the group with the highest figure, if it is better than each other group."""
    if len(peers) < 2:
        return
    leaders = [max(peers, key=lambda group: _read_figure(group, figure)) for figure in FIGURES]
    tested = {id(leader): _compare(leader, [other for other in peers if other is not leader]) for leader in leaders}
    for place, (leader, figure) in enumerate(zip(leaders, FIGURES, strict=True)):
        if all(shifts[place].verdict == "better" for shifts in tested[id(leader)]):
            yield leader, figure


def _compare(leader: Group, others: Sequence[Group]) -> "list[list[Shift]]":
    """Return the shifts of both figures from each other group to the leader, by the test of a diff."""
    from agentv_py.report.diff.significance import NOTHING, FigureGroup, estimate_groups  # one target does not need it

    pairs = [_pair_results(leader, other) for other in others]
    if not all(len(differences[0]) for differences in pairs):
        return [[NOTHING] * len(FIGURES)]
    tested = estimate_groups([FigureGroup(differences) for differences in pairs], seed=0)
    return [[shift for shift, _ in shifts] for shifts in tested]


def _read_figure(group: Group, figure: GroupFigure) -> float:
    return (group.mean_score if figure == "mean_score" else group.pass_rate).value


def _pair_results(leader: Group, other: Group) -> "list[Floats]":
    """Return the differences of each figure, over the cases that both groups answered."""
    import numpy as np

    shared = [case for case in other.results if case in leader.results]
    return [
        np.array([float(leader.results[case][place]) - float(other.results[case][place]) for case in shared])
        for place in range(len(FIGURES))
    ]
