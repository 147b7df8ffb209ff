"""Rows without a partner, values of a wrong shape, keys that only the candidate has → misses.

Here is the one definition of what such a value costs: a leaf that is empty costs nothing, and an optional leaf costs
nothing where the candidate leaves it empty.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import UNLIKE, Comparison, Measure, Outcome, Role, get_blank, is_empty
from agentv_py.comparison.leaf import explain_missing
from agentv_py.comparison.paths import join_path
from agentv_py.comparison.trace import Trace
from agentv_py.comparison.tree import Anything, Field, Leaf, List, Record, is_required


class LeafValue(NamedTuple):
    """A leaf of one side that is not empty."""

    path: str
    value: Any
    weight: float
    """The product of all weights from the value's top down to the leaf."""
    required: bool


def compare_unpaired(outcome: Outcome, note: str, field: Field, row: Any, path: str) -> list[Comparison]:
    """Return one miss for a row without a partner, and one comparison for each leaf that counts; none for a blank."""
    leaves = list_counting_leaves(outcome, field, row, path)
    if not leaves:
        return []
    head = compare_to_nothing(outcome, note, path, row, "row")
    return [head, *(compare_to_nothing(outcome, note, leaf.path, leaf.value, "in_row") for leaf in leaves)]


def measure_other_shape(field: Field, expected: Any, actual: Any, path: str, trace: Trace) -> Measure | None:
    """Return the measure of two values that do not both have the field's shape; None if they are optional."""
    comparisons = _compare_other_shape(field, expected, actual, path)
    if not comparisons:
        trace.optional.append(path)
        return None
    trace.comparisons += comparisons
    if comparisons[0].outcome == "blank":
        return get_blank(by_leaves=trace.by_leaves)
    return Measure(0.0, 0.0, True, _weigh_other_shape(field, expected, actual)) if trace.by_leaves else UNLIKE


def _compare_other_shape(field: Field, expected: Any, actual: Any, path: str) -> list[Comparison]:
    """Return one miss for two values that do not both have the field's shape, and one comparison for each leaf.

    Nothing is returned if all leaves are optional and the candidate is empty.
    """
    if is_empty(expected) or is_empty(actual):
        outcome: Outcome = "extra" if is_empty(expected) else "missing"
        value, note = (actual, "unexpected") if outcome == "extra" else (expected, explain_missing(actual))
        if not has_leaves(outcome, field, value):
            return [Comparison("blank", path, 1.0, 1.0, "", expected, actual)]
        if not list_counting_leaves(outcome, field, value, path):
            return []
        _, *leaves = compare_unpaired(outcome, note, field, value, path)
        return [Comparison(outcome, path, 0.0, 0.0, note, expected, actual, "row"), *leaves]
    head = Comparison("mismatch", path, 0.0, 0.0, "type mismatch", expected, actual, "row")
    return [head, *compare_unpaired("missing", head.note, field, expected, path)[1:]]


def weigh_leaves(outcome: Outcome, field: Field, row: Any) -> float:
    """Return the sum of the weights of the leaves that a row without a partner costs."""
    return sum(leaf.weight for leaf in list_counting_leaves(outcome, field, row, ""))


def _weigh_other_shape(field: Field, expected: Any, actual: Any) -> float:
    """Return the leaves of two values of different shapes: those of the side that has more, and at least one."""
    if is_empty(expected):
        return weigh_leaves("extra", field, actual)
    return max(weigh_leaves("missing", field, expected), count_values(actual) if not is_empty(actual) else 0, 1)


def count_values(value: Any) -> int:
    """Count the single values at any depth that are not empty."""
    if isinstance(value, dict | list):
        return sum(map(count_values, value.values() if isinstance(value, dict) else value))
    return 0 if is_empty(value) else 1


def compare_surplus_keys(record: Record, expected: Any, actual: Any, path: str) -> list[Comparison]:
    """Return one miss for each key that only the candidate has."""
    if not isinstance(expected, dict) or not isinstance(actual, dict):
        return []
    return [
        Comparison("extra", join_path(path, key), 0.0, 0.0, "unexpected", ABSENT, value)
        for key, value in actual.items()
        if key not in expected and key not in record.keys and not is_empty(value)
    ]


def compare_to_nothing(outcome: Outcome, note: str, path: str, value: Any, role: Role) -> Comparison:
    """Return the comparison of a value that only one side has."""
    expected, actual = (ABSENT, value) if outcome == "extra" else (value, ABSENT)
    return Comparison(outcome, path, 0.0, 0.0, note, expected, actual, role)


def has_leaves(outcome: Outcome, field: Field, value: Any) -> bool:
    """Whether any leaf of a value is not empty."""
    # Most values are a single one, or an object whose first keys hold such a one: they need no list of leaves.
    if type(field) is Leaf and type(value) is not list:
        return not (is_empty(value) or field.never_counts)
    if type(field) is Record and type(value) is dict:
        for entry, below in zip(field.entries, field.read(value), strict=True):
            if has_leaves(outcome, entry.field, below):
                return True
        if field.default is None and not field.penalize:
            return False
    return any(True for _ in _list_leaves(field, value, "", 1.0, surplus=outcome == "extra"))


def list_counting_leaves(outcome: Outcome, field: Field, value: Any, path: str) -> list[LeafValue]:
    """Return the leaves of a value that count where the other side has nothing."""
    if outcome == "extra":
        return list(_list_leaves(field, value, path, 1.0, surplus=True))
    return [leaf for leaf in _list_leaves(field, value, path, 1.0, surplus=False) if leaf.required]


def _list_leaves(field: Field, value: Any, path: str, weight: float, *, surplus: bool) -> Iterator[LeafValue]:
    """Yield each leaf of one side that is not empty. A value that does not have the field's shape is one leaf.

    In a surplus value an unlisted key is a leaf too where such keys are penalized.
    """
    if isinstance(field, Anything):
        field = field.shape_of(value)
    if isinstance(value, list) and not (isinstance(field, Leaf) and (field.compare_list_as_value or field.any_of)):
        item = field.item if isinstance(field, List) else field
        for index, element in enumerate(value):
            yield from _list_leaves(item, element, f"{path}[{index}]", weight, surplus=surplus)
    elif isinstance(field, Record) and (isinstance(value, dict) or not field.from_object):
        default = field.default
        for record in (field,) if default is None else (field, default.compile_keys(field.list_other_keys(value))):
            for entry, below in zip(record.entries, record.read(value), strict=True):
                place = path + entry.suffix if path else entry.path.text
                yield from _list_leaves(entry.field, below, place, weight * entry.weight, surplus=surplus)
        if surplus and field.penalize and default is None:
            for extra in compare_surplus_keys(field, {}, value, path):
                yield LeafValue(extra.path, extra.actual, weight, required=True)
    elif not is_empty(value) and not (isinstance(field, Leaf) and field.never_counts):
        yield LeafValue(path, value, weight, is_required(field))
