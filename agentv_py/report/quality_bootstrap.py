"""The counts of documents → 95 % intervals of precision, recall and F1, by a bootstrap over documents.

Each resample weighs the documents at random (Rubin's Bayesian bootstrap): documents that have the same counts share one
draw, so that a resample costs as much as there are kinds of documents. Half a document that is right and half a
document that is wrong are added, so that twelve right documents do not have an interval from 1 to 1. For an attribute
with one value per document this is Jeffreys' interval. The documents of two sides of a diff are weighed together.
`benchmarks/intervals.py` measures how often the intervals hold the true figure.
"""

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from agentv_py.comparison.counts import quality
from agentv_py.report.attribute_counts import AttributeCounts, Vector
from agentv_py.report.statistics import LOW_TAIL, Estimate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_RESAMPLES = 2_000
_HALF = 0.5
_MOST_GROUPS = 1_000
"""Kinds of documents. Above this number, documents are put into groups at random, and groups are resampled."""


class QualityEstimates(NamedTuple):
    """Each is None where its figure is undefined."""

    precision: Estimate | None
    recall: Estimate | None
    f1: Estimate | None


NO_ESTIMATES = QualityEstimates(None, None, None)


class F1Shift(NamedTuple):
    """The 95 % interval of a change of F1."""

    low: float
    high: float

    @property
    def is_worse(self) -> bool:
        return self.high < 0


def estimate_quality(counts: AttributeCounts) -> QualityEstimates:
    """Estimate precision, recall and F1 from the documents that have a value, or an error, of the attribute."""
    import numpy as np

    totals = counts.sum_up()
    figures = quality(totals)
    if not (totals["tp"] or totals["fp"] or totals["fn"]):
        return NO_ESTIMATES
    vectors, times = _read_kinds(counts.kinds)
    size = float(times @ (vectors[:, 0] + np.maximum(vectors[:, 1], vectors[:, 2]))) / float(times.sum())
    tp, fp, fn = _resample(vectors, times, [[size, 0, 0], [0, size, size]]).T
    f1 = 0.0 if figures.f1 is None else figures.f1
    scale = math.sqrt(times.sum() / (times.sum() + counts.documents_beyond))
    return QualityEstimates(
        _find_bounds(tp / (tp + fp), figures.precision, scale),
        _find_bounds(tp / (tp + fn), figures.recall, scale),
        _find_bounds(2 * tp / (2 * tp + fp + fn), f1, scale),
    )


def estimate_f1_shift(before: "Floats", after: "Floats") -> F1Shift | None:
    """Estimate by how much F1 changed; each row has the tp, fp and fn of a document, in the same order on both sides.

    The added halves move one way and the other, as far as documents that moved do. None if there is nothing to count.
    """
    import numpy as np

    both = np.hstack([before, after])
    vectors, times = _find_kinds(both[both.any(axis=1)])
    if not len(vectors):
        return None
    moved = abs(vectors[:, 3:] - vectors[:, :3]).max(axis=1)
    weight = times[moved > 0]
    if len(weight):
        size = float(weight @ moved[moved > 0] / weight.sum())
    else:
        size = float(times @ vectors[:, :3].max(axis=1) / times.sum())
    right, wrong = [size, 0, 0], [0, size, size]
    summed = _resample(vectors, times.astype(float), [right + wrong, wrong + right])
    return F1Shift(*find_tails(_compute_f1(summed[:, 3:]) - _compute_f1(summed[:, :3])))


def _find_kinds(documents: "Floats") -> "tuple[Floats, NDArray[np.int64]]":
    """Return the distinct rows, and how often each occurs: rows of small numbers are compared as one number each."""
    import numpy as np

    sizes = documents.max(axis=0, initial=0) + 1
    if float(np.prod(sizes)) > 2**62:
        vectors, times = np.unique(documents, axis=0, return_counts=True)
        return vectors, times
    factors = np.append(1, np.cumprod(sizes[:-1])).astype(np.int64)
    _, first, times = np.unique(documents.astype(np.int64) @ factors, return_index=True, return_counts=True)
    return documents[first], times


def _compute_f1(summed: "Floats") -> "Floats":
    import numpy as np

    tp, fp, fn = summed.T
    return np.asarray(2 * tp / np.maximum(2 * tp + fp + fn, 1e-12))


def _read_kinds(kinds: Mapping[Vector, int]) -> "tuple[Floats, Floats]":
    """Return tp, fp and fn of each kind of document that counts, and the number of such documents."""
    import numpy as np

    known: dict[tuple[int, int, int], int] = {}
    for (tp, _, fp, fn), times in kinds.items():
        if tp or fp or fn:
            known[tp, fp, fn] = known.get((tp, fp, fn), 0) + times
    return np.array(list(known), dtype=np.float64).reshape(-1, 3), np.array(list(known.values()), dtype=np.float64)


def _resample(vectors: "Floats", times: "Floats", ends: list[list[float]]) -> "Floats":
    """Return the sums of each resample, with half a document at each of both ends."""
    import numpy as np

    chance = np.random.default_rng(0)
    if len(vectors) > _MOST_GROUPS:
        vectors, times = _group(vectors, times, chance)
    weights = chance.standard_gamma(np.append(times, [_HALF, _HALF]), (_RESAMPLES, len(times) + 2))
    return np.asarray(weights @ np.vstack([vectors, ends]))


def _group(vectors: "Floats", times: "Floats", chance: "np.random.Generator") -> "tuple[Floats, Floats]":
    """Return the sums of random groups of documents; a group is one document of the resamples."""
    import numpy as np

    documents = np.repeat(np.arange(len(vectors)), times.astype(np.int64))
    groups = chance.permutation(len(documents)) % _MOST_GROUPS
    sums = [np.bincount(groups, weights=vectors[documents, column]) for column in range(vectors.shape[1])]
    return np.column_stack(sums), np.ones(_MOST_GROUPS)


def _find_bounds(resampled: "Floats", value: float | None, scale: float) -> Estimate | None:
    """Return the figure between the bounds of its resamples; a figure of 0 or 1 is its own bound."""
    if value is None:
        return None
    low, high = (value + (bound - value) * scale for bound in find_tails(resampled))
    return Estimate(value, 0.0 if value == 0 else min(low, value), 1.0 if value == 1 else max(high, value))


def find_tails(resampled: "Floats") -> tuple[float, float]:
    """Return what `np.quantile` returns for both tails, which would load `numpy.ma`: a fifth of loading numpy."""
    import numpy as np

    ordered = np.sort(resampled)
    low, high = (_interpolate(ordered, share * (len(ordered) - 1)) for share in (LOW_TAIL, 1 - LOW_TAIL))
    return low, high


def _interpolate(ordered: "Floats", place: float) -> float:
    """Return the value at a place between two neighbours, from the nearer one, as numpy does."""
    index = int(place)
    share = place - index
    below, above = float(ordered[index]), float(ordered[index + 1])
    step = above - below
    return below + step * share if share < _HALF else above - step * (1 - share)
