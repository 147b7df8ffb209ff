"""A field tree and two values → comparisons and a measure: the one recursion over record, list and leaf."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import (
    ALIKE,
    BLANK,
    NO_LEAVES,
    Comparison,
    Measure,
    are_plain,
    build_full_match,
    get_blank,
    is_empty,
)
from agentv_py.comparison.leaf import compare_leaf, compare_readings
from agentv_py.comparison.list_measure import ListMeasure
from agentv_py.comparison.trace import Trace
from agentv_py.comparison.tree import Anything, Field, Leaf, List, Record, RecordEntry
from agentv_py.comparison.unpaired import (
    compare_surplus_keys,
    count_values,
    has_leaves,
    measure_other_shape,
)

if TYPE_CHECKING:
    from agentv_py.comparison.pairing.assignment import Pairs


def walk(field: Field, expected: Any, actual: Any, path: str, trace: Trace) -> Measure | None:
    """Return the measure of this part of the tree, or None if nothing in it counts; the trace gets its comparisons."""
    if type(field) is Leaf:
        return _walk_leaf(field, expected, actual, path, trace)
    if type(field) is List:
        return _walk_list(field, expected, actual, path, trace)
    if type(field) is Anything:
        return _walk_anything(field, expected, actual, path, trace)
    assert type(field) is Record  # noqa: S101  for the type checker
    if field.from_object:
        return _walk_object(field, expected, actual, path, trace)
    return _walk_record(field, expected, actual, path, trace)


def _walk_anything(anything: Anything, expected: Any, actual: Any, path: str, trace: Trace) -> Measure | None:
    shape = anything.shape_of(actual if is_empty(expected) else expected)
    if type(shape) is Leaf and isinstance(expected, list) and (shape.required or not is_empty(actual)):
        return _walk_readings(anything.leaf_of, expected, actual, path, trace)
    return walk(shape, expected, actual, path, trace)


def _walk_object(record: Record, expected: Any, actual: Any, path: str, trace: Trace) -> Measure | None:
    """Compare two objects. Two lists are compared by index, and any other shape is a mismatch."""
    if isinstance(expected, list):
        return _walk_list(List(record), expected, actual, path, trace)
    if not isinstance(expected, dict) or not (isinstance(actual, dict) or is_empty(actual)):
        return measure_other_shape(record, expected, actual, path, trace)
    return _walk_record(record, expected, actual, path, trace)


# Most of the run's time is spent in this function, so it is one loop without calls. There is no loop where all values
# are equal, as in most cases of a good system. An entry is one of four cases:
#   1. Two equal texts or two equal numbers, and a match type that is known to match them fully. `compare_leaf` would
#      say the same. Such an entry adds its weight to all four sums, so only its weight is summed.
#   2. Expected does not have the path. Nothing counts.
#   3. A leaf that always counts. `compare_leaf` compares it; a full match is summed as in the first case.
#   4. Any other field. The walk continues below it; no measure means that nothing in it counts.
# The score is the mean of all entries by weight, the similarity the mean of those that are not blank. Last come the
# keys that only the candidate has: where they are penalized, each weighs 1, and both its score and similarity are 0.
def _walk_record(  # noqa: C901, PLR0912, PLR0915  a call costs more than the branches it would hide
    record: Record, expected: Any, actual: Any, path: str, trace: Trace
) -> Measure | None:
    rows: Iterable[tuple[RecordEntry, Comparison, Any, Any]]
    if record.equal_values_match and not trace.by_leaves:
        lefts, rights = record.read(expected), record.read(actual)
        if lefts == rights and are_plain(lefts, rights):
            trace.comparisons += record.full_matches(path)
            return ALIKE
        rows = zip(record.entries, record.full_matches(path), lefts, rights, strict=True)
    else:
        rows = record.zip_values(expected, actual, path)
    scores = weights = similarities = content_weights = full_weights = 0.0
    is_counted = False
    add = trace.comparisons.append
    for entry, full_match, left, right in rows:
        _, field, weight, leaf, equal_values_match, _ = entry
        kind = type(left)
        if kind is str:
            if equal_values_match and left == right and left and not left.isspace():
                add(full_match)
                full_weights += weight
                continue
        elif kind is float or kind is int:
            if equal_values_match and type(right) is kind and left - right == 0:
                add(full_match)
                full_weights += weight
                continue
        elif left is ABSENT:
            if not record.absent_is_empty or not has_leaves("extra", field, right):
                continue
            left = None  # noqa: PLW2901  labelled as empty
        if leaf is not None and (leaf.compare_list_as_value or not _has_elements(left, right)):
            comparison = compare_leaf(leaf, left, right, full_match)
            add(comparison)
            if comparison is full_match:
                full_weights += weight
                continue
            outcome, _, score, similarity, _, _, _, _ = comparison
            has_content, leaves = outcome != "blank", 1.0
        else:
            measure = walk(field, left, right, full_match.path, trace)
            if measure is None:
                continue
            score, similarity, has_content, leaves = measure
            is_counted = True
        scores += weight * score
        weights += weight * leaves
        if has_content:
            similarities += weight * similarity
            content_weights += weight
    if record.penalize:
        surplus = compare_surplus_keys(record, expected, actual, path)
        trace.comparisons += surplus
        content_weights += len(surplus)
        weights += sum(max(1, count_values(one.actual)) for one in surplus) if trace.by_leaves else len(surplus)
    if not weights and full_weights and not trace.by_leaves:
        return ALIKE
    scores, weights, content_weights = scores + full_weights, weights + full_weights, content_weights + full_weights
    if not weights:
        return NO_LEAVES if trace.by_leaves and is_counted else None
    similarity = (similarities + full_weights) / content_weights if content_weights else 1.0
    if trace.by_leaves:
        return Measure(scores, similarity, content_weights > 0.0, weights)
    return Measure(scores / weights, similarity, content_weights > 0.0)


def _has_elements(expected: Any, actual: Any) -> bool:
    """Whether a value of a leaf is a list, so that its elements are compared."""
    return type(expected) is list or (type(actual) is list and is_empty(expected))


def _walk_list(field: List, expected: Any, actual: Any, path: str, trace: Trace) -> Measure | None:
    if not isinstance(expected, list) or not isinstance(actual, list):
        return measure_other_shape(field, expected, actual, path, trace)
    if not expected and not actual:
        return get_blank(by_leaves=trace.by_leaves)
    if field.pairing is None:
        pairs, full = [(index, index) for index in range(min(len(expected), len(actual)))], set[int]()
    else:
        known = trace.recall_pairs(field, expected, actual)
        if known is None:
            measure = _pair_by_index_if_identical(field, expected, actual, path, trace)
            if measure is not None:
                return measure
            from agentv_py.comparison.pairing.rows import pair_rows  # many suites pair no rows

            known = pair_rows(field.item, field.pairing, expected, actual, partial(_measure_pair, trace))
            trace.remember_pairs(field, expected, actual, known)
        pairs, full = known
    return _walk_pairs(field, expected, actual, pairs, full, path, trace)


def _pair_by_index_if_identical(
    field: List, expected: list[Any], actual: list[Any], path: str, trace: Trace
) -> Measure | None:
    """Return the measure of two lists that match fully row by row: no pairing is better. None for any other lists."""
    from agentv_py.comparison.pairing import unambiguous

    assert field.pairing is not None  # noqa: S101  for the type checker
    if (
        len(expected) != len(actual)
        or field.pairing.key
        or unambiguous.is_worth_trying(field.pairing, expected, actual)
    ):
        return None
    if not field.pairing.every_leaf_counts:  # another pairing may be as good, and hit more or fewer fields
        return None
    own, has_content, leaves = Trace(trace.pairings, by_leaves=trace.by_leaves), False, 0.0
    own.alignment[path] = [(index, index, 1.0) for index in range(len(expected))]
    for index, (left, right) in enumerate(zip(expected, actual, strict=True)):
        measure = walk(field.item, left, right, f"{path}[{index}]", own)
        if measure is None or measure.score != measure.leaves or measure.similarity != 1.0:
            return None
        if left != right and (field.pairing.depth or not measure.has_content):  # `[]` matches `[null]`, and counts less
            return None
        has_content = has_content or measure.has_content
        leaves += measure.leaves
    trace.absorb(own)
    if trace.by_leaves:
        return Measure(leaves, 1.0, has_content, leaves)
    return ALIKE if has_content else BLANK


def _walk_pairs(
    field: List, expected: list[Any], actual: list[Any], pairs: "Pairs", full: set[int], path: str, trace: Trace
) -> Measure | None:
    partners, alignment = dict(pairs), list[tuple[int, int, float]]()
    if field.pairing is not None:
        trace.alignment[path] = alignment
    rows = ListMeasure(field.item, trace)
    for index, row in enumerate(expected):
        place, partner = f"{path}[{index}]", partners.get(index)
        if partner is None:
            rows.add_unpaired("missing", "missing", row, place)
        elif index in full:
            rows.add_full_match(place)
            alignment.append((index, partner, 1.0))
        else:
            measure = walk(field.item, row, actual[partner], place, trace)
            if measure is not None:
                rows.add_pair(measure)
                alignment.append((index, partner, measure.similarity))
    taken = set(partners.values())
    for index, row in enumerate(actual):
        if index not in taken:
            rows.add_unpaired("extra", "unexpected", row, f"{path}[+{index}]")
    return rows.measure()


def _measure_pair(trace: Trace, item: Field, expected: Any, actual: Any) -> Measure | None:
    return walk(item, expected, actual, "", Trace(trace.pairings, by_leaves=trace.by_leaves))


def _walk_leaf(leaf: Leaf, expected: Any, actual: Any, path: str, trace: Trace) -> Measure | None:
    if leaf.never_counts:
        return None
    if not leaf.compare_list_as_value and not leaf.any_of and _has_elements(expected, actual):
        return _walk_list(List(leaf), expected, actual, path, trace)
    if not leaf.required and is_empty(actual):
        trace.optional.append(path)
        return None
    if leaf.any_of and isinstance(expected, list):
        return _walk_readings(lambda _reading: leaf, expected, actual, path, trace)
    return _record_leaf(compare_leaf(leaf, expected, actual, build_full_match(path)), trace)


def _walk_readings(
    leaf_of: Callable[[Any], Leaf], readings: list[Any], actual: Any, path: str, trace: Trace
) -> Measure:
    comparison, trace.readings[path] = compare_readings(leaf_of, readings, actual, path)
    return _record_leaf(comparison, trace)


def _record_leaf(comparison: Comparison, trace: Trace) -> Measure:
    trace.comparisons.append(comparison)
    return Measure(comparison.score, comparison.similarity, comparison.outcome != "blank")
