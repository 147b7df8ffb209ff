"""The compared cases of a diff → what changed in each slice, and whether it is more than noise.

Only the slices that moved farthest are tested, but every slice with enough cases counts as a test (Holm's method): so
at most 5 of 100 diffs call any slice different by chance.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from agentv_py.report.diff.columns import ResultColumns
from agentv_py.report.diff.flips import Pairs
from agentv_py.report.diff.significance import LEVEL, Shift, measure_shift
from agentv_py.report.statistics import adjust_p_values
from agentv_py.suite.slice_key import SliceKey

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agentv_py.report.diff.case_scores import Flags
    from agentv_py.report.diff.flips import Floats

_MOST_TESTED = 25
"""Slices of one key; each test draws thousands of sign flips."""


AnsweredSuite = tuple[str, str]
"""A suite, and the target that answered it: figures of two targets are never added up."""


class SliceChange(NamedTuple):
    """A figure before and after. The shift is None where the slice moved too little to be tested."""

    baseline: float
    candidate: float
    shift: Shift | None = None
    p_adjusted: float | None = None

    @property
    def delta(self) -> float:
        return self.candidate - self.baseline


@dataclass(slots=True)
class SliceShift:
    value: str
    cases: int
    broken: int
    fixed: int
    mean_score: SliceChange | None = None
    """None where the slice has too few cases; so is `pass_rate`."""
    pass_rate: SliceChange | None = None

    @property
    def p_adjusted(self) -> float | None:
        """The lower p-value of both figures; None where the slice is not tested."""
        known = [change.p_adjusted for change in (self.mean_score, self.pass_rate) if change is not None]
        return min((p_value for p_value in known if p_value is not None), default=None)

    @property
    def is_worse(self) -> bool:
        changes = (self.mean_score, self.pass_rate)
        return any(change and change.shift and change.shift.verdict == "worse" for change in changes)


@dataclass(slots=True)
class SliceShiftTable:
    """The slices of one suite and target by one key; the greatest fall of the mean score comes first."""

    key: SliceKey
    suite: str
    target: str
    members: list[SliceShift] = field(default_factory=list)
    without: int = 0
    """Compared cases that have no value of the key."""


@dataclass(frozen=True, slots=True)
class ComparedCases:
    """The compared cases, in one order: their numbers on each side, their scores, and whether they pass."""

    before: "NDArray[np.int64]"
    after: "NDArray[np.int64]"
    scores: "tuple[Floats, Floats]"
    passes: "tuple[Flags, Flags]"
    clusters: "NDArray[np.int64] | None"


def compare_slices(
    sides: tuple[ResultColumns, ResultColumns], cases: ComparedCases, suites: Mapping[int, AnsweredSuite], seed: int
) -> list[SliceShiftTable]:
    """Compare the slices of each suite and target by each key; `suites` is by the numbers of the baseline's cases."""
    tables = [
        _build_table(key, suite, sides, cases, suites)
        for key in sides[0].slices.keys
        for suite in dict.fromkeys(suites[case] for case in cases.before.tolist())
    ]
    judged = [(member, numbers) for table, groups in tables for member, numbers in _judge(table, groups)]
    _test(judged, cases, seed)
    for table, _ in tables:
        table.members.sort(key=_rank)
    return [table for table, _ in tables if table.members]


def _build_table(
    key: SliceKey,
    suite: AnsweredSuite,
    sides: tuple[ResultColumns, ResultColumns],
    cases: ComparedCases,
    suites: Mapping[int, AnsweredSuite],
) -> tuple[SliceShiftTable, dict[str, list[int]]]:
    """Return the table, and the positions of the cases of each value. A value of the candidate's row comes first."""
    old, new = (side.slices.values[key.text] for side in sides)
    table, groups = SliceShiftTable(key, *suite), dict[str, list[int]]()
    for position, (before, after) in enumerate(zip(cases.before.tolist(), cases.after.tolist(), strict=True)):
        if suites[before] == suite:
            values = new.get(after) or old.get(before) or ()
            table.without += not values
            for value in values:
                groups.setdefault(value, []).append(position)
    was, now = cases.passes
    for value, positions in groups.items():
        broken = int((was[positions] & ~now[positions]).sum())
        fixed = int((now[positions] & ~was[positions]).sum())
        table.members.append(SliceShift(value, len(positions), broken, fixed))
    return table, groups


def _judge(table: SliceShiftTable, groups: Mapping[str, list[int]]) -> list[tuple[SliceShift, list[int]]]:
    return [(member, groups[member.value]) for member in table.members if member.cases >= table.key.min_cases]


def _test(judged: Sequence[tuple[SliceShift, list[int]]], cases: ComparedCases, seed: int) -> None:
    """Fill in the changes of the slices that have enough cases, and test those that moved farthest."""
    for member, positions in judged:
        member.mean_score = _build_change(*(side[positions] for side in cases.scores))
        member.pass_rate = _build_change(*(side[positions] for side in cases.passes))
    moved = sorted(judged, key=lambda item: -max(abs(change.delta) for change in _read_changes(item[0])))[:_MOST_TESTED]
    measured = [
        (member, name, measure_shift(_build_pairs(name, positions, cases), seed))
        for member, positions in moved
        for name in ("mean_score", "pass_rate")
    ]
    untested = [1.0] * (2 * len(judged) - len(measured))
    adjusted = adjust_p_values([*(shift.p_value for _, _, shift in measured), *untested])
    for (member, name, shift), p_adjusted in zip(measured, adjusted, strict=False):
        change: SliceChange = getattr(member, name)
        decided = shift.decide(is_significant=p_adjusted <= LEVEL)
        setattr(member, name, change._replace(shift=decided, p_adjusted=p_adjusted))


def _build_change(before: "Floats | Flags", after: "Floats | Flags") -> SliceChange:
    return SliceChange(float(before.mean()), float(after.mean()))


def _build_pairs(name: str, positions: list[int], cases: ComparedCases) -> Pairs:
    import numpy as np

    before, after = (side[positions].astype(float) for side in (cases.scores if name == "mean_score" else cases.passes))
    clusters = None if cases.clusters is None else np.unique(cases.clusters[positions], return_inverse=True)[1]
    return Pairs.build(after - before, clusters)


def _read_changes(member: SliceShift) -> list[SliceChange]:
    return [change for change in (member.mean_score, member.pass_rate) if change is not None]


def _rank(member: SliceShift) -> tuple[bool, float, int, str]:
    change = member.mean_score
    return change is None, 0.0 if change is None else change.delta, -member.cases, member.value
