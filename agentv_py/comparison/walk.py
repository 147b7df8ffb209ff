"""A field tree and two values → comparisons and a measure: the one recursion over record, list and leaf."""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import Comparison, Measure, build_full_match, is_empty
from agentv_py.comparison.leaf import compare_leaf, compare_readings
from agentv_py.comparison.pairing import unambiguous
from agentv_py.comparison.pairing.assignment import Pairs
from agentv_py.comparison.pairing.rows import pair_rows
from agentv_py.comparison.trace import Pairings, Trace
from agentv_py.comparison.tree import Anything, Field, Leaf, List, Record, RecordEntry, is_required
from agentv_py.comparison.unpaired import compare_other_shape, compare_surplus_keys, compare_unpaired

_ALIKE = Measure(1.0, 1.0)
_UNLIKE = Measure(0.0, 0.0)
_BLANK = Measure(1.0, 1.0, has_content=False)

# A case keeps this many pairings, which take some ten megabytes; further ones are computed anew.
_MOST_PAIRINGS = 100_000


def walk(field: Field, expected: Any, actual: Any, path: str, trace: Trace) -> Measure | None:
    """Return the measure of this part of the tree, or None if nothing in it counts; the trace gets its comparisons."""
    if type(field) is Leaf:
        return _walk_leaf(field, expected, actual, path, trace)
    if type(field) is List:
        return _walk_list(field, expected, actual, path, trace)
    if type(field) is Anything:
        return walk(field.shape_of(expected), expected, actual, path, trace)
    assert type(field) is Record  # noqa: S101  for the type checker
    if field.from_object:
        return _walk_object(field, expected, actual, path, trace)
    return _walk_record(field, expected, actual, path, trace)


def _walk_object(record: Record, expected: Any, actual: Any, path: str, trace: Trace) -> Measure | None:
    """Compare two objects. Two lists are compared by index, and any other shape is a mismatch."""
    if isinstance(expected, list):
        return _walk_list(List(record, required=is_required(record)), expected, actual, path, trace)
    if not isinstance(expected, dict) or not (isinstance(actual, dict) or is_empty(actual)):
        return _compare_other_shape(record, expected, actual, path, trace)
    return _walk_record(record, expected, actual, path, trace)


# Most of the run's time is spent in this function, so it is one loop without calls. An entry is one of four cases:
#   1. Two equal texts or two equal numbers, and a match type that is known to match them fully. `compare_leaf` would
#      say the same. Such an entry adds its weight to all four sums, so only its weight is summed.
#   2. Expected does not have the path. Nothing counts.
#   3. A leaf that always counts. `compare_leaf` compares it; a full match is summed as in the first case.
#   4. Any other field. The walk continues below it; no measure means that nothing in it counts.
# The score is the mean of all entries by weight, the similarity the mean of those that are not blank. Last come the
# keys that only the candidate has: where they are penalized, each weighs 1, and both its score and similarity are 0.
def _walk_record(  # noqa: C901, PLR0912  a call costs more than the branches it would hide
    record: Record, expected: Any, actual: Any, path: str, trace: Trace
) -> Measure | None:
    scores = weights = similarities = content_weights = full_weights = 0.0
    add = trace.comparisons.append
    for entry, full_match, left, right in _zip_values(record, expected, actual, path):
        _, field, weight, leaf, equal_text_matches, equal_numbers_match, _ = entry
        kind = type(left)
        if kind is str:
            if equal_text_matches and left == right and left and not left.isspace():
                add(full_match)
                full_weights += weight
                continue
        elif kind is float or kind is int:
            if equal_numbers_match and type(right) is kind and left - right == 0:
                add(full_match)
                full_weights += weight
                continue
        elif left is ABSENT:
            continue
        if leaf is not None and (leaf.compare_list_as_value or not _has_elements(left, right)):
            comparison = compare_leaf(leaf, left, right, full_match)
            add(comparison)
            if comparison is full_match:
                full_weights += weight
                continue
            outcome, _, score, similarity, _, _, _, _ = comparison
            has_content = outcome != "blank"
        else:
            measure = walk(field, left, right, full_match.path, trace)
            if measure is None:
                continue
            score, similarity, has_content = measure
        scores += weight * score
        weights += weight
        if has_content:
            similarities += weight * similarity
            content_weights += weight
    surplus = compare_surplus_keys(record, expected, actual, path) if record.penalize else ()
    trace.comparisons += surplus
    weights += len(surplus) + full_weights
    if weights == full_weights > 0.0:
        return _ALIKE
    if not weights:
        return None
    content_weights = content_weights + len(surplus) + full_weights
    similarity = (similarities + full_weights) / content_weights if content_weights else 1.0
    return Measure((scores + full_weights) / weights, similarity, content_weights > 0.0)


def _zip_values(
    record: Record, expected: Any, actual: Any, path: str
) -> Iterator[tuple[RecordEntry, Comparison, Any, Any]]:
    """Return each entry with its full match, its expected and its actual value; keys that are not listed come last."""
    read = record.read
    if record.default is None:
        return zip(record.entries, record.full_matches(path), read(expected), read(actual), strict=True)
    others = record.default.compile_keys(record.list_other_keys(expected))
    return zip(
        record.entries + others.entries,
        record.full_matches(path) + others.full_matches(path),
        read(expected) + others.read(expected),
        read(actual) + others.read(actual),
        strict=True,
    )


