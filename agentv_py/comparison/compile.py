"""Comparators or configured paths → the tree that the walk follows."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from agentv_py.comparison.comparison import Comparison, build_full_match
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.matchers.exact import Exact
from agentv_py.comparison.pairing.columns import find_leaf_columns
from agentv_py.comparison.paths import Path, Step, build_reader, join_steps, parse_key, parse_path, write_suffix
from agentv_py.comparison.tree import (
    Absent,
    Anything,
    Field,
    FullMatches,
    KeyField,
    Leaf,
    List,
    Pairing,
    Record,
    RecordEntry,
    always_counts,
    list_depth,
)

if TYPE_CHECKING:
    from agentv_py.comparison.comparators import Aggregate, DefaultByType, ExtraKeys, Fields, Ordered, Unordered

# A record keeps the full matches of this many places; the rows of longer lists get theirs anew each time.
_MOST_PLACES = 1000
# Bounds of the cache under the default comparator: sets of keys, keys of a set, places of a set.
_MOST_KEY_SETS = _MOST_KEYS = 64
_FEW_PLACES = 16


class _Rules(NamedTuple):
    """What holds at every depth of a tree."""

    default: Anything | None
    penalize: bool
    absent_is_empty: bool
    by_leaves: bool


def compile_comparators(
    comparators: Any,
    default: "Match | DefaultByType | None",
    extra_keys: "ExtraKeys",
    absent: Absent = "unlabelled",
    aggregate: "Aggregate" = "tree",
) -> Field | None:
    """Return the tree of the user's comparators, or of the default alone; None if nothing would count."""
    penalize = extra_keys == "penalize"
    other = None if default is None else compile_anything(default, penalize=penalize)
    if comparators is None:
        return other
    return _compile(comparators, _Rules(other, penalize, absent == "empty", aggregate == "leaves"))


def _compile(comparators: Any, rules: _Rules) -> Field | None:
    from agentv_py.comparison.comparators import Fields, Ordered, Unordered  # configured paths need none of them

    if isinstance(comparators, Match):
        return None if comparators.is_ignored else compile_leaf(comparators, compare_list_as_value=False)
    if isinstance(comparators, Unordered | Ordered):
        return _compile_list(comparators, rules)
    here, below = rules, comparators
    if isinstance(comparators, Fields):
        here, below = _choose_rules(comparators, rules), comparators.fields
    fields = [(key, child, _compile(child, rules)) for key, child in below.items()]
    entries = [compile_key(key, field, _weight_of(child)) for key, child, field in fields if field is not None]
    if here.default is None and not any(entry.weight for entry in entries):
        return None
    return compile_record(
        entries,
        from_object=True,
        keys=frozenset(below),
        default=here.default,
        penalize=here.penalize,
        absent_is_empty=rules.absent_is_empty,
    )


def _choose_rules(comparators: "Fields", rules: _Rules) -> _Rules:
    """Return what holds in one object, whose own default and extra keys replace those of the whole tree."""
    penalize = rules.penalize if comparators.extra_keys is None else comparators.extra_keys == "penalize"
    default = comparators.default
    other = rules.default if default is None else compile_anything(default, penalize=penalize)
    return rules._replace(default=other, penalize=penalize)


def _weight_of(comparators: Any) -> float:
    return 1.0 if isinstance(comparators, dict) else float(comparators.weight)


def _compile_list(comparators: "Unordered | Ordered", rules: _Rules) -> Field | None:
    from agentv_py.comparison.comparators import Ordered

    item = _compile(comparators.ordered if isinstance(comparators, Ordered) else comparators.unordered, rules)
    if item is None or isinstance(comparators, Ordered):
        return None if item is None else List(item)
    key = tuple(_compile_row_key(parse_path(path), item) for path in comparators.key or ())
    how = (comparators.matching, comparators.threshold, key)
    counts, depth = always_counts(item), list_depth(item)
    return List(item, Pairing(*how, find_leaf_columns(item), counts, depth, rules.by_leaves))


def _compile_row_key(path: Path, item: Field) -> KeyField:
    """Return a field of `key:` with the leaf that the rows list for it. A key that they do not list is exact."""
    field: Field | None = item
    for step in path.steps or ():
        entries = field.entries if isinstance(field, Record) else ()
        field = next((entry.field for entry in entries if entry.path.steps == (Step(step.key, None),)), None)
    leaf = field if isinstance(field, Leaf) else compile_leaf(Exact())
    return KeyField(path.build_getter(), leaf._replace(compare_list_as_value=True, required=True))


