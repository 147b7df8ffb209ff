"""What changed between two results files, and whether it is more than noise.

Cases are joined on suite and id; the rows of one case (repeats, targets) collapse to their mean, and it passes when
most of them pass. A case that erred on either side stands in `errored`, outside every figure. `pairs()` gives both rows
of each matched case, `rows_of(move)` those of one, both read again from where they stand: no row is held.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from agentv_py.comparison.counts import Counts, quality
from agentv_py.errors import Problem
from agentv_py.report.diff.columns import Key, Ledger
from agentv_py.report.diff.significance import NOTHING, Shift
from agentv_py.report.statistics import Estimate, wilson
from agentv_py.results.row import Row

Verdict = Literal["better", "worse", "tied"]


@dataclass(frozen=True, slots=True)
class Move:
    """A case on both sides: its scores, and the numbers of its first rows."""

    key: Key
    baseline: float
    candidate: float
    rows: tuple[int, int]

    @property
    def delta(self) -> float:
        return self.candidate - self.baseline


@dataclass(frozen=True, slots=True)
class Errored:
    """A matched case that erred: each side's verdict, or `error`."""

    key: Key
    baseline: str
    candidate: str
    rows: tuple[int, int]


@dataclass(frozen=True, slots=True)
class MeanShift:
    baseline: float
    candidate: float
    shift: Shift


@dataclass(frozen=True, slots=True)
class RateShift:
    baseline: Estimate
    candidate: Estimate
    shift: Shift
    """Its p-value is McNemar's; where cases are clustered, that of the sign-flip test over clusters."""


@dataclass(frozen=True, slots=True)
class EvaluatorShift:
    name: str
    type: str
    cases: int
    mean_score: MeanShift
    p_adjusted: float
    """Holm's, over all evaluators."""


@dataclass(frozen=True, slots=True)
class AttributeShift:
    evaluator: str
    name: str
    baseline: Counts | None
    candidate: Counts | None
    """The counts of the compared cases; None on a side whose evaluator never counted this attribute."""

    @property
    def f1(self) -> tuple[float | None, float | None]:
        return _f1(self.baseline), _f1(self.candidate)

    @property
    def delta(self) -> float | None:
        before, after = self.f1
        return None if before is None or after is None else after - before


@dataclass(slots=True)
class Diff:
    baseline: Ledger
    candidate: Ledger
    threshold: float = 0.0
    suites: list[str] = field(default_factory=list)
    matched: int = 0
    cases: int = 0
    """Matched cases that erred on neither side: the ones that every figure is of."""
    only_baseline: list[Key] = field(default_factory=list)
    only_candidate: list[Key] = field(default_factory=list)
    errored: list[Errored] = field(default_factory=list)
    left_out: tuple[int, int] = (0, 0)
    """Rows of each side that erred, of cases whose other rows did not: those alone are their case's mean."""
    broken: list[Move] = field(default_factory=list)
    fixed: list[Move] = field(default_factory=list)
    higher: int = 0
    lower: int = 0
    """Cases whose score rose, or fell, by at least the threshold."""
    mean_score: MeanShift = field(default_factory=lambda: MeanShift(0.0, 0.0, NOTHING))
    pass_rate: RateShift = field(default_factory=lambda: RateShift(wilson(0, 0), wilson(0, 0), NOTHING))
    evaluators: list[EvaluatorShift] = field(default_factory=list)
    attributes: list[AttributeShift] = field(default_factory=list)
    clusters: int | None = None
    """How many, where cases are clustered."""
    joined: Sequence[tuple[int, int]] = ()
    """The first rows of each matched case."""

    @property
    def verdict(self) -> Verdict:
        """By the interval of the mean score's change."""
        change = self.mean_score.shift
        return "better" if change.low > 0 else "worse" if change.high < 0 else "tied"

    @property
    def changed_attributes(self) -> list[AttributeShift]:
        """Those whose F1 is another one, or is on one side only; the greatest fall first."""
        changed = [one for one in self.attributes if one.f1[0] != one.f1[1]]
        return sorted(changed, key=lambda one: (one.f1[1] or 0.0) - (one.f1[0] or 0.0))

    @property
    def torn(self) -> list[Problem]:
        return [side.torn for side in (self.baseline, self.candidate) if side.torn]

    @property
    def duplicates(self) -> tuple[int, int]:
        return self.baseline.duplicates, self.candidate.duplicates

    @property
    def errors(self) -> tuple[int, int]:
        """Rows that erred, of each side."""
        return self.baseline.errors, self.candidate.errors

    @property
    def newly_errored(self) -> list[Errored]:
        return [one for one in self.errored if one.baseline == "pass"]

    def pairs(self) -> Iterator[tuple[Row, Row]]:
        """The first rows of every matched case, in the baseline's order."""
        with self.baseline.opened() as before, self.candidate.opened() as after:
            for old, new in self.joined:
                yield self.baseline.row(before, old), self.candidate.row(after, new)

    def rows_of(self, move: Move | Errored) -> tuple[Row, Row]:
        with self.baseline.opened() as before, self.candidate.opened() as after:
            return self.baseline.row(before, move.rows[0]), self.candidate.row(after, move.rows[1])


def _f1(counts: Counts | None) -> float | None:
    """0 where there are errors and no true positive; undefined where there is nothing at all."""
    if counts is None:
        return None
    return 0.0 if not counts["tp"] and (counts["fp"] or counts["fn"]) else quality(counts).f1
