"""The tree that is walked: records, lists and leaves, compiled so that the walk looks nothing up."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from agentv_py.comparison.comparison import Comparison, matched
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.paths import Get, Path, Read, Step, join, parse_key, reader, suffix

if TYPE_CHECKING:
    from agentv_py.comparison.pairing.columns import Column


class Leaf(NamedTuple):
    """One value, compared as a match type says."""

    match: Match
    similarity: Callable[[Any, Any], float]
    passes_at: float
    graded: bool
    equal_text_matches: bool
    equal_numbers_match: bool
    required: bool
    any_of: bool
    empty_as: Any
    whole: bool
    """Whether a list is compared as one value, and not element by element."""

    @property
    def always_counts(self) -> bool:
        return self.required and not self.any_of and self.empty_as is None


FullMatches = Callable[[str], tuple[Comparison, ...]]

# The rows of longer lists are named anew each time.
_MOST_PLACES = 1000
# Of objects under the default comparator: how many sets of keys are remembered, of how many keys, at how many places.
_MOST_KEY_SETS = _MOST_KEYS = 64
_FEW_PLACES = 16


class Pairing(NamedTuple):
    """How the rows of two lists find each other."""

    matching: Literal["optimal", "greedy"] = "optimal"
    threshold: float = 0.0
    key: tuple[Get, ...] = ()
    columns: "tuple[Column, ...]" = ()
    """The rows' leaves, those first that equality decides; none where rows are not of so plain a shape."""
    sure: bool = False
    """Whether every leaf that expected has counts, whoever the partner is."""
    depth: int = 0
    """How many levels of lists are in a row."""

    @property
    def order_free(self) -> bool:
        """Whether the order of the rows decides nothing: greedy ties and equal keys go by index."""
        return self.matching == "optimal" and not self.key


class List(NamedTuple):
    """Every element, paired as said, else by index."""

    item: "Field"
    pairing: Pairing | None = None
    required: bool = True


class Entry(NamedTuple):
    """A field of a record: where it is, what it is, what it weighs."""

    path: Path
    field: "Field"
    weight: float
    leaf: Leaf | None
    """The field, where it is a leaf that always counts."""
    equal_text_matches: bool
    equal_numbers_match: bool
    suffix: str
    """The path as it stands behind another one."""


class Record(NamedTuple):
    entries: tuple[Entry, ...]
    read: Read
    """An object → the values of its entries."""
    full_matches: "FullMatches"
    """The record's path → what is said of each entry where it matches fully; of one that is no leaf, its path."""
    leaves: tuple[str, ...]
    """How the paths of all leaves go on behind the record's."""
    full_match: "FullMatches"
    """The record's path → what is said of all leaves where the whole record matches fully."""
    mirrors: bool = False
    """Whether the record mirrors an object. One that does not is a set of paths, which reach what they reach."""
    keys: frozenset[str] = frozenset()
    default: "Anything | None" = None
    """What compares the keys of a mirrored object that are not listed."""
    penalize: bool = False
    """Whether a key that expected does not have counts as wrong."""


class Anything:
    """Whatever stands there: objects and lists are gone into, and every value in them is compared by one leaf."""

    __slots__ = ("_list", "_object", "_remember", "leaf", "penalize")

    def __init__(self, leaf: Leaf, *, penalize: bool) -> None:
        self.leaf = leaf
        self.penalize = penalize
        self._object = record((), mirrors=True, default=self, penalize=penalize)
        self._list = List(self, required=leaf.required)
        self._remember = lru_cache(maxsize=_MOST_KEY_SETS)(self._compile)

    def shaped(self, value: Any) -> "Field":
        if isinstance(value, dict):
            return self._object
        return self._list if isinstance(value, list) else self.leaf

    def record_of_keys(self, keys: tuple[str, ...]) -> "Record":
        """A record of these keys, compiled once for all objects that have them."""
        return self._remember(keys) if len(keys) <= _MOST_KEYS else self._compile(keys)

    def _compile(self, keys: tuple[str, ...]) -> "Record":
        return record([key_entry(key, self, self.leaf.match.weight) for key in keys], _FEW_PLACES)


