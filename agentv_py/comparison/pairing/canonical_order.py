"""Rows → an order that follows from their content alone.

Several pairings can have the best sum but differ in the number of fields that they hit. If the rows are solved in this
order, a row gets the same partner in any order of the lists, so every report stays the same.
"""

from collections.abc import Sequence
from typing import Any

from agentv_py.comparison.tree import Anything, Field, Leaf, List, Record


def sort_by_content(item: Field, rows: Sequence[Any]) -> list[int]:
    """Return the indexes of the rows in canonical order; rows that are the same to the walk keep their order."""
    if isinstance(item, Record) and _has_plain_leaves(item) and set(map(type, rows)) == {dict}:
        contents = list(map(repr, map(item.read, rows)))  # what `write_content` gives, without a question for each row
    else:
        contents = [write_content(item, row) for row in rows]
    return sorted(range(len(rows)), key=contents.__getitem__)


def write_content(field: Field, value: Any) -> str:
    """Return everything that the walk sees of a value, as text; rows of an order-free list are sorted in it."""
    if isinstance(field, Anything):
        field = field.shape_of(value)
    if isinstance(value, list) and isinstance(field, List | Record):
        rows = [write_content(field.item if isinstance(field, List) else field, row) for row in value]
        if isinstance(field, List) and field.pairing is not None and field.pairing.is_order_free:
            rows.sort()
        return f"[{', '.join(rows)}]"
    if isinstance(value, dict) and isinstance(field, Record):
        return _write_object(field, value)
    return repr(value)


def _write_object(record: Record, value: dict[str, Any]) -> str:
    values = record.read(value)
    if record.default is not None or record.penalize:
        values = (*values, sorted((key, repr(below)) for key, below in value.items() if key not in record.keys))
    if all(isinstance(entry.field, Leaf) for entry in record.entries):
        return repr(values)
    entries = [write_content(entry.field, below) for entry, below in zip(record.entries, values, strict=False)]
    return f"({', '.join(entries)}, {values[len(entries) :]!r})"


def _has_plain_leaves(record: Record) -> bool:
    """Whether a record consists of listed leaves only."""
    return record.default is None and not record.penalize and all(type(entry.field) is Leaf for entry in record.entries)
