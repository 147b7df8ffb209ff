"""Differences of pairs → an interval, and the probability that chance alone gives as large a difference.

The test flips the signs of the differences: two runs of one system could as well have been named the other way round.
If every difference is all or nothing, an exact test of all pairs finds more (`unconditional.py`). Otherwise skew (many
small losses, rare high gains) can mislead it. So one more pair that moves the other way is added: the more the skew
opposes the change, the farther it moves (`flips.py`). The interval (`intervals.py`) is widened to hold 0 unless the
test finds a change. `benchmarks/false_alarms.py` counts false alarms, and how often true changes are found.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from agentv_py.report.diff.flips import Pairs, adjust_groups, adjust_together, compute_p_value
from agentv_py.report.diff.intervals import find_interval
from agentv_py.report.statistics import Z95, student_quantile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agentv_py.report.diff.flips import Floats

LEVEL = 0.05
_TINY = 1e-12
_FEW = 100
_POWER = 0.8416
"""The 80 % point of the normal distribution."""

ShiftVerdict = Literal["better", "worse", "tied"]


@dataclass(frozen=True, slots=True)
class Shift:
    """A mean difference, its 95 % interval, and the probability of one as large if there is no true difference."""

    delta: float
    low: float
    high: float
    p_value: float
    smallest: float | None
    """The smallest difference that this number of pairs, with this noise, shows about four times in five. None where
    the noise is unknown, and where so few pairs, with this noise, would show only more than the greatest difference."""

    @property
    def verdict(self) -> ShiftVerdict:
        """Better or worse where the interval is on one side of 0."""
        return "better" if self.low > 0 else "worse" if self.high < 0 else "tied"

    def decide(self, *, is_significant: bool) -> "Shift":
        """Return the shift with an interval that holds 0 only if the shift is not significant."""
        if not is_significant:
            return replace(self, low=min(self.low, 0.0), high=max(self.high, 0.0))
        if self.delta > 0:
            return replace(self, low=max(self.low, _TINY))
        return replace(self, high=min(self.high, -_TINY))


NOTHING = Shift(0.0, -1.0, 1.0, 1.0, None)
"""The shift of no pairs."""


def estimate_shift(differences: "Floats", clusters: "NDArray[np.int64] | None", seed: int) -> Shift:
    """Estimate the shift from differences in -1..1. The differences of one cluster are not independent."""
    shift = measure_shift(Pairs.build(differences, clusters), seed)
    return shift.decide(is_significant=shift.p_value <= LEVEL)


def estimate_shifts(
    several: "Sequence[Floats]", clusters: "NDArray[np.int64] | None", seed: int
) -> list[tuple[Shift, float]]:
    """Estimate shifts of several figures of the same pairs, each with a p-value adjusted for all of them together.

    The signs of all figures of a pair are flipped together, so figures that move together cost little (the step-down
    maximum test of Westfall and Young). At most one time in twenty is any of them called different by chance.
    """
    return estimate_groups([FigureGroup(several, clusters)], seed)[0]


class FigureGroup(NamedTuple):
    """Figures of the same pairs: the differences of each figure, and the cluster of each pair."""

    differences: "Sequence[Floats]"
    clusters: "NDArray[np.int64] | None" = None


def estimate_groups(groups: Sequence[FigureGroup], seed: int) -> list[list[tuple[Shift, float]]]:
    """Estimate the shifts of several groups of figures, each with a p-value adjusted for all groups together.

    Within a group, figures are tested together as above. Across groups, Holm's method holds whatever they have in
    common: at most one time in twenty is any figure of any group called different by chance.
    """
    pairs = [[Pairs.build(differences, group.clusters) for differences in group.differences] for group in groups]
    measured = [[measure_shift(each, seed) for each in members] for members in pairs]
    adjusted = adjust_groups(
        [
            adjust_together(members, [shift.p_value for shift in shifts], seed)
            for members, shifts in zip(pairs, measured, strict=True)
        ]
    )
    return [
        [
            (shift.decide(is_significant=p_value <= LEVEL), p_value)
            for shift, p_value in zip(shifts, p_values, strict=True)
        ]
        for shifts, p_values in zip(measured, adjusted, strict=True)
    ]


def measure_shift(pairs: Pairs, seed: int) -> Shift:
    """Return the shift with its own p-value, and with an interval that knows nothing of the test."""
    import numpy as np

    if not len(pairs.sums):
        return NOTHING
    delta = float(pairs.sums.sum() / pairs.sizes.sum())
    low, high = find_interval(pairs)
    if len(pairs.sums) == 1 or not pairs.sums.any():
        return Shift(delta, low, high, 1.0, None)
    return Shift(delta, low, high, compute_p_value(pairs, np.random.default_rng(seed)), _find_smallest(pairs))


def _compute_error(pairs: Pairs) -> float:
    """Return the standard error of the mean difference."""
    rest = pairs.sums - pairs.sizes * (pairs.sums.sum() / pairs.sizes.sum())
    return math.sqrt(float(rest @ rest) * len(rest) / (len(rest) - 1)) / float(pairs.sizes.sum())


def _find_smallest(pairs: Pairs) -> float | None:
    """Use Student's points for 95 % and 80 %, or the flips with one more pair if few pairs need a larger shift."""
    count = len(pairs.sums)
    factor = student_quantile(count - 1) + _POWER
    if count < _FEW:
        times = abs(pairs.adverse) / float(abs(pairs.sums[pairs.sums != 0]).mean())
        room = (count - times) ** 2 / (Z95**2 * (count + times**2)) - 1  # below 0, even equal pairs do not pass
        if room <= 0:
            return None
        factor = max(factor, ((room + 1) * _POWER + math.sqrt((room + 1) * _POWER**2 + room * count)) / room)
    smallest = factor * _compute_error(pairs)
    return smallest if _TINY < smallest <= 1 else None
