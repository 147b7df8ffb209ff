"""The field of a list's rows → the leaves of a row, if it holds plain leaves only."""

from collections.abc import Callable
from typing import Any, NamedTuple

from agentv_py.comparison.tree import Field, Leaf, Record, has_even_weights


class LeafColumn(NamedTuple):
    """One leaf of every row of a list."""

    key: str | None
    """None if the rows themselves are the values."""
    share: float
    """The weight of the leaf, divided by the weight of all leaves."""
    unequal_is_zero: bool
    similarity: Callable[[Any, Any], float]
    passes_at: float
    graded: bool
    equal_values_match: bool


def find_leaf_columns(item: Field) -> tuple[LeafColumn, ...]:
    """Return the leaves of a list's rows; empty if a row holds anything else, or a leaf that may not count."""
    if isinstance(item, Leaf):
        return (_build_column(None, item, 1.0),) if item.always_counts else ()
    if not isinstance(item, Record) or not item.from_object or item.default is not None or item.penalize:
        return ()
    if not has_even_weights(item) or any(entry.leaf is None for entry in item.entries):
        return ()
    weights = sum(entry.weight for entry in item.entries)
    columns = [
        _build_column(entry.path.steps[0].key, entry.leaf, entry.weight / weights)
        for entry in item.entries
        if entry.path.steps and entry.leaf is not None
    ]
    return tuple(sorted(columns, key=_rank_by_cost))


def _build_column(key: str | None, leaf: Leaf, share: float) -> LeafColumn:
    how = (leaf.similarity, leaf.passes_at, leaf.graded, leaf.equal_values_match)
    return LeafColumn(key, share, leaf.match.unequal_is_zero, *how)


def _rank_by_cost(column: LeafColumn) -> tuple[bool, bool, float]:
    """Put columns that equality decides first, then those that pass or fail, then graded ones; heavy ones first."""
    return not column.unequal_is_zero, column.graded, -column.share
