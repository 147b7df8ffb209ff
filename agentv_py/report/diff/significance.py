"""Differences of pairs → an interval, and the probability that chance alone gives as large a difference.

A percentile bootstrap of a dozen cases raises too many false alarms, and skewed differences (small losses, rare gains)
mislead most tests. So the interval is the bootstrap's, with its percentiles widened as Student's are (Hesterberg). It
excludes 0 only where two more tests agree: the studentised bootstrap, which detects skew, and a sign-flip test, which
is exact at any number of cases, of the pairs and one additional pair that moves the other way.
`benchmarks/false_alarms.py` counts the remaining false alarms.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agentv_py.report.statistics import Z95, student_quantile

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
"""The 80 % point of the normal distribution."""
_EXACT_FLIPS = 12
_MOST_VALUES = 200
_MOST_EXACT = 10_000
"""Discordant pairs; above this number the exact test is slow and no more accurate than the normal tail."""


@dataclass(frozen=True, slots=True)
class Shift:
    """A mean difference, its 95 % interval, and the probability of one as large if there is no true difference."""

    delta: float
    low: float
    high: float
    p_value: float
    smallest: float | None
    """The smallest difference that this number of pairs, with this noise, shows about four times in five. None where
    the noise is unknown, or where so few pairs cannot show even the greatest possible difference."""


NOTHING = Shift(0.0, -1.0, 1.0, 1.0, None)
"""The shift of no pairs."""


def estimate_shift(differences: "Floats", clusters: "NDArray[np.int64] | None", seed: int) -> Shift:
    """Estimate the shift from differences in -1..1. The differences of one cluster are not independent."""
    import numpy as np

    sizes = np.ones(len(differences)) if clusters is None else np.bincount(clusters).astype(float)
    sums: Floats = differences if clusters is None else np.bincount(clusters, weights=differences).astype(float)
    if not len(sums):
        return NOTHING
    delta = float(sums.sum() / sizes.sum())
    if len(sums) == 1:
        return Shift(delta, -1.0, 1.0, 1.0, None)
    chance = np.random.default_rng(seed)
    p_value = compute_p_value(sums, chance)
    low, high, agrees = _bootstrap(sums, sizes, chance)
    if p_value > LEVEL or not agrees:
        low, high = min(low, 0.0), max(high, 0.0)
    return Shift(delta, max(low, -1.0), min(high, 1.0), p_value, _find_smallest(sums, sizes))


def compute_p_value(sums: "Floats", chance: "np.random.Generator") -> float:
    """Return the sign-flip test's p-value. One more pair moves the other way, by the mean of those that moved."""
    import numpy as np

    moved = np.abs(sums[sums != 0])
    against = -np.sign(sums.sum()) * (moved.mean() if len(moved) else 0.0)
    return run_sign_flip_test(np.append(sums, against), chance)


def run_sign_flip_test(sums: "Floats", chance: "np.random.Generator") -> float:
    """Return the share of sign flips whose total is as far from 0: of all flips, or of a random sample of them."""
    import numpy as np

    values = np.abs(sums[sums != 0])
    total = abs(float(sums.sum())) * (1 - 1e-12)
    if not len(values):
        return 1.0
    if len(values) <= _EXACT_FLIPS:
        signs = 1 - 2 * (np.arange(2 ** len(values))[:, None] >> np.arange(len(values)) & 1)
        return float(np.mean(np.abs(signs @ values) >= total))
    each, counts = _group_values(values)
    scale = math.sqrt(float(values @ values) / float(counts @ each**2))
    flipped = (2 * chance.binomial(counts, 0.5, (_RESAMPLES - 1, len(counts))) - counts) @ each * scale
    return float(1 + np.count_nonzero(np.abs(flipped) >= total)) / _RESAMPLES


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


def adjust_p_values(p_values: Sequence[float]) -> list[float]:
    """Adjust each p-value for the number of tests."""
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted


