"""What has no partner, or not its partner's shape → one miss, in which every leaf counts."""

from collections.abc import Iterator
from typing import Any

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import Comparison, Outcome, Role, is_empty
from agentv_py.comparison.leaf import why_missing
from agentv_py.comparison.tree import Anything, Field, Leaf, List, Record, unlisted


def unpaired(outcome: Outcome, note: str, field: Field, row: Any, path: str) -> Iterator[Comparison]:
    """A row without a partner is one miss, and each of its leaves counts."""
    yield _one_sided(outcome, note, path, row, "row")
    yield from (_one_sided(outcome, note, *leaf, "in_row") for leaf in _leaves(field, row, path))


def other_shape(field: Field, expected: Any, actual: Any, path: str) -> Iterator[Comparison]:
    """Two values that are not both of the field's shape: one miss, in which each leaf of what is there counts."""
    if is_empty(expected) and is_empty(actual):
        yield Comparison("blank", path, 1.0, 1.0, "", expected, actual)
        return
    if is_empty(expected):
        head = Comparison("extra", path, 0.0, 0.0, "unexpected", expected, actual)
    elif is_empty(actual):
        head = Comparison("missing", path, 0.0, 0.0, why_missing(actual), expected, actual)
    else:
        head = Comparison("mismatch", path, 0.0, 0.0, "type mismatch", expected, actual)
    outcome: Outcome = "extra" if head.outcome == "extra" else "missing"
    leaves = list(_leaves(field, actual if outcome == "extra" else expected, path))
    yield head._replace(role="row") if leaves else head
    yield from (_one_sided(outcome, head.note, *leaf, "in_row") for leaf in leaves)


def _one_sided(outcome: Outcome, note: str, path: str, value: Any, role: Role) -> Comparison:
    expected, actual = (ABSENT, value) if outcome == "extra" else (value, ABSENT)
    return Comparison(outcome, path, 0.0, 0.0, note, expected, actual, role)


def _leaves(field: Field, value: Any, path: str) -> Iterator[tuple[str, Any]]:
    """The configured leaves of one side that are not empty."""
    if isinstance(field, Anything):
        yield from _leaves(field.shaped(value), value, path)
    elif isinstance(value, list) and not (isinstance(field, Leaf) and (field.whole or field.any_of)):
        item = field.item if isinstance(field, List) else field
        for index, element in enumerate(value):
            yield from _leaves(item, element, f"{path}[{index}]")
    elif isinstance(field, Leaf):
        if not is_empty(value):
            yield path, value
    elif isinstance(field, Record):
        for record in (field, unlisted(field, value)):
            for entry, below in zip(record.entries, record.read(value), strict=True):
                yield from _leaves(entry.field, below, path + entry.suffix if path else entry.path.text)
