"""Pair the rows of two lists: by key, greedily or optimally."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from agentv_py.comparison.comparison import Measure, PairMeasures
from agentv_py.comparison.pairing import assignment, matrices, unambiguous
from agentv_py.comparison.pairing.assignment import Pairs
from agentv_py.comparison.pairing.canonical_order import sort_by_content
from agentv_py.comparison.pairing.keys import pair_by_key, read_keys
from agentv_py.comparison.tree import Field, Pairing, Record, has_even_weights
from agentv_py.comparison.unpaired import has_leaves

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix

MeasurePair = Callable[[Field, Any, Any], Measure | None]
"""The walk of one pair of rows."""

# Up to this many pairs the walk is faster than matrices: by how many levels of lists a row contains.
_FEW_PAIRS = {0: 20, 1: 4}


def pair_rows(
    item: Field, pairing: Pairing, expected: list[Any], actual: list[Any], measure_pair: MeasurePair
) -> tuple[Pairs, set[int]]:
    """Return the pairs of indexes, and the expected rows that are known to match their partners fully."""
    if pairing.key:
        return _pair_by_key(item, pairing, expected, actual, measure_pair)
    if not expected or not actual:
        return [], set()
    if unambiguous.is_worth_trying(pairing, expected, actual):
        unambiguous_pairs = unambiguous.pair_unambiguous(pairing.columns, expected, actual, pairing.threshold)
        if unambiguous_pairs is not None:
            return unambiguous_pairs
    if not pairing.is_order_free:
        return _pair_all(item, pairing, expected, actual, measure_pair)
    left, right = sort_by_content(item, expected), sort_by_content(item, actual)
    rows, others = [expected[index] for index in left], [actual[index] for index in right]
    pairs, full = _pair_all(item, pairing, rows, others, measure_pair)
    return sorted((left[row], right[column]) for row, column in pairs), {left[row] for row in full}


def _pair_by_key(
    item: Field, pairing: Pairing, expected: list[Any], actual: list[Any], measure_pair: MeasurePair
) -> tuple[Pairs, set[int]]:
    """Pair rows by their keys, and the rows that have no key by similarity."""

    def measure_all(field: Field, left: list[Any], right: list[Any]) -> PairMeasures:
        measures = matrices.measure_all_pairs(field, left, right)
        return _walk_all_pairs(field, left, right, measure_pair) if measures is None else measures

    left, right = read_keys(expected, pairing.key), read_keys(actual, pairing.key)
    pairs = pair_by_key(left, right, pairing.key, measure_all)
    if len(left) == len(expected) or len(right) == len(actual):
        return pairs, set()
    rows = [index for index in range(len(expected)) if index not in left]
    others = [index for index in range(len(actual)) if index not in right]
    sides = [expected[index] for index in rows], [actual[index] for index in others]
    keyless, full = pair_rows(item, pairing._replace(key=()), *sides, measure_pair)
    pairs += [(rows[row], others[other]) for row, other in keyless]
    return sorted(pairs), {rows[row] for row in full}


def _pair_all(
    item: Field, pairing: Pairing, expected: list[Any], actual: list[Any], measure_pair: MeasurePair
) -> tuple[Pairs, set[int]]:
    """Pair rows by the measures of all pairs."""
    has_many = len(expected) * len(actual) > _FEW_PAIRS.get(pairing.depth, 0)
    measures = matrices.measure_all_pairs(item, expected, actual, pairing.by_leaves) if has_many else None
    if measures is None:
        measures = _walk_all_pairs(item, expected, actual, measure_pair)
    free = None if isinstance(measures.counts, float) else measures.counts == 0.0
    if pairing.matching == "greedy":
        pairs = assignment.pair_greedily(measures.similarities, pairing.threshold, free)
    else:
        sums = measures.scores, measures.similarities
        # A plain 1.0 is the content of rows that hold no list, and in which no leaf is empty.
        is_filled = not pairing.depth and isinstance(measures.has_content, float)
        filled = None if is_filled else _count_filled(item, expected, actual)
        pairs = assignment.pair_optimally(*sums, pairing.threshold, free, filled)
    if free is not None or pairing.depth or not has_even_weights(item):
        return pairs, set()
    most = item.leaf_weight if pairing.by_leaves and isinstance(item, Record) else 1.0
    full = (measures.scores == most) & (measures.similarities == 1.0)  # every leaf of every pair counts
    return pairs, {row for row, column in pairs if full[row, column]}


def _count_filled(item: Field, expected: list[Any], actual: list[Any]) -> "Matrix | None":
    """Return how many rows of each pair are not blank; None if no row is blank."""
    import numpy as np

    left, right = ([has_leaves("extra", item, row) for row in rows] for rows in (expected, actual))
    if all(left) and all(right):
        return None
    counts: Matrix = np.add.outer(np.array(left, dtype=float), np.array(right, dtype=float))
    return counts


def _walk_all_pairs(item: Field, expected: list[Any], actual: list[Any], measure_pair: MeasurePair) -> PairMeasures:
    import numpy as np

    scores, similarities, counts = np.zeros((3, len(expected), len(actual)))
    for row, left in enumerate(expected):
        for column, right in enumerate(actual):
            measure = measure_pair(item, left, right)
            if measure is not None:
                scores[row, column], similarities[row, column] = measure.score, measure.similarity
                counts[row, column] = 1.0
    return PairMeasures(scores, similarities, counts, counts)