def _bootstrap(sums: "Floats", sizes: "Floats", chance: "np.random.Generator") -> tuple[float, float, bool]:
    """Return the widened percentiles, and whether the studentised ones exclude 0 too."""
    import numpy as np

    count = len(sums)
    values, weights, times = _prepare_draws(sums, sizes)
    products = _multiply(values, weights)
    means, errors = _compute_means_and_errors(np.concatenate(list(_draw_sums(products, times, chance))), count)
    [delta], [error] = _compute_means_and_errors(_multiply(sums, sizes).sum(axis=0, keepdims=True), count)
    grouped = _compute_means_and_errors(times[None, :] @ products, count)[1][0]
    scale = error / grouped if grouped > _TINY else 1.0
    tail = 0.5 * math.erfc(math.sqrt(count / (count - 1)) * student_quantile(count - 1) / math.sqrt(2))
    low, high = (float(delta + (bound - delta) * scale) for bound in np.quantile(means, [tail, 1 - tail]))
    varied = errors > _TINY  # a resample of equal pairs has no error of its own
    studentised = (means[varied] - delta) / errors[varied]
    return low, high, _excludes_zero(float(delta), studentised, float(error))


def _draw_sums(products: "Floats", times: "NDArray[np.int64]", chance: "np.random.Generator") -> "Iterator[Floats]":
    """Yield the sums of each resample, in blocks. Where all values are distinct, indexes are drawn and counted."""
    import numpy as np

    count, kinds = int(times.sum()), len(times)
    if kinds < count:
        for _ in range(_BLOCKS):
            yield chance.multinomial(count, times / count, _BLOCK).astype(float) @ products
        return
    for start in range(0, _RESAMPLES, most := max(1, _CELLS // kinds)):
        block = min(most, _RESAMPLES - start)
        indexes = chance.integers(kinds, size=(block, kinds)) + np.arange(block)[:, None] * kinds
        yield np.bincount(indexes.ravel(), minlength=block * kinds).reshape(block, kinds).astype(float) @ products


def _multiply(values: "Floats", weights: "Floats") -> "Floats":
    """Return the terms whose sums give the mean and the error of any draw."""
    import numpy as np

    return np.column_stack([values, weights, values**2, values * weights, weights**2])


def _compute_means_and_errors(summed: "Floats", count: int) -> "tuple[Floats, Floats]":
    """Return the mean of each draw, and the mean's standard error from the distances of its pairs."""
    import numpy as np

    total, weight, squares, crossed, weighed = summed.T
    means = total / weight
    spread = np.maximum(squares - 2 * means * crossed + means**2 * weighed, 0.0)
    return means, np.sqrt(spread * count / (count - 1)) / weight


def _excludes_zero(delta: float, studentised: "Floats", error: float) -> bool:
    """Return whether the interval of the studentised resamples is on one side of 0."""
    import numpy as np

    if not len(studentised):
        return True
    low, high = np.quantile(studentised, [LEVEL / 2, 1 - LEVEL / 2])
    return bool(delta - high * error > 0 or delta - low * error < 0)


def _prepare_draws(sums: "Floats", sizes: "Floats") -> "tuple[Floats, Floats, NDArray[np.int64]]":
    """Return values, the number of pairs that each sums up, and how often each occurs: fewer values draw faster."""
    import numpy as np

    if np.any(sizes != 1):
        return sums, sizes, np.ones(len(sums), dtype=np.int64)
    values, times = _group_values(sums)
    return values, np.ones(len(values)), times


def _group_values(values: "Floats") -> "tuple[Floats, NDArray[np.int64]]":
    """Return the distinct values and how often each occurs; where there are many, near ones become their mean."""
    import numpy as np

    distinct, counts = np.unique(values, return_counts=True)
    if len(distinct) <= _MOST_VALUES:
        return distinct, counts
    edges = np.linspace(distinct[0], distinct[-1], _MOST_VALUES)
    bins = np.digitize(distinct, edges)
    totals = np.bincount(bins, weights=counts)
    means = np.bincount(bins, weights=counts * distinct)[totals > 0] / totals[totals > 0]
    return means, totals[totals > 0].astype(np.int64)


def _find_smallest(sums: "Floats", sizes: "Floats") -> float | None:
    """Use Student's points for 95 % and 80 %, or the sign-flip test with one more pair if that needs a larger shift."""
    import numpy as np

    count = len(sums)
    rest = sums - sizes * (sums.sum() / sizes.sum())
    error = math.sqrt(float(rest @ rest) / (count - 1) * count) / float(np.sum(sizes))
    room = (count - 1) ** 2 / (Z95**2 * (count + 1)) - 1  # below 0, even equal pairs cannot pass that test
    if error <= _TINY or room <= 0:
        return None
    flips = ((room + 1) * _POWER + math.sqrt((room + 1) * _POWER**2 + room * count)) / room
    smallest = max(student_quantile(count - 1) + _POWER, flips) * error
    return smallest if smallest <= 1 else None
