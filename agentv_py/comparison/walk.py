"""A field tree and two values → comparisons and a score: the one recursion over record, list and leaf."""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import Comparison, is_empty, matched
from agentv_py.comparison.leaf import best_reading, compare
from agentv_py.comparison.measure import Measure
from agentv_py.comparison.pairing import unambiguous
from agentv_py.comparison.pairing.assignment import Pairs
from agentv_py.comparison.pairing.pairing import pair
from agentv_py.comparison.paths import join
from agentv_py.comparison.trace import Pairings, Trace
from agentv_py.comparison.tree import Anything, Entry, Field, Leaf, List, Record, is_required, unlisted
from agentv_py.comparison.unpaired import other_shape, unpaired

_ALIKE = Measure(1.0, 1.0)
_UNLIKE = Measure(0.0, 0.0)
_BLANK = Measure(1.0, 1.0, tells=False)

# Beyond this many pairings of one case, which take some ten megabytes, further ones are found anew.
_MOST_PAIRINGS = 100_000


def walk(field: Field, expected: Any, actual: Any, path: str, trace: Trace) -> Measure | None:
    """The measure of this part of the tree, or None where nothing counts."""
    if type(field) is Leaf:
        return _leaf(field, expected, actual, path, trace)
    if type(field) is List:
        return _list(field, expected, actual, path, trace)
    if type(field) is Anything:
        return walk(field.shaped(expected), expected, actual, path, trace)
    assert type(field) is Record  # noqa: S101  for the type checker
    if field.mirrors:
        return _object(field, expected, actual, path, trace)
    return _record(field, expected, actual, path, trace)


def _object(record: Record, expected: Any, actual: Any, path: str, trace: Trace) -> Measure | None:
    """A record that mirrors an object: a list under it is compared by index, any other shape is a mismatch."""
    if isinstance(expected, list):
        return _list(List(record, required=is_required(record)), expected, actual, path, trace)
    if not isinstance(expected, dict) or not (isinstance(actual, dict) or is_empty(actual)):
        return _misshapen(record, expected, actual, path, trace)
    return _record(record, expected, actual, path, trace)


def _record(record: Record, expected: Any, actual: Any, path: str, trace: Trace) -> Measure | None:
    total = weights = similar = telling = full_matches = 0.0
    note = trace.comparisons.append
    for entry, full, value, other in _with_values(record, expected, actual, path):
        _, field, weight, leaf, texts, numbers, _ = entry
        kind = type(value)
        # What needs no closer look is what `compare` would say: most of the run's time is spent here.
        if (
            (texts and value == other and value and not value.isspace())
            if kind is str
            else (numbers and (kind is float or kind is int) and type(other) is kind and value - other == 0)
        ):
            note(full)
            full_matches += weight
            continue
        if value is ABSENT:
            trace.unlabelled.append(full.path)
            continue
        if leaf is not None and (leaf.whole or not _has_elements(value, other)):
            comparison = compare(leaf, value, other, full)
            note(comparison)
            if comparison is full:
                full_matches += weight
                continue
            score, similarity, tells = comparison.score, comparison.similarity, comparison.outcome != "blank"
        else:
            measure = walk(field, value, other, full.path, trace)
            if measure is None:
                continue
            score, similarity, tells = measure
        total += weight * score
        weights += weight
        if tells:
            similar += weight * similarity
            telling += weight
    surplus = _surplus(record, expected, actual, path) if record.penalize else ()
    trace.comparisons += surplus
    weights += len(surplus) + full_matches
    telling += len(surplus)
    if weights == full_matches > 0.0:
        return _ALIKE
    if not weights:
        return None
    total, similar, telling = total + full_matches, similar + full_matches, telling + full_matches
    return Measure(total / weights, similar / telling if telling else 1.0, telling > 0.0)


def _with_values(record: Record, expected: Any, actual: Any, path: str) -> Iterator[tuple[Entry, Comparison, Any, Any]]:
    """Each entry, its full match, its expected and its actual value; entries by the default comparator last."""
    read = record.read
    if record.default is None:
        return zip(record.entries, record.full_matches(path), read(expected), read(actual), strict=True)
    more = unlisted(record, expected)
    return zip(
        record.entries + more.entries,
        record.full_matches(path) + more.full_matches(path),
        read(expected) + more.read(expected),
        read(actual) + more.read(actual),
        strict=True,
    )


def _has_elements(expected: Any, actual: Any) -> bool:
    """Whether a list stands where a leaf is, so that its elements are what is compared."""
    return type(expected) is list or (type(actual) is list and is_empty(expected))


def _surplus(record: Record, expected: Any, actual: Any, path: str) -> list[Comparison]:
    """The keys that the candidate made up, each a field of weight 1 that scores 0."""
    if not isinstance(expected, dict) or not isinstance(actual, dict):
        return []
    return [
        Comparison("extra", join(path, key), 0.0, 0.0, "unexpected", ABSENT, value)
        for key, value in actual.items()
        if key not in expected and key not in record.keys and not is_empty(value)
    ]


