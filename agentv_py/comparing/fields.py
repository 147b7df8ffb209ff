"""The tree that is walked: records, lists and leaves, compiled so that the walk looks nothing up."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from agentv_py.comparing.comparison import Comparison, matched
from agentv_py.comparing.paths import Path, Step, join, parse_key
from agentv_py.match import Match

Get = Callable[[Any], Any]


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value, compared as a match type says."""

    match: Match
    similarity: Callable[[Any, Any], float]
    passes_at: float
    graded: bool
    equal_text_matches: bool
    required: bool
    any_of: bool
    empty_as: Any
    whole: bool
    """Whether a list is compared as one value, and not element by element."""

    @property
    def always_counts(self) -> bool:
        return self.required and not self.any_of and self.empty_as is None


@dataclass(frozen=True, slots=True)
class Pairing:
    """How the rows of two lists find each other."""

    matching: Literal["optimal", "greedy"] = "optimal"
    threshold: float = 0.0
    key: tuple[Get, ...] = ()


@dataclass(frozen=True, slots=True)
class List:
    """Every element, paired as said, else by index."""

    item: "Field"
    pairing: Pairing | None = None
    required: bool = True


class Entry(NamedTuple):
    """A field of a record: where it is, what it is, what it weighs."""

    text: str
    get: Get
    field: "Field"
    weight: float
    leaf: Leaf | None
    """The field, where it is a leaf that always counts."""
    full_match: Comparison
    """What a full match is called where the record is the root."""


@dataclass(frozen=True, slots=True)
class Record:
    entries: tuple[Entry, ...]
    mirrors: bool = False
    """Whether the record mirrors an object. One that does not is a set of paths, which reach what they reach."""
    keys: frozenset[str] = frozenset()
    default: "Anything | None" = None
    """What compares the keys of a mirrored object that are not listed."""
    penalize: bool = False
    """Whether a key that expected does not have counts as wrong."""


@dataclass(frozen=True, slots=True)
class Anything:
    """Whatever stands there: objects and lists are gone into, and every value in them is compared by one leaf."""

    leaf: Leaf
    penalize: bool

    def shaped(self, value: Any) -> "Field":
        if isinstance(value, dict):
            return Record((), mirrors=True, default=self, penalize=self.penalize)
        return List(self, required=self.leaf.required) if isinstance(value, list) else self.leaf


Field = Leaf | List | Record | Anything


def leaf(match: Match, *, whole: bool) -> Leaf:
    return Leaf(
        match,
        match.similarity,
        match.passes_at,
        match.graded,
        match.equal_text_matches,
        match.required,
        match.any_of,
        match.empty_as,
        whole or match.reads_lists,
    )


def entry(path: Path, field: Field, weight: float) -> Entry:
    plain = field if isinstance(field, Leaf) and field.always_counts else None
    return Entry(path.text, path.getter(), field, weight, plain, matched(path.text))


def key_entry(key: str, field: Field, weight: float) -> Entry:
    return entry(parse_key(key), field, weight)


def unlisted(record: Record, expected: Any) -> Iterator[Entry]:
    """Entries for the keys of expected that are not listed, under the default comparator."""
    if record.default is not None and isinstance(expected, dict):
        weight = record.default.leaf.match.weight
        yield from (key_entry(key, record.default, weight) for key in expected if key not in record.keys)


def is_required(field: Field) -> bool:
    """Whether anything in it counts when the candidate leaves it empty."""
    if isinstance(field, Record):
        return field.default is not None or any(is_required(entry.field) for entry in field.entries)
    return field.leaf.required if isinstance(field, Anything) else field.required


def evenly_weighted(field: Field) -> bool:
    """Whether no leaf is so light that its failure could be lost in a sum."""
    if not isinstance(field, Record):
        return True
    return all(1e-6 <= entry.weight <= 1e6 and evenly_weighted(entry.field) for entry in field.entries)


def record_of_paths(matches: Sequence[tuple[Path, Match]]) -> Record:
    """Configured paths → one record that has them all as its fields. A malformed path reaches nothing."""
    return Record(tuple(_path_entry(path, match) for path, match in matches if match.counts and path.steps is not None))


def _path_entry(path: Path, match: Match) -> Entry:
    field: Field = leaf(match, whole=True)
    steps = path.steps or ()
    if not any(step.each for step in steps):
        return entry(path, field, match.weight)
    below: list[Step] = []
    for step in reversed(steps):
        if step.each:
            item = Record((entry(_path(below), field, 1.0),)) if below else field
            field = List(item, required=match.required)
            below = []
        else:
            below.insert(0, step)
    return entry(_path(below), field, match.weight)


def _path(steps: Sequence[Step]) -> Path:
    text = ""
    for step in steps:
        text = join(text, step.key) if step.index is None else f"{text}[{step.index}]"
    return Path(text, tuple(steps))
