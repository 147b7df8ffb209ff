"""Pair the rows of two lists: by key, greedily or optimally."""

from collections.abc import Callable
from typing import Any

from agentv_py.comparison.comparison import Measure, PairMeasures
from agentv_py.comparison.pairing import assignment, matrices, unambiguous
from agentv_py.comparison.pairing.assignment import Pairs
from agentv_py.comparison.pairing.canonical_order import sort_by_content
from agentv_py.comparison.tree import Field, Pairing, has_even_weights

MeasurePair = Callable[[Field, Any, Any], Measure | None]
"""The walk of one pair of rows."""

# Up to this many pairs the walk is faster than matrices: by how many levels of lists a row contains.
_FEW_PAIRS = {0: 20, 1: 4}


def pair_rows(
    item: Field, pairing: Pairing, expected: list[Any], actual: list[Any], measure_pair: MeasurePair
) -> tuple[Pairs, set[int]]:
    """Return the pairs of indexes, and the expected rows that are known to match their partners fully."""
    if pairing.key:
        return assignment.pair_by_key(expected, actual, pairing.key), set()
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


def _pair_all(
    item: Field, pairing: Pairing, expected: list[Any], actual: list[Any], measure_pair: MeasurePair
) -> tuple[Pairs, set[int]]:
    """Pair rows by the measures of all pairs."""
    has_many = len(expected) * len(actual) > _FEW_PAIRS.get(pairing.depth, 0)
    measures = matrices.measure_all_pairs(item, expected, actual) if has_many else None
    if measures is None:
        measures = _walk_all_pairs(item, expected, actual, measure_pair)
    free = None if isinstance(measures.counts, float) else measures.counts == 0.0
    if pairing.matching == "greedy":
        pairs = assignment.pair_greedily(measures.similarities, pairing.threshold, free)
    else:
        pairs = assignment.pair_optimally(measures.scores, measures.similarities, pairing.threshold, free)
    if free is not None or pairing.depth or not has_even_weights(item):
        return pairs, set()
    full = (measures.scores == 1.0) & (measures.similarities == 1.0)  # every leaf of every pair counts
    return pairs, {row for row, column in pairs if full[row, column]}


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
