"""The tree that is walked: records, lists and leaves, compiled so that the walk looks nothing up."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from agentv_py.compare.comparison import Comparison, matched
from agentv_py.compare.paths import Path, Step, join
from agentv_py.match import Match


@dataclass(frozen=True, slots=True)
class Leaf:
    """One value, compared as a match type says."""

    similarity: Callable[[Any, Any], float]
    passes_at: float
    graded: bool
    equal_text_matches: bool
    required: bool = True
    any_of: bool = False

    @property
    def plain(self) -> bool:
        return self.required and not self.any_of


@dataclass(frozen=True, slots=True)
class List:
    """Every element, compared by index."""

    item: "Field"


class Entry(NamedTuple):
    """A field of a record: where it is, what it is, what it weighs."""

    text: str
    get: Callable[[Any], Any]
    field: "Field"
    weight: float
    leaf: Leaf | None
    """The field, where it is a leaf that always counts."""
    full_match: Comparison
    """What a full match is called where the record is the root."""


@dataclass(frozen=True, slots=True)
class Record:
    entries: tuple[Entry, ...]


Field = Leaf | List | Record


def record_of_paths(matches: Sequence[tuple[Path, Match]]) -> Record:
    """Configured paths → one record that has them all as its fields. A malformed path reaches nothing."""
    return Record(tuple(_entry(path, match) for path, match in matches if match.counts and path.steps is not None))


def leaf(match: Match) -> Leaf:
    return Leaf(
        match.similarity,
        match.passes_at,
        match.graded,
        match.equal_text_matches,
        match.required,
        match.any_of,
    )


def _entry(path: Path, match: Match) -> Entry:
    field: Field = leaf(match)
    steps = path.steps or ()
    if not any(step.each for step in steps):
        return _entry_at(path, field, match.weight)
    below: list[Step] = []
    for step in reversed(steps):
        if step.each:
            field = List(Record((_entry_at(_path(below), field, 1.0),)) if below else field)
            below = []
        else:
            below.insert(0, step)
    return _entry_at(_path(below), field, match.weight)


def _entry_at(path: Path, field: "Field", weight: float) -> Entry:
    plain = field if isinstance(field, Leaf) and field.plain else None
    return Entry(path.text, path.getter(), field, weight, plain, matched(path.text))


def _path(steps: Sequence[Step]) -> Path:
    text = ""
    for step in steps:
        text = join(text, step.key) if step.index is None else f"{text}[{step.index}]"
    return Path(text, tuple(steps))
