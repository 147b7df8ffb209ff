"""Differences of pairs → the probability that chance alone gives as large a total, by flips of their signs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentv_py.report.diff.unconditional import run_unconditional_test

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_OWN_SKEW = 2.0
_OPPOSING_SKEW = 3.0
_FARTHEST = 2.5
"""How far the additional pair moves, in mean distances of those that moved: 1 less twice the skewness of the moves with
the change, or three times the skewness of all pairs against it; at least 0, at most 2.5."""
_BLOCK = 500
_BLOCKS = 10
_TINY = 1e-12
_EXACT_FLIPS = 12
_MOST_FLIPS = 1_000
"""Pairs whose signs are flipped one by one, the largest first. The sum of the others is as good as normal."""
_MOST_EXACT = 10_000
"""Discordant pairs; above this number the exact test is slow and no more accurate than the normal tail."""


@dataclass(frozen=True, slots=True)
class Pairs:
    """Differences in -1..1, one per independent unit: a pair, or the sum over the pairs of a cluster."""

    sums: "Floats"
    sizes: "Floats"
    """The number of pairs in each unit."""

    @classmethod
    def build(cls, differences: "Floats", clusters: "NDArray[np.int64] | None") -> "Pairs":
        import numpy as np

        if clusters is None:
            return cls(differences, np.ones(len(differences)))
        return cls(np.bincount(clusters, weights=differences).astype(float), np.bincount(clusters).astype(float))

    @property
    def is_all_or_nothing(self) -> bool:
        """Whether every pair that moved moved as far as a pair can: then the sign-flip test is exact, skewed or not."""
        return bool(((self.sums == 0) | (abs(self.sums) == self.sizes)).all()) and bool((self.sizes == 1).all())

    @property
    def adverse(self) -> float:
        """How far an additional pair moves the other way: large moves are rare, and some may be unseen.

        If the moves with the change have a long tail themselves, none need be. If they pile up at their largest, or if
        most pairs moved with the change and a few far against it, the long tail is on the other side. 0 where the test
        is exact by itself.
        """
        moved = self.sums[self.sums != 0]
        if not len(moved) or self.is_all_or_nothing:
            return 0.0
        direction = math.copysign(1.0, float(self.sums.sum()))
        own = _measure_skew(direction * moved[direction * moved > 0])
        times = max(1 - _OWN_SKEW * own, -_OPPOSING_SKEW * direction * _measure_skew(self.sums), 0.0)
        return -direction * min(times, _FARTHEST) * float(abs(moved).mean())

    def with_adverse(self) -> "Floats":
        import numpy as np

        return np.append(self.sums, self.adverse)


def _measure_skew(values: "Floats") -> float:
    """Return the skewness of the values; 0 if they are equal, or none."""
    if not len(values):
        return 0.0
    rest = values - values.mean()
    spread = float((rest**2).mean())
    return float((rest**3).mean()) / spread**1.5 if spread > _TINY**2 else 0.0


def compute_p_value(pairs: Pairs, chance: "np.random.Generator") -> float:
    """Return the p-value of an exact test of all pairs where each is all or nothing, else of flips of their signs."""
    sums = pairs.with_adverse()
    if pairs.is_all_or_nothing:
        return run_unconditional_test(int((sums < 0).sum()), int((sums > 0).sum()), len(pairs.sums))
    return run_sign_flip_test(sums, chance)


def run_sign_flip_test(sums: "Floats", chance: "np.random.Generator", *, is_mid: bool = True) -> float:
    """Return the share of sign flips whose total is farther from 0: of all flips, or of a random sample of them.

    With `is_mid`, totals that are as far count half (a mid-p value). Without it they count in full, and a true change
    is found less often where scores take few values.
    """
    totals = abs(_flip_signs(sums[:, None], chance)[:, 0])
    return _share_above(totals, abs(float(sums.sum())), is_mid=is_mid)


def _share_above(distances: "Floats", distance: float, *, is_mid: bool = True) -> float:
    """Return the share of distances that are greater, and half of those that are equal."""
    import numpy as np

    slack = distance * 1e-9 + _TINY
    as_far, farther = np.mean(distances >= distance - slack), np.mean(distances > distance + slack)
    return float((as_far + farther) / 2 if is_mid else as_far)


def run_mcnemar_test(broken: int, fixed: int) -> float:
    """Return the two-sided p-value of pairs that changed sides: exact, or by the normal tail for very many."""
    pairs = broken + fixed
    if pairs > _MOST_EXACT:
        return math.erfc(max(0.0, (abs(broken - fixed) - 1) / math.sqrt(2 * pairs)))
    constant = math.lgamma(pairs + 1) - pairs * math.log(2)
    tail = math.fsum(
        math.exp(constant - math.lgamma(k + 1) - math.lgamma(pairs - k + 1)) for k in range(min(broken, fixed) + 1)
    )
    return min(1.0, 2 * tail)


def adjust_groups(groups: Sequence[Sequence[float]]) -> list[list[float]]:
    """Adjust p-values that are already adjusted within each group for the number of groups.

    This is Holm's method, with groups as its tests: a group counts until its last p-value is reached. Before the first
    false rejection, every group that holds a true null hypothesis still counts.
    """
    adjusted, highest = [list(group) for group in groups], 0.0
    left = [len(group) for group in groups]
    places = [(p_value, group, place) for group, members in enumerate(groups) for place, p_value in enumerate(members)]
    for p_value, group, place in sorted(places):
        highest = max(highest, min(1.0, sum(map(bool, left)) * p_value))
        adjusted[group][place] = highest
        left[group] -= 1
    return adjusted


def adjust_together(pairs: Sequence[Pairs], p_values: Sequence[float], seed: int) -> list[float]:
    """Step down from the figure that moved farthest in its own errors. Figures that are all equal are one figure."""
    import numpy as np

    columns = [each.with_adverse() for each in pairs]
    errors = [math.sqrt(float(column @ column)) for column in columns]
    order = [number for number, error in enumerate(errors) if error > _TINY and len(columns[number]) > 2]
    if len(order) < 2 or all(np.array_equal(column, columns[0]) for column in columns[1:]):
        return list(p_values)
    flipped = abs(_flip_signs(np.column_stack(columns), np.random.default_rng(seed))) / np.maximum(errors, _TINY)
    distances = [abs(float(column.sum())) / max(error, _TINY) for column, error in zip(columns, errors, strict=True)]
    order.sort(key=lambda number: -distances[number])
    adjusted, highest = list(p_values), 0.0
    for rank, number in enumerate(order):
        greatest = flipped[:, order[rank:]].max(axis=1)
        share = _share_above(greatest, distances[number])
        highest = adjusted[number] = max(highest, share, p_values[number])
    return adjusted


def _flip_signs(columns: "Floats", chance: "np.random.Generator") -> "Floats":
    """Return the sum of each column under every pattern of signs, or under the given signs and random ones."""
    import numpy as np

    columns = columns[np.any(columns != 0, axis=1)]
    count = len(columns)
    if count <= _EXACT_FLIPS:
        every = 1 - 2 * (np.arange(2**count)[:, None] >> np.arange(count) & 1)
        return np.asarray(every @ columns)
    squares = columns**2
    largest = np.argsort(-(squares / np.maximum(squares.sum(axis=0), _TINY)).sum(axis=1), kind="stable")
    single, rest = columns[largest[:_MOST_FLIPS]], columns[largest[_MOST_FLIPS:]]
    blocks = [columns.sum(axis=0, keepdims=True)]
    for _ in range(_BLOCKS):
        signs = 1 - 2 * chance.integers(0, 2, (_BLOCK, len(single)), dtype=np.int8).astype(np.float64)
        totals = signs @ single
        if len(rest):
            totals += chance.multivariate_normal(np.zeros(columns.shape[1]), rest.T @ rest, _BLOCK)
        blocks.append(totals)
    return np.concatenate(blocks)
