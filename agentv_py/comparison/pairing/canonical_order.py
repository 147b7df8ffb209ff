"""Rows → an order that follows from what they hold, wherever they stand.

Several pairings can have the best sum, and differ in how many fields they hit. Solved in this order, the same rows are
paired in the same way in whatever order they come, and so everything that is reported of them stays the same.
"""

from collections.abc import Sequence
from typing import Any

from agentv_py.comparison.tree import Anything, Field, Leaf, List, Record


def order(item: Field, rows: Sequence[Any]) -> list[int]:
    """The rows' indexes; those of rows that are the same to the walk stay in the order they come in."""
    contents = [content(item, row) for row in rows]
    return sorted(range(len(rows)), key=contents.__getitem__)


def content(field: Field, value: Any) -> str:
    """All that the walk sees of a value; the rows of an order-free list are sorted in it."""
    if isinstance(field, Anything):
        field = field.shaped(value)
    if isinstance(value, list) and isinstance(field, List | Record):
        rows = [content(field.item if isinstance(field, List) else field, row) for row in value]
        if isinstance(field, List) and field.pairing is not None and field.pairing.order_free:
            rows.sort()
        return f"[{', '.join(rows)}]"
    if isinstance(value, dict) and isinstance(field, Record):
        return _object(field, value)
    return repr(value)


def _object(record: Record, value: dict[str, Any]) -> str:
    values = record.read(value)
    if record.default is not None or record.penalize:
        values = (*values, sorted((key, repr(below)) for key, below in value.items() if key not in record.keys))
    if all(isinstance(entry.field, Leaf) for entry in record.entries):
        return repr(values)
    entries = [content(entry.field, below) for entry, below in zip(record.entries, values, strict=False)]
    return f"({', '.join(entries)}, {values[len(entries) :]!r})"