def compile_leaf(match: Match, *, compare_list_as_value: bool = True) -> Leaf:
    return Leaf(
        match,
        match.similarity,
        match.passes_at,
        match.graded,
        match.equal_values_match,
        match.required,
        match.any_of,
        match.empty_as,
        compare_list_as_value or match.reads_lists,
    )


def compile_record(entries: Sequence[RecordEntry], places: int = _MOST_PLACES, **options: Any) -> Record:
    leaves, read = tuple(_list_leaves(entries)), build_reader([entry.path for entry in entries])
    each = _build_full_matches([entry.suffix for entry in entries], places)
    weight = sum(entry.weight * _weigh_leaves(entry.field) for entry in entries)
    below = _build_full_matches(leaves, places)
    record = Record(tuple(entries), read, each, leaves, below, leaf_weight=weight, **options)
    is_simple = record.default is None and not record.penalize and any(entry.weight for entry in entries)
    return record._replace(
        equal_values_match=is_simple and all(entry.leaf and entry.equal_values_match for entry in entries)
    )


def _weigh_leaves(field: Field) -> float:
    return field.leaf_weight if isinstance(field, Record) else 1.0


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


def compile_anything(default: "Match | DefaultByType", *, penalize: bool) -> Anything | None:
    """Return the fallback for unlisted keys, which contains itself: its objects and lists hold anything again.

    None if it ignores everything.
    """
    from agentv_py.comparison.comparators import list_by_type

    matches = list_by_type(default)
    if all(match.is_ignored for match in matches.values()):
        return None
    weight = next(match.weight for match in matches.values() if not match.is_ignored)
    anything = Anything()
    anything.text, anything.number, anything.boolean = (
        compile_leaf(matches[kind], compare_list_as_value=False)._replace(never_counts=matches[kind].is_ignored)
        for kind in ("text", "number", "boolean")
    )
    anything.list_shape = List(anything)
    anything.object_shape = compile_record((), from_object=True, default=anything, penalize=penalize)

    def compile_keys(keys: tuple[str, ...]) -> Record:
        return compile_record([compile_key(key, anything, weight) for key in keys], _FEW_PLACES)

    # Objects of many cases have the same keys, so their record is compiled once. The cache is bounded in both
    # directions, because data with other keys in each case would make it grow with the number of cases.
    remember = lru_cache(maxsize=_MOST_KEY_SETS)(compile_keys)
    anything.compile_keys = lambda keys: remember(keys) if len(keys) <= _MOST_KEYS else compile_keys(keys)
    return anything


def compile_key(key: str, field: Field, weight: float) -> RecordEntry:
    return _compile_entry(parse_key(key), field, weight)


def _compile_entry(path: Path, field: Field, weight: float) -> RecordEntry:
    # What compares a text or a number.
    leaves = field.leaves if isinstance(field, Anything) else (field,) if isinstance(field, Leaf) else ()
    counts = bool(leaves) and all(leaf.always_counts for leaf in leaves)
    equal = counts and all(leaf.equal_values_match for leaf in leaves)
    always = field if isinstance(field, Leaf) and counts else None
    return RecordEntry(path, field, weight, always, equal, write_suffix(path.text))


def compile_paths(matches: Sequence[tuple[Path, Match]], absent: Absent = "unlabelled") -> Record:
    """Return one record that has all configured paths as its entries. A malformed path reaches nothing."""
    reaching = [(path, match) for path, match in matches if not match.is_ignored and path.steps is not None]
    empty = absent == "empty"
    return compile_record(
        [_compile_path(path, match, absent_is_empty=empty) for path, match in reaching], absent_is_empty=empty
    )


def _compile_path(path: Path, match: Match, *, absent_is_empty: bool) -> RecordEntry:
    field: Field = compile_leaf(match)
    steps = path.steps or ()
    if not any(step.each for step in steps):
        return _compile_entry(path, field, match.weight)
    below: list[Step] = []
    for step in reversed(steps):
        if step.each:
            entry = _compile_entry(join_steps(below), field, 1.0)
            field = List(compile_record([entry], absent_is_empty=absent_is_empty) if below else field)
            below = []
        else:
            below.insert(0, step)
    return _compile_entry(join_steps(below), field, match.weight)
