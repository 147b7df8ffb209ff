"""A field and two lists → the measures of all pairs, column by column in matrices."""

from collections.abc import Sequence
from itertools import compress
from typing import TYPE_CHECKING, Any

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import PairMeasures, is_empty
from agentv_py.comparison.matchers.exact import Exact
from agentv_py.comparison.pairing.sublists import measure_lists
from agentv_py.comparison.readers.text import compose_texts
from agentv_py.comparison.tree import Field, Leaf, List, Record

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix


def measure_all_pairs(
    field: Field, expected: Sequence[Any], actual: Sequence[Any], by_leaves: bool = False
) -> PairMeasures | None:
    """Return the measures that the walk would return, or None if the field or the values are not of a plain shape."""
    if isinstance(field, Leaf):
        if field.any_of or field.empty_as is not None:
            return None
        if not field.compare_list_as_value and _has_list(expected, actual):
            return None
        return _measure_leaves(field, expected, actual)
    if isinstance(field, List):
        return None if by_leaves else measure_lists(field, expected, actual, measure_all_pairs)
    if not isinstance(field, Record) or not field.from_object or field.default is not None or field.penalize:
        return None
    if not all(issubclass(kind, dict) for kind in _find_types(expected, actual) - {type(ABSENT)}):
        return None
    return _measure_records(field, expected, actual, by_leaves)


def _measure_records(
    record: Record, expected: Sequence[Any], actual: Sequence[Any], by_leaves: bool
) -> PairMeasures | None:
    import numpy as np

    scores, similarities = np.zeros((2, len(expected), len(actual)))
    counts: Matrix | float = 0.0
    has_content: Matrix | float = 0.0
    left, right = (zip(*map(record.read, rows), strict=True) for rows in (expected, actual))
    for entry, labels, answers in zip(record.entries, left, right, strict=True):
        if record.absent_is_empty and ABSENT in labels:
            column = _measure_invented(entry.field, labels, answers)
        else:
            column = measure_all_pairs(entry.field, labels, answers, by_leaves)
        if column is None:
            return None
        scores += _apply_weight(column.scores, entry.weight, column.counts)
        similarities += _apply_weight(column.similarities, entry.weight, column.has_content)
        counts = counts + entry.weight * column.counts
        has_content = has_content + entry.weight * column.has_content
        del column  # its matrices are large, and the next ones can be in the same memory
    if isinstance(counts, float) and isinstance(has_content, float) and counts and has_content:
        if not by_leaves:
            scores /= counts  # in place, because fresh memory for large matrices takes more time than the division
        similarities /= has_content
        return PairMeasures(scores, similarities, 1.0, 1.0)
    counts, has_content = (np.broadcast_to(weights, scores.shape) for weights in (counts, has_content))
    any_counts = np.where(counts > 0.0, 1.0, 0.0)
    # Rows whose leaves are all blank have no share of content, and are wholly similar if anything counts.
    scores = scores if by_leaves else _divide(scores, counts, any_counts)
    similarities = _divide(similarities, has_content, any_counts)
    return PairMeasures(scores, similarities, any_counts, np.where(has_content > 0.0, 1.0, 0.0))


def _measure_invented(field: Field, expected: Sequence[Any], actual: Sequence[Any]) -> PairMeasures | None:
    """Measure leaves where an absent expected value is empty: it counts only where the answer has a value."""
    import numpy as np

    if not isinstance(field, Leaf):
        return None
    column = measure_all_pairs(field, [None if value is ABSENT else value for value in expected], actual)
    if column is None:
        return None
    counts = np.broadcast_to(column.counts, column.scores.shape).copy()
    counts[np.ix_([value is ABSENT for value in expected], [is_empty(value) for value in actual])] = 0.0
    return column._replace(counts=counts)


def _measure_leaves(leaf: Leaf, expected: Sequence[Any], actual: Sequence[Any]) -> PairMeasures:
    import numpy as np

    left, right = [not is_empty(value) for value in expected], [not is_empty(value) for value in actual]
    if all(left) and all(right):
        return PairMeasures(*_score_matrix(leaf, expected, actual), 1.0, 1.0)
    here, there = np.array(left)[:, None], np.array(right)[None, :]
    blank = ~(here | there)
    scores, similarities = np.where(blank, np.ones((2, *blank.shape)), 0.0)
    if any(left) and any(right):
        place, values = np.ix_(left, right), (list(compress(expected, left)), list(compress(actual, right)))
        scores[place], similarities[place] = _score_matrix(leaf, *values)
    counts = np.ones(blank.shape)
    counts[[value is ABSENT for value in expected], :] = 0.0
    if not leaf.required:
        counts[:, ~there[0]] = 0.0
    return PairMeasures(scores, similarities, counts, np.where(blank, 0.0, counts))


def _score_matrix(leaf: Leaf, expected: Sequence[Any], actual: Sequence[Any]) -> tuple["Matrix", "Matrix"]:
    """Return the scores and similarities of values that are not empty; both are 0 for an incomparable pair."""
    import numpy as np

    expected, actual = compose_texts(expected), compose_texts(actual)
    matrix = leaf.match.matrix(expected, actual)
    if leaf.match.unequal_is_zero:  # every pair is 0 or 1
        return matrix, matrix
    unknown = np.isnan(matrix)
    has_unknown = unknown.any()
    if has_unknown and leaf.equal_values_match:
        matrix = np.where(unknown & (Exact().matrix(expected, actual) == 1.0), 1.0, matrix)
    # An incomparable pair is NaN. It does not pass, not even where every other pair does.
    passed = matrix >= leaf.passes_at if leaf.passes_at > 0.0 else ~np.isnan(matrix)
    scores = np.where(passed, matrix, 0.0) if leaf.graded else passed.astype(np.float64)
    return scores, np.fmax(matrix, 0.0) if has_unknown else matrix


def _apply_weight(values: "Matrix", weight: float, mask: "Matrix | float") -> "Matrix":
    if isinstance(mask, float):
        return values if weight == 1.0 else values * weight
    return values * (weight * mask)


def _divide(total: "Matrix", weights: "Matrix", otherwise: "Matrix") -> "Matrix":
    import numpy as np

    return np.divide(total, weights, out=otherwise.copy(), where=weights > 0.0)


def _has_list(expected: Sequence[Any], actual: Sequence[Any]) -> bool:
    return any(issubclass(kind, list) for kind in _find_types(expected, actual))


def _find_types(expected: Sequence[Any], actual: Sequence[Any]) -> set[type]:
    """Return the few types that many values have."""
    return {*map(type, expected), *map(type, actual)}
