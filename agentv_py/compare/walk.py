"""A field tree and two values → comparisons and a score: the one recursion over record, list and leaf."""

from collections.abc import Iterator
from typing import Any

from agentv_py.case import ABSENT
from agentv_py.compare.comparison import Comparison, Outcome, Role, is_empty, matched
from agentv_py.compare.fields import Field, Leaf, List, Record
from agentv_py.match import Incomparable


class Trace:
    """What a walk saw on its way."""

    __slots__ = ("comparisons", "optional", "readings", "unlabelled")

    def __init__(self) -> None:
        self.comparisons: list[Comparison] = []
        self.unlabelled: list[str] = []
        """Configured paths that expected does not have."""
        self.optional: list[str] = []
        """Fields that are not required and that the candidate left empty."""
        self.readings: dict[str, int] = {}
        """Which of several accepted readings counted, by path."""


def walk(field: Field, expected: Any, actual: Any, path: str, trace: Trace) -> float | None:
    """The score of this part of the tree, or None where nothing counts."""
    if type(field) is Leaf:
        return _leaf(field, expected, actual, path, trace)
    if type(field) is Record:
        return _record(field, expected, actual, path, trace)
    assert type(field) is List  # noqa: S101  for the type checker
    return _list(field, expected, actual, path, trace)


def _record(record: Record, expected: Any, actual: Any, path: str, trace: Trace) -> float | None:
    total = weights = 0.0
    counted = False
    for text, get, field, weight, leaf, full_match in record.entries:
        below = get(expected)
        if below is ABSENT:
            trace.unlabelled.append(_below(path, text))
            continue
        score: float | None
        if leaf is not None:
            comparison = _compare(leaf, below, get(actual), matched(_below(path, text)) if path else full_match)
            trace.comparisons.append(comparison)
            score = comparison.score
        else:
            score = walk(field, below, get(actual), _below(path, text), trace)
            if score is None:
                continue
        counted = True
        total += weight * score
        weights += weight
    if not counted:
        return None
    return total / weights if weights else 0.0


def _list(field: List, expected: Any, actual: Any, path: str, trace: Trace) -> float | None:
    if not isinstance(expected, list) or not isinstance(actual, list):
        return _shapes_differ(expected, actual, path, trace)
    total, paired = 0.0, min(len(expected), len(actual))
    unlabelled = 0
    for index in range(paired):
        score = walk(field.item, expected[index], actual[index], f"{path}[{index}]", trace)
        unlabelled += score is None
        total += score or 0.0
    for index in range(paired, len(expected)):
        _unpaired("missing", "missing", field.item, expected[index], f"{path}[{index}]", trace)
    for index in range(paired, len(actual)):
        _unpaired("extra", "unexpected", field.item, actual[index], f"{path}[+{index}]", trace)
    length = max(len(expected), len(actual))
    if not length:
        return 1.0
    return total / (length - unlabelled) if length > unlabelled else None


def _unpaired(outcome: Outcome, note: str, field: Field, row: Any, path: str, trace: Trace) -> None:
    def compared(place: str, value: Any, role: Role) -> Comparison:
        expected, actual = (value, ABSENT) if outcome == "missing" else (ABSENT, value)
        return Comparison(outcome, place, 0.0, 0.0, note, expected, actual, role)

    trace.comparisons.append(compared(path, row, "row"))
    trace.comparisons.extend(compared(place, value, "in_row") for place, value in _leaves(field, row, path))


def _leaves(field: Field, value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """The configured leaves of one side that are not empty."""
    if isinstance(field, Leaf):
        if not is_empty(value):
            yield path, value
    elif isinstance(field, Record):
        for entry in field.entries:
            yield from _leaves(entry.field, entry.get(value), _below(path, entry.text))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _leaves(field.item, item, f"{path}[{index}]")


def _leaf(leaf: Leaf, expected: Any, actual: Any, path: str, trace: Trace) -> float | None:
    if not leaf.required and is_empty(actual):
        trace.optional.append(path)
        return None
    if leaf.any_of and type(expected) is list:
        comparison, reading = _best_reading(leaf, expected, actual, path)
        trace.readings[path] = reading
    else:
        comparison = _compare(leaf, expected, actual, matched(path))
    trace.comparisons.append(comparison)
    return comparison.score


def _compare(leaf: Leaf, expected: Any, actual: Any, full_match: Comparison) -> Comparison:
    # This is is_empty of both sides, spelled out: most of the run's time is spent here.
    if type(expected) is str:
        if not expected or expected.isspace():
            return _compare_empty(expected, actual, full_match.path)
        if expected == actual and leaf.equal_text_matches:
            return full_match
    elif expected is None:
        return _compare_empty(expected, actual, full_match.path)
    if actual is None or actual is ABSENT or (type(actual) is str and (not actual or actual.isspace())):
        return _compare_empty(expected, actual, full_match.path)
    try:
        similarity = leaf.similarity(expected, actual)
    except Incomparable as why:
        return Comparison("mismatch", full_match.path, 0.0, 0.0, why.note, expected, actual)
    if similarity == 1.0:
        return full_match
    if similarity >= leaf.passes_at:
        score = similarity if leaf.graded else 1.0
        return Comparison("match", full_match.path, score, similarity, "", expected, actual)
    return Comparison("mismatch", full_match.path, 0.0, similarity, "", expected, actual)


def _compare_empty(expected: Any, actual: Any, path: str) -> Comparison:
    if not is_empty(actual):
        return Comparison("extra", path, 0.0, 0.0, "unexpected", expected, actual)
    if is_empty(expected):
        return Comparison("blank", path, 1.0, 1.0, "", expected, actual)
    note = "null value" if actual is None else "required, missing"
    return Comparison("missing", path, 0.0, 0.0, note, expected, actual)


def _best_reading(leaf: Leaf, readings: list[Any], actual: Any, path: str) -> tuple[Comparison, int]:
    tries = [_compare(leaf, reading, actual, matched(path)) for reading in readings or [None]]
    best = max(range(len(tries)), key=lambda index: (tries[index].score, tries[index].similarity, -index))
    return tries[best], best


def _shapes_differ(expected: Any, actual: Any, path: str, trace: Trace) -> float:
    if is_empty(expected) or is_empty(actual):
        comparison = _compare_empty(expected, actual, path)
    else:
        comparison = Comparison("mismatch", path, 0.0, 0.0, "type mismatch", expected, actual)
    trace.comparisons.append(comparison)
    return comparison.score


def _below(path: str, text: str) -> str:
    if not path:
        return text
    return f"{path}{text}" if text.startswith("[") else f"{path}.{text}"