def _has_elements(expected: Any, actual: Any) -> bool:
    """Whether a value of a leaf is a list, so that its elements are compared."""
    return type(expected) is list or (type(actual) is list and is_empty(expected))


def _walk_list(field: List, expected: Any, actual: Any, path: str, trace: Trace) -> Measure | None:
    if not field.required and is_empty(actual):
        trace.optional.append(path)
        return None
    if not isinstance(expected, list) or not isinstance(actual, list):
        return _compare_other_shape(field, expected, actual, path, trace)
    if not expected and not actual:
        return _BLANK
    if field.pairing is None:
        pairs, full = [(index, index) for index in range(min(len(expected), len(actual)))], set[int]()
    else:
        key = id(field), id(expected), id(actual)
        if key not in trace.pairings:
            measure = _pair_by_index_if_identical(field, expected, actual, path, trace)
            if measure is not None:
                return measure
            measure_pair = partial(_measure_pair, trace.pairings)
            pairs, full = pair_rows(field.item, field.pairing, expected, actual, measure_pair)
            if len(trace.pairings) < _MOST_PAIRINGS:
                trace.pairings[key] = field, expected, actual, pairs, full
        else:
            *_, pairs, full = trace.pairings[key]
    return _walk_pairs(field, expected, actual, pairs, full, path, trace)


def _pair_by_index_if_identical(
    field: List, expected: list[Any], actual: list[Any], path: str, trace: Trace
) -> Measure | None:
    """Return the measure of two lists that match fully row by row: no pairing is better. None for any other lists."""
    assert field.pairing is not None  # noqa: S101  for the type checker
    if (
        len(expected) != len(actual)
        or field.pairing.key
        or unambiguous.is_worth_trying(field.pairing, expected, actual)
    ):
        return None
    if not field.pairing.every_leaf_counts:  # another pairing may be as good, and hit more or fewer fields
        return None
    own, has_content = Trace(trace.pairings), False
    own.alignment[path] = [(index, index, 1.0) for index in range(len(expected))]
    for index, (left, right) in enumerate(zip(expected, actual, strict=True)):
        measure = walk(field.item, left, right, f"{path}[{index}]", own)
        if measure is None or measure.score != 1.0 or measure.similarity != 1.0:
            return None
        has_content = has_content or measure.has_content
    trace.absorb(own)
    return _ALIKE if has_content else _BLANK


def _walk_pairs(
    field: List, expected: list[Any], actual: list[Any], pairs: Pairs, full: set[int], path: str, trace: Trace
) -> Measure | None:
    partners, alignment = dict(pairs), list[tuple[int, int, float]]()
    if field.pairing is not None:
        trace.alignment[path] = alignment
    scores, similarities, missing, has_content = [], [], 0, False
    for index, row in enumerate(expected):
        partner = partners.get(index)
        if partner is None and not field.required:
            trace.optional.append(f"{path}[{index}]")
            continue
        if partner is None:
            missing += 1
            trace.comparisons += compare_unpaired("missing", "missing", field.item, row, f"{path}[{index}]")
            continue
        measure: Measure | None = _ALIKE
        if index in full:
            trace.comparisons += _list_full_matches(field.item, f"{path}[{index}]")
        else:
            measure = walk(field.item, row, actual[partner], f"{path}[{index}]", trace)
        if measure is None:
            continue
        has_content = has_content or measure.has_content
        scores.append(measure.score)
        similarities.append(measure.similarity)
        alignment.append((index, partner, measure.similarity))
    taken = set(partners.values())
    for index, row in enumerate(actual):
        if index not in taken:
            trace.comparisons += compare_unpaired("extra", "unexpected", field.item, row, f"{path}[+{index}]")
    length = len(scores) + max(missing, len(actual) - len(pairs))
    if not length:
        return None
    has_content = has_content or len(scores) < length
    return Measure(math.fsum(scores) / length, math.fsum(similarities) / length, has_content)


def _measure_pair(pairings: Pairings, item: Field, expected: Any, actual: Any) -> Measure | None:
    return walk(item, expected, actual, "", Trace(pairings))


def _list_full_matches(field: Field, path: str) -> tuple[Comparison, ...]:
    """Return the comparisons of a row that matches fully in every leaf, as the walk would."""
    return field.leaf_full_matches(path) if isinstance(field, Record) else (build_full_match(path),)


def _compare_other_shape(field: Field, expected: Any, actual: Any, path: str, trace: Trace) -> Measure:
    comparisons = list(compare_other_shape(field, expected, actual, path))
    trace.comparisons += comparisons
    return _BLANK if comparisons[0].outcome == "blank" else _UNLIKE


def _walk_leaf(leaf: Leaf, expected: Any, actual: Any, path: str, trace: Trace) -> Measure | None:
    if not leaf.required and is_empty(actual):
        trace.optional.append(path)
        return None
    if leaf.any_of and isinstance(expected, list):
        comparison, reading = compare_readings(leaf, expected, actual, path)
        trace.readings[path] = reading
    elif not leaf.compare_list_as_value and _has_elements(expected, actual):
        return _walk_list(List(leaf, required=leaf.required), expected, actual, path, trace)
    else:
        comparison = compare_leaf(leaf, expected, actual, build_full_match(path))
    trace.comparisons.append(comparison)
    return Measure(comparison.score, comparison.similarity, comparison.outcome != "blank")
