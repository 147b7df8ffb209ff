"""Rows without a partner, values of a wrong shape, keys that only the candidate has → misses."""

from collections.abc import Iterator
from typing import Any

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import Comparison, Outcome, Role, is_empty
from agentv_py.comparison.leaf import explain_missing
from agentv_py.comparison.paths import join_path
from agentv_py.comparison.tree import Anything, Field, Leaf, List, Record


def compare_unpaired(outcome: Outcome, note: str, field: Field, row: Any, path: str) -> Iterator[Comparison]:
    """Yield one miss for a row without a partner, and one comparison for each of its leaves."""
    yield _compare_to_nothing(outcome, note, path, row, "row")
    yield from (_compare_to_nothing(outcome, note, *leaf, "in_row") for leaf in _list_leaves(field, row, path))


def compare_other_shape(field: Field, expected: Any, actual: Any, path: str) -> Iterator[Comparison]:
    """Yield one miss for two values that do not both have the field's shape, and one comparison for each leaf."""
    if is_empty(expected) and is_empty(actual):
        yield Comparison("blank", path, 1.0, 1.0, "", expected, actual)
        return
    if is_empty(expected):
        head = Comparison("extra", path, 0.0, 0.0, "unexpected", expected, actual)
    elif is_empty(actual):
        head = Comparison("missing", path, 0.0, 0.0, explain_missing(actual), expected, actual)
    else:
        head = Comparison("mismatch", path, 0.0, 0.0, "type mismatch", expected, actual)
    outcome: Outcome = "extra" if head.outcome == "extra" else "missing"
    leaves = list(_list_leaves(field, actual if outcome == "extra" else expected, path))
    yield head._replace(role="row") if leaves else head
    yield from (_compare_to_nothing(outcome, head.note, *leaf, "in_row") for leaf in leaves)


def compare_surplus_keys(record: Record, expected: Any, actual: Any, path: str) -> list[Comparison]:
    """Return one miss for each key that only the candidate has."""
    if not isinstance(expected, dict) or not isinstance(actual, dict):
        return []
    return [
        Comparison("extra", join_path(path, key), 0.0, 0.0, "unexpected", ABSENT, value)
        for key, value in actual.items()
        if key not in expected and key not in record.keys and not is_empty(value)
    ]


def _compare_to_nothing(outcome: Outcome, note: str, path: str, value: Any, role: Role) -> Comparison:
    expected, actual = (ABSENT, value) if outcome == "extra" else (value, ABSENT)
    return Comparison(outcome, path, 0.0, 0.0, note, expected, actual, role)


def _list_leaves(field: Field, value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield the path and the value of each leaf of one side that is not empty."""
    if isinstance(field, Anything):
        yield from _list_leaves(field.shape_of(value), value, path)
    elif isinstance(value, list) and not (isinstance(field, Leaf) and (field.compare_list_as_value or field.any_of)):
        item = field.item if isinstance(field, List) else field
        for index, element in enumerate(value):
            yield from _list_leaves(item, element, f"{path}[{index}]")
    elif isinstance(field, Leaf):
        if not is_empty(value):
            yield path, value
    elif isinstance(field, Record):
        default = field.default
        for record in (field,) if default is None else (field, default.compile_keys(field.list_other_keys(value))):
            for entry, below in zip(record.entries, record.read(value), strict=True):
                yield from _list_leaves(entry.field, below, path + entry.suffix if path else entry.path.text)
