"""Differences of pairs → an interval, and how often chance alone would do as much.

A percentile bootstrap of a dozen cases raises too many false alarms, and skewed differences (small losses, rare gains)
deceive most tests. So the interval is the bootstrap's, its percentiles widened as Student's are (Hesterberg), and it
leaves 0 out only where two more agree: the studentised bootstrap, which sees skew, and a sign-flip test, exact at any
number of cases, of the pairs and one more that moves the other way. `benchmarks/false_alarms.py` counts what is left.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentv_py.report.statistics import Z95, student

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LEVEL = 0.05

_BLOCK = 500
_BLOCKS = 10
_RESAMPLES = _BLOCK * _BLOCKS
_CELLS = 2_000_000
_TINY = 1e-12
_POWER = 0.8416
"""The normal's 80 % point."""
_EXACT_FLIPS = 12
_MOST_VALUES = 200
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
    """The smallest difference that as many pairs, as noisy as these, would show about four times in five; None where
    the noise is unknown, or so many could not show even the greatest difference there is."""


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
    p_value = p_of(sums, chance)
    low, high, agrees = _bootstrap(sums, sizes, chance)
    if p_value > LEVEL or not agrees:
        low, high = min(low, 0.0), max(high, 0.0)
    return Shift(delta, max(low, -1.0), min(high, 1.0), p_value, _smallest(sums, sizes))


def p_of(sums: "Floats", chance: "np.random.Generator") -> float:
    """The sign-flip test's, with one more pair that moves the other way, as far as those that moved do on average."""
    import numpy as np

    moved = np.abs(sums[sums != 0])
    against = -np.sign(sums.sum()) * (moved.mean() if len(moved) else 0.0)
    return sign_flip(np.append(sums, against), chance)


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


def _bootstrap(sums: "Floats", sizes: "Floats", chance: "np.random.Generator") -> tuple[float, float, bool]:
    """The widened percentiles, and whether the studentised ones leave 0 out as well."""
    import numpy as np

    count = len(sums)
    values, weights, times = _drawable(sums, sizes)
    products = _products(values, weights)
    means, errors = _means_and_errors(np.concatenate(list(_draws(products, times, chance))), count)
    [delta], [error] = _means_and_errors(_products(sums, sizes).sum(axis=0, keepdims=True), count)
    grouped = _means_and_errors(times[None, :] @ products, count)[1][0]
    scale = error / grouped if grouped > _TINY else 1.0
    tail = 0.5 * math.erfc(math.sqrt(count / (count - 1)) * student(count - 1) / math.sqrt(2))
    low, high = (float(delta + (bound - delta) * scale) for bound in np.quantile(means, [tail, 1 - tail]))
    varied = errors > _TINY  # a resample of equal pairs says nothing of its own error
    studentised = (means[varied] - delta) / errors[varied]
    return low, high, _leaves_zero_out(float(delta), studentised, float(error))


def _draws(products: "Floats", times: "NDArray[np.int64]", chance: "np.random.Generator") -> "Iterator[Floats]":
    """The sums of each resample, some resamples at a time; where all stand once, places are drawn and counted."""
    import numpy as np

    count, kinds = int(times.sum()), len(times)
    if kinds < count:
        for _ in range(_BLOCKS):
            yield chance.multinomial(count, times / count, _BLOCK).astype(float) @ products
        return
    for start in range(0, _RESAMPLES, most := max(1, _CELLS // kinds)):
        block = min(most, _RESAMPLES - start)
        places = chance.integers(kinds, size=(block, kinds)) + np.arange(block)[:, None] * kinds
        yield np.bincount(places.ravel(), minlength=block * kinds).reshape(block, kinds).astype(float) @ products


def _products(values: "Floats", weights: "Floats") -> "Floats":
    """What the mean and the error of any draw are sums of."""
    import numpy as np

    return np.column_stack([values, weights, values**2, values * weights, weights**2])


def _means_and_errors(summed: "Floats", count: int) -> "tuple[Floats, Floats]":
    """Of each draw: its mean, and by how far its pairs lie from that, the mean's standard error."""
    import numpy as np

    total, weight, squares, crossed, weighed = summed.T
    means = total / weight
    spread = np.maximum(squares - 2 * means * crossed + means**2 * weighed, 0.0)
    return means, np.sqrt(spread * count / (count - 1)) / weight


def _leaves_zero_out(delta: float, studentised: "Floats", error: float) -> bool:
    """Whether the interval that the studentised resamples give lies on one side of 0."""
    import numpy as np

    if not len(studentised):
        return True
    low, high = np.quantile(studentised, [LEVEL / 2, 1 - LEVEL / 2])
    return bool(delta - high * error > 0 or delta - low * error < 0)


def _drawable(sums: "Floats", sizes: "Floats") -> "tuple[Floats, Floats, NDArray[np.int64]]":
    """Values, how many pairs each is the sum of, and how often each stands: the fewer, the faster they are drawn."""
    import numpy as np

    if np.any(sizes != 1):
        return sums, sizes, np.ones(len(sums), dtype=np.int64)
    values, times = _grouped(sums)
    return values, np.ones(len(values)), times


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
    """By Student's points for 95 % and 80 %, or by the sign-flip test with one more against it, which asks for more."""
    import numpy as np

    count = len(sums)
    rest = sums - sizes * (sums.sum() / sizes.sum())
    error = math.sqrt(float(rest @ rest) / (count - 1) * count) / float(np.sum(sizes))
    room = (count - 1) ** 2 / (Z95**2 * (count + 1)) - 1  # below 0, equal pairs cannot pass that test, however great
    if error <= _TINY or room <= 0:
        return None
    flips = ((room + 1) * _POWER + math.sqrt((room + 1) * _POWER**2 + room * count)) / room
    found = max(student(count - 1) + _POWER, flips) * error
    return found if found <= 1 else None
