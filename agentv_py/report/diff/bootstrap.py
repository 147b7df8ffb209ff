"""Differences of pairs → the interval of their mean, and whether it is skewed, by resamples of the pairs."""

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

from agentv_py.report.statistics import student_quantile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agentv_py.report.diff.flips import Floats

_TAIL = 0.025
_BLOCK = 500
_BLOCKS = 10
_RESAMPLES = _BLOCK * _BLOCKS
_CELLS = 2_000_000
_TINY = 1e-12
_MOST_VALUES = 200


def resample(sums: "Floats", sizes: "Floats", chance: "np.random.Generator") -> tuple[float, float, bool]:
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
    low, high = np.quantile(studentised, [_TAIL, 1 - _TAIL])
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
