"""Where a value is in the text of a file: its first and last character, and the spans of the values below it."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from agentv_py.case import ABSENT

Step = str | int
Steps = tuple[Step, ...]
Style = Literal["flow", "block", "plain", "quoted", "literal"]
"""How a value is written: as `{...}` or `[...]`, on lines of its own, or as a scalar of one of three kinds."""


@dataclass(slots=True)
class Span:
    start: int
    end: int
    style: Style = "plain"
    below: "dict[str, Span] | list[Span] | None" = None
    column: int = 0
    """Of a block: the column of its members."""

    def find(self, steps: Steps) -> "Span | None":
        span: Span | None = self
        for step in steps:
            below = None if span is None else span.below
            if isinstance(below, dict):
                span = below.get(str(step))
            elif isinstance(below, list) and isinstance(step, int) and step < len(below):
                span = below[step]
            else:
                return None
        return span

    @property
    def last_end(self) -> int:
        """Where the last value below ends. A block itself ends after the comments that follow it."""
        if self.style != "block" or not self.below:
            return self.end
        members = list(self.below.values()) if isinstance(self.below, dict) else self.below
        return max(member.last_end for member in members)


class Change(NamedTuple):
    """A new value at a path. If nothing is there, its last step is a new key of an object."""

    steps: Steps
    value: Any


def list_changes(old: Any, new: Any, steps: Steps = ()) -> list[Change]:
    """List the smallest changes. An object that loses a key, and one that had none, changes as a whole."""
    if isinstance(old, dict) and isinstance(new, dict) and old and old.keys() <= new.keys():
        pairs = [((*steps, key), old.get(key, ABSENT), value) for key, value in new.items()]
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        pairs = [((*steps, index), *pair) for index, pair in enumerate(zip(old, new, strict=True))]
    else:
        return [] if is_same(old, new) else [Change(steps, new)]
    return [change for path, before, after in pairs for change in list_changes(before, after, path)]


def is_same(one: Any, other: Any) -> bool:
    """Return whether two JSON values are equal and of the same types: 1, 1.0 and true differ here."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(is_same(value, other[key]) for key, value in one.items())
    if isinstance(one, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    return bool(one == other) or repr(one) == repr(other)  # NaN does not equal itself


def set_value(value: Any, steps: Steps, new: Any) -> Any:
    """Return a copy of the value with another value at a path, which may be a new key. Raises LookupError."""
    if not steps:
        return new
    step, *rest = steps
    if isinstance(value, dict):
        below = value.get(str(step), ABSENT) if not rest else value[str(step)]
        return {**value, str(step): set_value(below, tuple(rest), new)}
    if isinstance(value, list) and isinstance(step, int) and step < len(value):
        return [*value[:step], set_value(value[step], tuple(rest), new), *value[step + 1 :]]
    raise LookupError(step)