def _list(field: List, expected: Any, actual: Any, path: str, trace: Trace) -> Measure | None:
    if not field.required and is_empty(actual):
        trace.optional.append(path)
        return None
    if not isinstance(expected, list) or not isinstance(actual, list):
        return _misshapen(field, expected, actual, path, trace)
    length = max(len(expected), len(actual))
    if not length:
        return _BLANK
    if field.pairing is None:
        pairs, full = [(index, index) for index in range(min(len(expected), len(actual)))], set[int]()
    else:
        key = id(field), id(expected), id(actual)
        if key not in trace.pairings:
            alike = _in_step(field, expected, actual, path, trace)
            if alike is not None:
                return alike
            pairs, full = pair(field.item, field.pairing, expected, actual, partial(_measured, trace.pairings))
            if len(trace.pairings) < _MOST_PAIRINGS:
                trace.pairings[key] = field, expected, actual, pairs, full
        else:
            *_, pairs, full = trace.pairings[key]
    return _paired(field, expected, actual, pairs, full, path, trace)


def _in_step(field: List, expected: list[Any], actual: list[Any], path: str, trace: Trace) -> Measure | None:
    """The measure of two lists that match fully row by row: no other pairing can be better, so none is looked for."""
    assert field.pairing is not None  # noqa: S101  for the type checker
    if len(expected) != len(actual) or field.pairing.key or unambiguous.applies(field.pairing, expected, actual):
        return None
    if not field.pairing.sure:  # another pairing may be as good, and hit more or fewer fields
        return None
    seen, tells = Trace(trace.pairings), False
    seen.alignment[path] = [(index, index, 1.0) for index in range(len(expected))]
    for index, (left, right) in enumerate(zip(expected, actual, strict=True)):
        measure = walk(field.item, left, right, f"{path}[{index}]", seen)
        if measure is None or measure.score != 1.0 or measure.similarity != 1.0:
            return None
        tells = tells or measure.tells
    trace.absorb(seen)
    return _ALIKE if tells else _BLANK


def _paired(
    field: List, expected: list[Any], actual: list[Any], pairs: Pairs, full: set[int], path: str, trace: Trace
) -> Measure | None:
    partners, rows = dict(pairs), list[tuple[int, int, float]]()
    if field.pairing is not None:
        trace.alignment[path] = rows
    scores, similarities, missing, tells = [], [], 0, False
    for index, row in enumerate(expected):
        partner = partners.get(index)
        if partner is None and not field.required:
            trace.optional.append(f"{path}[{index}]")
            continue
        if partner is None:
            missing += 1
            trace.comparisons += unpaired("missing", "missing", field.item, row, f"{path}[{index}]")
            continue
        measure: Measure | None = _ALIKE
        if index in full:
            trace.comparisons += _full_match(field.item, f"{path}[{index}]")
        else:
            measure = walk(field.item, row, actual[partner], f"{path}[{index}]", trace)
        if measure is None:
            continue
        tells = tells or measure.tells
        scores.append(measure.score)
        similarities.append(measure.similarity)
        rows.append((index, partner, measure.similarity))
    taken = set(partners.values())
    for index, row in enumerate(actual):
        if index not in taken:
            trace.comparisons += unpaired("extra", "unexpected", field.item, row, f"{path}[+{index}]")
    length = len(scores) + max(missing, len(actual) - len(pairs))
    if not length:
        return None
    tells = tells or len(scores) < length
    return Measure(math.fsum(scores) / length, math.fsum(similarities) / length, tells)


def _measured(pairings: Pairings, item: Field, expected: Any, actual: Any) -> Measure | None:
    return walk(item, expected, actual, "", Trace(pairings))


def _full_match(field: Field, path: str) -> tuple[Comparison, ...]:
    """What the walk would say of a row that matches fully in every leaf."""
    return field.full_match(path) if isinstance(field, Record) else (matched(path),)


def _misshapen(field: Field, expected: Any, actual: Any, path: str, trace: Trace) -> Measure:
    found = list(other_shape(field, expected, actual, path))
    trace.comparisons += found
    return _BLANK if found[0].outcome == "blank" else _UNLIKE


def _leaf(leaf: Leaf, expected: Any, actual: Any, path: str, trace: Trace) -> Measure | None:
    if not leaf.required and is_empty(actual):
        trace.optional.append(path)
        return None
    if leaf.any_of and isinstance(expected, list):
        comparison, reading = best_reading(leaf, expected, actual, path)
        trace.readings[path] = reading
    elif not leaf.whole and _has_elements(expected, actual):
        return _list(List(leaf, required=leaf.required), expected, actual, path, trace)
    else:
        comparison = compare(leaf, expected, actual, matched(path))
    trace.comparisons.append(comparison)
    return Measure(comparison.score, comparison.similarity, comparison.outcome != "blank")
