"""Two lists, and how their rows find each other → who belongs to whom."""

from collections.abc import Callable
from typing import Any

from agentv_py.comparison.measure import Measure, PairMeasures
from agentv_py.comparison.pairing import assignment, matrices, unambiguous
from agentv_py.comparison.pairing.assignment import Pairs
from agentv_py.comparison.pairing.canonical_order import order
from agentv_py.comparison.tree import Field, Pairing, evenly_weighted

Measured = Callable[[Field, Any, Any], Measure | None]
"""The walk, for one pair of rows."""

# Up to this many pairs the walk itself is faster than matrices: by how many levels of lists are in a row.
_FEW_PAIRS = {0: 20, 1: 4}


def pair(
    item: Field, pairing: Pairing, expected: list[Any], actual: list[Any], measured: Measured
) -> tuple[Pairs, set[int]]:
    """Who belongs to whom, and the rows whose partner is known to match them fully."""
    if pairing.key:
        return assignment.by_key(expected, actual, pairing.key), set()
    if not expected or not actual:
        return [], set()
    if unambiguous.applies(pairing, expected, actual):
        found = unambiguous.pairs(pairing.columns, expected, actual, pairing.threshold)
        if found is not None:
            return found
    if not pairing.order_free:
        return _aligned(item, pairing, expected, actual, measured)
    left, right = order(item, expected), order(item, actual)
    rows, others = [expected[index] for index in left], [actual[index] for index in right]
    pairs, full = _aligned(item, pairing, rows, others, measured)
    return sorted((left[row], right[column]) for row, column in pairs), {left[row] for row in full}


def _aligned(
    item: Field, pairing: Pairing, expected: list[Any], actual: list[Any], measured: Measured
) -> tuple[Pairs, set[int]]:
    many = len(expected) * len(actual) > _FEW_PAIRS.get(pairing.depth, 0)
    columns = matrices.all_pairs(item, expected, actual) if many else None
    if columns is None:
        columns = _one_by_one(item, expected, actual, measured)
    free = None if isinstance(columns.counts, float) else columns.counts == 0.0
    if pairing.matching == "greedy":
        pairs = assignment.greedy(columns.similarities, pairing.threshold, free)
    else:
        pairs = assignment.optimal(columns.scores, columns.similarities, pairing.threshold, free)
    if free is not None or pairing.depth or not evenly_weighted(item):
        return pairs, set()
    full = (columns.scores == 1.0) & (columns.similarities == 1.0)  # every leaf of every pair is there
    return pairs, {row for row, column in pairs if full[row, column]}


def _one_by_one(item: Field, expected: list[Any], actual: list[Any], measured: Measured) -> PairMeasures:
    import numpy as np

    scores, similarities, counts = np.zeros((3, len(expected), len(actual)))
    for row, left in enumerate(expected):
        for column, right in enumerate(actual):
            measure = measured(item, left, right)
            if measure is not None:
                scores[row, column], similarities[row, column] = measure.score, measure.similarity
                counts[row, column] = 1.0
    return PairMeasures(scores, similarities, counts, counts)
