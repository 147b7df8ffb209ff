"""A field and two lists → the scores and similarities of all pairs."""

from collections.abc import Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import is_empty
from agentv_py.comparison.measure import PairMeasures
from agentv_py.comparison.pairing.sublists import pair_lists
from agentv_py.comparison.tree import Field, Leaf, List, Record

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix


def all_pairs(field: Field, expected: Sequence[Any], actual: Sequence[Any]) -> PairMeasures | None:
    """The measures that the walk would find, or None where the field or the values are not of a plain shape."""
    if isinstance(field, Leaf):
        if field.any_of or field.empty_as is not None or (not field.whole and _any_list(expected, actual)):
            return None
        return _leaf(field, expected, actual)
    if isinstance(field, List):
        return pair_lists(field, expected, actual, all_pairs)
    if not isinstance(field, Record) or not field.mirrors or field.default is not None or field.penalize:
        return None
    if not all(isinstance(row, dict) or row is ABSENT for rows in (expected, actual) for row in rows):
        return None
    return _record(field, expected, actual)


def _record(record: Record, expected: Sequence[Any], actual: Sequence[Any]) -> PairMeasures | None:
    import numpy as np

    scores, similarities = np.zeros((2, len(expected), len(actual)))
    counts: Matrix | float = 0.0
    tells: Matrix | float = 0.0
    left, right = (zip(*map(record.read, rows), strict=True) for rows in (expected, actual))
    for entry, *sides in zip(record.entries, left, right, strict=True):
        column = all_pairs(entry.field, *sides)
        if column is None:
            return None
        scores += _weighted(column.scores, entry.weight, column.counts)
        similarities += _weighted(column.similarities, entry.weight, column.tells)
        counts = counts + entry.weight * column.counts
        tells = tells + entry.weight * column.tells
    if isinstance(counts, float) and isinstance(tells, float) and counts and tells:
        return PairMeasures(scores / counts, similarities / tells, 1.0, 1.0)
    counts, tells = (np.broadcast_to(weights, scores.shape) for weights in (counts, tells))
    alike = np.where(counts > 0.0, 1.0, 0.0)  # rows whose leaves are all blank are alike
    told = np.where(tells > 0.0, 1.0, 0.0)
    return PairMeasures(_share(scores, counts, alike), _share(similarities, tells, alike), alike, told)


def _leaf(leaf: Leaf, expected: Sequence[Any], actual: Sequence[Any]) -> PairMeasures:
    import numpy as np

    left, right = [not is_empty(value) for value in expected], [not is_empty(value) for value in actual]
    if all(left) and all(right):
        return PairMeasures(*_passed(leaf, leaf.match.matrix(expected, actual)), 1.0, 1.0)
    here, there = np.array(left)[:, None], np.array(right)[None, :]
    blank = ~(here | there)
    scores, similarities = np.where(blank, np.ones((2, *blank.shape)), 0.0)
    if any(left) and any(right):
        matrix = leaf.match.matrix(list(compress(expected, left)), list(compress(actual, right)))
        place = np.ix_(left, right)
        scores[place], similarities[place] = _passed(leaf, matrix)
    counts = np.ones(blank.shape)
    counts[[value is ABSENT for value in expected], :] = 0.0
    if not leaf.required:
        counts[:, ~there[0]] = 0.0
    return PairMeasures(scores, similarities, counts, np.where(blank, 0.0, counts))


def _passed(leaf: Leaf, matrix: "Matrix") -> tuple["Matrix", "Matrix"]:
    """The scores and similarities of values that are there; what is incomparable has none."""
    import numpy as np

    # NaN is below every line but the one that everything passes.
    passed = matrix >= leaf.passes_at if leaf.passes_at > 0.0 else ~np.isnan(matrix)
    scores = np.where(passed, matrix, 0.0) if leaf.graded else passed.astype(np.float64)
    return scores, np.fmax(matrix, 0.0)


def _weighted(values: "Matrix", weight: float, mask: "Matrix | float") -> "Matrix":
    if isinstance(mask, float):
        return values if weight == 1.0 else values * weight
    return values * (weight * mask)


def _share(total: "Matrix", weights: "Matrix", otherwise: "Matrix") -> "Matrix":
    import numpy as np

    return np.divide(total, weights, out=otherwise.copy(), where=weights > 0.0)


def _any_list(expected: Sequence[Any], actual: Sequence[Any]) -> bool:
    return any(isinstance(value, list) for values in (expected, actual) for value in values)
