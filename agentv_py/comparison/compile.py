"""Comparators or configured paths → the tree that the walk follows."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from agentv_py.comparison.comparison import Comparison, build_full_match
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.pairing.columns import find_leaf_columns
from agentv_py.comparison.paths import Path, Step, build_reader, join_steps, parse_key, parse_path, write_suffix
from agentv_py.comparison.tree import (
    Anything,
    Field,
    FullMatches,
    Leaf,
    List,
    Pairing,
    Record,
    RecordEntry,
    always_counts,
    is_required,
    list_depth,
)

if TYPE_CHECKING:
    from agentv_py.comparison.comparators import ExtraKeys, Ordered, Unordered

# A record keeps the full matches of this many places; the rows of longer lists get theirs anew each time.
_MOST_PLACES = 1000
# Bounds of the cache under the default comparator: sets of keys, keys of a set, places of a set.
_MOST_KEY_SETS = _MOST_KEYS = 64
_FEW_PLACES = 16


def compile_comparators(comparators: Any, default: Match | None, extra_keys: "ExtraKeys") -> Field | None:
    """Return the tree of the user's comparators; None if everything is ignored or has weight 0."""
    from agentv_py.comparison.comparators import Fields, Ordered, Unordered  # configured paths need none of them

    if isinstance(comparators, Match):
        return None if comparators.is_ignored else compile_leaf(comparators, compare_list_as_value=False)
    if isinstance(comparators, Unordered | Ordered):
        return _compile_list(comparators, default, extra_keys)
    below = comparators.fields if isinstance(comparators, Fields) else comparators
    fields = [(key, child, compile_comparators(child, default, extra_keys)) for key, child in below.items()]
    entries = [compile_key(key, field, _weight_of(child)) for key, child, field in fields if field is not None]
    penalize = extra_keys == "penalize"
    other = None if default is None or default.is_ignored else compile_anything(default, penalize=penalize)
    if other is None and not any(entry.weight for entry in entries):
        return None
    return compile_record(entries, from_object=True, keys=frozenset(below), default=other, penalize=penalize)


def _weight_of(comparators: Any) -> float:
    return 1.0 if isinstance(comparators, dict) else float(comparators.weight)


def _compile_list(comparators: "Unordered | Ordered", default: Match | None, extra_keys: "ExtraKeys") -> Field | None:
    from agentv_py.comparison.comparators import Ordered

    rows = comparators.ordered if isinstance(comparators, Ordered) else comparators.unordered
    item = compile_comparators(rows, default, extra_keys)
    if item is None:
        return None
    if isinstance(comparators, Ordered):
        return List(item, required=is_required(item))
    key = tuple(parse_path(path).build_getter() for path in comparators.key or ())
    how = (comparators.matching, comparators.threshold, key)
    pairing = Pairing(*how, find_leaf_columns(item), always_counts(item), list_depth(item))
    return List(item, pairing, required=is_required(item))


def compile_leaf(match: Match, *, compare_list_as_value: bool = True) -> Leaf:
    return Leaf(
        match,
        match.similarity,
        match.passes_at,
        match.graded,
        match.equal_text_matches,
        match.equal_numbers_match,
        match.required,
        match.any_of,
        match.empty_as,
        compare_list_as_value or match.reads_lists,
    )


def compile_record(entries: Sequence[RecordEntry], places: int = _MOST_PLACES, **options: Any) -> Record:
    leaves, read = tuple(_list_leaves(entries)), build_reader([entry.path for entry in entries])
    each = _build_full_matches([entry.suffix for entry in entries], places)
    return Record(tuple(entries), read, each, leaves, _build_full_matches(leaves, places), **options)


def _build_full_matches(suffixes: Sequence[str], places: int) -> FullMatches:
    # A closure with its own cache, because a record is found at few places, and most of its entries match fully there:
    # the comparisons of one place are built once for all cases. A cache of all records would hash the record as well.
    @lru_cache(maxsize=places)
    def full_matches(path: str) -> tuple[Comparison, ...]:
        return tuple([build_full_match(path + suffix if path else suffix.removeprefix(".")) for suffix in suffixes])

    return full_matches


def _list_leaves(entries: Sequence[RecordEntry]) -> Iterator[str]:
    for entry in entries:
        below = entry.field.leaves if isinstance(entry.field, Record) else ("",)
        yield from (entry.suffix + suffix for suffix in below)


def compile_anything(match: Match, *, penalize: bool) -> Anything:
    """Return the fallback for unlisted keys, which contains itself: its objects and lists hold anything again."""
    anything = Anything()
    anything.leaf = compile_leaf(match, compare_list_as_value=False)
    anything.list_shape = List(anything, required=match.required)
    anything.object_shape = compile_record((), from_object=True, default=anything, penalize=penalize)

    def compile_keys(keys: tuple[str, ...]) -> Record:
        return compile_record([compile_key(key, anything, match.weight) for key in keys], _FEW_PLACES)

    # Objects of many cases have the same keys, so their record is compiled once. The cache is bounded in both
    # directions, because data with other keys in each case would make it grow with the number of cases.
    remember = lru_cache(maxsize=_MOST_KEY_SETS)(compile_keys)
    anything.compile_keys = lambda keys: remember(keys) if len(keys) <= _MOST_KEYS else compile_keys(keys)
    return anything


def compile_key(key: str, field: Field, weight: float) -> RecordEntry:
    return _compile_entry(parse_key(key), field, weight)


def _compile_entry(path: Path, field: Field, weight: float) -> RecordEntry:
    leaf = field.leaf if isinstance(field, Anything) else field  # compares a text or a number
    counts = isinstance(leaf, Leaf) and leaf.always_counts
    equal = (leaf.equal_text_matches, leaf.equal_numbers_match) if isinstance(leaf, Leaf) and counts else (False, False)
    always = field if isinstance(field, Leaf) and counts else None
    return RecordEntry(path, field, weight, always, *equal, write_suffix(path.text))


def compile_paths(matches: Sequence[tuple[Path, Match]]) -> Record:
    """Return one record that has all configured paths as its entries. A malformed path reaches nothing."""
    return compile_record(
        [_compile_path(path, match) for path, match in matches if not match.is_ignored and path.steps is not None]
    )


def _compile_path(path: Path, match: Match) -> RecordEntry:
    field: Field = compile_leaf(match)
    steps = path.steps or ()
    if not any(step.each for step in steps):
        return _compile_entry(path, field, match.weight)
    below: list[Step] = []
    for step in reversed(steps):
        if step.each:
            item = compile_record([_compile_entry(join_steps(below), field, 1.0)]) if below else field
            field = List(item, required=match.required)
            below = []
        else:
            below.insert(0, step)
    return _compile_entry(join_steps(below), field, match.weight)
