"""Differences of pairs → an interval, and how often chance alone would do as much.

A percentile bootstrap of a dozen cases raises too many false alarms. So the interval is the bootstrap's, widened as
Student's is (Hesterberg's expanded percentiles), and where a sign-flip test, which is exact under no difference at any
number of cases, could not tell the difference from chance, the interval reaches 0. It lies beyond 0 only where both agree.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentv_py.report.statistics import student

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LEVEL = 0.05

_RESAMPLES = 5_000
_BLOCK = 500
_EXACT_FLIPS = 14
_MOST_VALUES = 500
_SLOW = 10_000
"""Discordant pairs, above which the exact test takes longer than it tells."""


@dataclass(frozen=True, slots=True)
class Shift:
    """A mean difference, its 95 % interval, and the chance of one as large where there is none."""

    delta: float
    low: float
    high: float
    p_value: float
    smallest: float | None
    """The smallest difference that as many pairs, as noisy as these, would show four times in five."""


NOTHING = Shift(0.0, -1.0, 1.0, 1.0, None)
"""Of no pairs at all."""


def shift(differences: "Floats", clusters: "NDArray[np.int64] | None", seed: int) -> Shift:
    """Of differences in -1..1; those of one cluster rise and fall together."""
    import numpy as np

    sizes = np.ones(len(differences)) if clusters is None else np.bincount(clusters).astype(float)
    sums: Floats = differences if clusters is None else np.bincount(clusters, weights=differences).astype(float)
    if not len(sums):
        return NOTHING
    delta = float(sums.sum() / sizes.sum())
    if len(sums) == 1:
        return Shift(delta, -1.0, 1.0, 1.0, None)
    chance = np.random.default_rng(seed)
    p_value = sign_flip(sums, chance)
    low, high = _bootstrap(sums, sizes, chance)
    if p_value > LEVEL:
        low, high = min(low, 0.0), max(high, 0.0)
    return Shift(delta, max(low, -1.0), min(high, 1.0), p_value, _smallest(sums, sizes))


def sign_flip(sums: "Floats", chance: "np.random.Generator") -> float:
    """The share of ways to swap the sides of pairs that give a total as far from 0: of all ways, or of many."""
    import numpy as np

    values = np.abs(sums[sums != 0])
    total = abs(float(sums.sum())) * (1 - 1e-12)
    if not len(values):
        return 1.0
    if len(values) <= _EXACT_FLIPS:
        signs = 1 - 2 * (np.arange(2 ** len(values))[:, None] >> np.arange(len(values)) & 1)
        return float(np.mean(np.abs(signs @ values) >= total))
    each, counts = _grouped(values)
    scale = math.sqrt(float(values @ values) / float(counts @ each**2))
    flipped = (2 * chance.binomial(counts, 0.5, (_RESAMPLES - 1, len(counts))) - counts) @ each * scale
    return float(1 + np.count_nonzero(np.abs(flipped) >= total)) / _RESAMPLES


def mcnemar(broken: int, fixed: int) -> float:
    """The two-sided p-value of pairs that changed sides: exact, or where that is slow, by the normal's tail."""
    pairs = broken + fixed
    if pairs > _SLOW:
        return math.erfc(max(0.0, (abs(broken - fixed) - 1) / math.sqrt(2 * pairs)))
    whole = math.lgamma(pairs + 1) - pairs * math.log(2)
    tail = math.fsum(
        math.exp(whole - math.lgamma(k + 1) - math.lgamma(pairs - k + 1)) for k in range(min(broken, fixed) + 1)
    )
    return min(1.0, 2 * tail)


def holm(p_values: Sequence[float]) -> list[float]:
    """Each p-value adjusted for how many were asked for."""
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def _bootstrap(sums: "Floats", sizes: "Floats", chance: "np.random.Generator") -> tuple[float, float]:
    import numpy as np

    count, scale = len(sums), 1.0
    if np.all(sizes == 1):
        values, counts = _grouped(sums)
        weights, shares = np.ones(len(values)), counts / count
        middle, spread = sums.mean(), counts @ (values - sums.mean()) ** 2
        scale = math.sqrt(float(((sums - middle) ** 2).sum()) / float(spread)) if spread else 1.0
    else:
        values, weights, shares = sums, sizes, np.full(count, 1 / count)
    delta = sums.sum() / sizes.sum()
    means = np.empty(_RESAMPLES)
    for start in range(0, _RESAMPLES, _BLOCK):
        drawn = chance.multinomial(count, shares, _BLOCK)
        means[start : start + _BLOCK] = (drawn @ values) / (drawn @ weights)
    tail = 0.5 * math.erfc(math.sqrt(count / (count - 1)) * student(count - 1) / math.sqrt(2))
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(delta + (low - delta) * scale), float(delta + (high - delta) * scale)


def _grouped(values: "Floats") -> "tuple[Floats, NDArray[np.int64]]":
    """Distinct values and how often each stands; where there are many, near ones as their mean."""
    import numpy as np

    distinct, counts = np.unique(values, return_counts=True)
    if len(distinct) <= _MOST_VALUES:
        return distinct, counts
    edges = np.linspace(distinct[0], distinct[-1], _MOST_VALUES)
    places = np.digitize(distinct, edges)
    together = np.bincount(places, weights=counts)
    means = np.bincount(places, weights=counts * distinct)[together > 0] / together[together > 0]
    return means, together[together > 0].astype(np.int64)


def _smallest(sums: "Floats", sizes: "Floats") -> float | None:
    """By Student's points for 95 % and 80 %: what would be shown four times in five."""
    import numpy as np

    count = len(sums)
    rest = sums - sizes * (sums.sum() / sizes.sum())
    error = math.sqrt(float(rest @ rest) / (count - 1) * count) / float(np.sum(sizes))
    return (student(count - 1) + 0.8416) * error if error > 0 else None
