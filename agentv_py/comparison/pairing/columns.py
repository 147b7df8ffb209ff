"""A list's rows → the leaves that all of them have in common."""

from collections.abc import Callable
from typing import Any, NamedTuple

from agentv_py.comparison.tree import Field, Leaf, Record, evenly_weighted


class Column(NamedTuple):
    """A leaf that all rows of a list have in common."""

    key: str | None
    """None where the rows themselves are the values."""
    share: float
    """What it weighs, of all columns together."""
    by_equality: bool
    similarity: Callable[[Any, Any], float]
    passes_at: float
    graded: bool
    equal_text_matches: bool
    equal_numbers_match: bool


def columns(item: Field) -> tuple[Column, ...]:
    """The leaves of a list's rows, where all that is in a row is leaves that always count."""
    if isinstance(item, Leaf):
        return (_column(None, item, 1.0),) if item.always_counts else ()
    if not isinstance(item, Record) or not item.mirrors or item.default is not None or item.penalize:
        return ()
    if not evenly_weighted(item) or any(entry.leaf is None for entry in item.entries):
        return ()
    weights = sum(entry.weight for entry in item.entries)
    found = [
        _column(entry.path.steps[0].key, entry.leaf, entry.weight / weights)
        for entry in item.entries
        if entry.path.steps and entry.leaf is not None
    ]
    return tuple(sorted(found, key=_least_work))


def _column(key: str | None, leaf: Leaf, share: float) -> Column:
    sure = (leaf.equal_text_matches, leaf.equal_numbers_match)
    return Column(key, share, leaf.match.by_equality, leaf.similarity, leaf.passes_at, leaf.graded, *sure)


def _least_work(column: Column) -> tuple[bool, bool, float]:
    """Equality first, then what passes or fails, then what must be measured."""
    return not column.by_equality, column.graded, -column.share