Field = Leaf | List | Record | Anything


def leaf(match: Match, *, whole: bool) -> Leaf:
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
        whole or match.reads_lists,
    )


def record(entries: Sequence[Entry], places: int = _MOST_PLACES, **options: Any) -> Record:
    leaves, read = tuple(_leaves(entries)), reader([entry.path for entry in entries])
    each = _full_matches([entry.suffix for entry in entries], places)
    return Record(tuple(entries), read, each, leaves, _full_matches(leaves, places), **options)


def _full_matches(suffixes: Sequence[str], places: int) -> FullMatches:
    @lru_cache(maxsize=places)
    def full_matches(path: str) -> tuple[Comparison, ...]:
        return tuple([matched(path + one if path else one.removeprefix(".")) for one in suffixes])

    return full_matches


def _leaves(entries: Sequence[Entry]) -> Iterator[str]:
    for entry in entries:
        below = entry.field.leaves if isinstance(entry.field, Record) else ("",)
        yield from (entry.suffix + one for one in below)


def entry(path: Path, field: Field, weight: float) -> Entry:
    leaf = field.leaf if isinstance(field, Anything) else field  # what compares a text or a number there
    counts = isinstance(leaf, Leaf) and leaf.always_counts
    sure = (leaf.equal_text_matches, leaf.equal_numbers_match) if isinstance(leaf, Leaf) and counts else (False, False)
    return Entry(path, field, weight, field if isinstance(field, Leaf) and counts else None, *sure, suffix(path.text))


def key_entry(key: str, field: Field, weight: float) -> Entry:
    return entry(parse_key(key), field, weight)


def unlisted(listed: Record, expected: Any) -> Record:
    """A record of the keys of expected that are not listed, under the default comparator."""
    if listed.default is None or not isinstance(expected, dict):
        return _NOTHING
    return listed.default.record_of_keys(tuple([key for key in expected if key not in listed.keys]))


_NOTHING = record(())


def is_required(field: Field) -> bool:
    """Whether anything in it counts when the candidate leaves it empty."""
    if isinstance(field, Record):
        return field.default is not None or any(is_required(entry.field) for entry in field.entries)
    return field.leaf.required if isinstance(field, Anything) else field.required


def always_counts(field: Field) -> bool:
    """Whether every leaf in it counts that expected has, whatever the candidate says."""
    if isinstance(field, Record):
        rest = field.default is None or field.default.leaf.always_counts
        return rest and all(always_counts(entry.field) for entry in field.entries)
    if isinstance(field, List):
        return always_counts(field.item)
    return (field.leaf if isinstance(field, Anything) else field).always_counts


def list_depth(field: Field) -> int:
    """How many levels of lists are in a field."""
    if isinstance(field, Record):
        return max((list_depth(entry.field) for entry in field.entries), default=0)
    return 1 + list_depth(field.item) if isinstance(field, List) else 0


def evenly_weighted(field: Field) -> bool:
    """Whether no leaf is so light that its failure could be lost in a sum."""
    if not isinstance(field, Record):
        return True
    return all(1e-6 <= entry.weight <= 1e6 and evenly_weighted(entry.field) for entry in field.entries)


def record_of_paths(matches: Sequence[tuple[Path, Match]]) -> Record:
    """Configured paths → one record that has them all as its fields. A malformed path reaches nothing."""
    return record([_path_entry(path, match) for path, match in matches if match.counts and path.steps is not None])


def _path_entry(path: Path, match: Match) -> Entry:
    field: Field = leaf(match, whole=True)
    steps = path.steps or ()
    if not any(step.each for step in steps):
        return entry(path, field, match.weight)
    below: list[Step] = []
    for step in reversed(steps):
        if step.each:
            item = record([entry(_path(below), field, 1.0)]) if below else field
            field = List(item, required=match.required)
            below = []
        else:
            below.insert(0, step)
    return entry(_path(below), field, match.weight)


def _path(steps: Sequence[Step]) -> Path:
    text = ""
    for step in steps:
        text = join(text, step.key) if step.number is None else f"{text}[{step.number}]"
    return Path(text, tuple(steps))
