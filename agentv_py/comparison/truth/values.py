"""The values of one path in many cases → how many there are, and which of them cannot be read."""

from collections.abc import Callable, Iterable, Sequence
from math import isfinite
from typing import Any, NamedTuple

from agentv_py.comparison.comparison import is_empty

_MOST_KNOWN = 4_096
# A text between these two begins with a visible ASCII character, so it is not blank.
_FIRST_VISIBLE, _AFTER_VISIBLE = "!", "\x7f"


class ValueFacts(NamedTuple):
    """What a node has counted."""

    total: int
    unreadable: dict[str, int]
    first: dict[str, tuple[Any, Any]]


class ValueNode:
    """The values of one path, and what says that one of them cannot be read."""

    def __init__(
        self,
        path: str,
        explain: Callable[[Any], str] | None,
        split: Callable[[list[Any]], Iterable[Any]] | None = None,
        always_read: frozenset[type] = frozenset(),
        suggest: Callable[[Any], str] = lambda _value: "",
    ) -> None:
        self.path = path
        self.explain = explain
        """A value → why it cannot be read, or ""; None if every value can be read."""
        self.split = split
        """A list → the values in it; None if the list is one value."""
        self.always_read = always_read
        """Types whose values can always be read, except NaN and infinities."""
        self.suggest = suggest
        """A value that cannot be read → the option that would let it be read, or ""."""
        self.total = 0
        self.unreadable: dict[str, int] = {}
        self.first: dict[str, tuple[Any, Any]] = {}
        """By reason: the first value that cannot be read, and where it is."""
        self.known: set[str] = set()
        """Texts that can be read. Dates and amounts repeat in many cases."""

    def observe(self, values: Sequence[Any], places: Sequence[Any]) -> None:
        if self.explain is None:
            return
        if self._has_only_plain(values):
            self.total += len(values)
            return
        for value, place in zip(values, places, strict=True):
            for part in self.split(value) if self.split is not None and type(value) is list else [value]:
                self._read(part, place)

    def prune(self) -> "ValueNode | None":
        return None if self.explain is None else self

    def take_facts(self) -> ValueFacts:
        """Return what was counted since the last call."""
        facts = ValueFacts(self.total, self.unreadable, self.first)
        self.total, self.unreadable, self.first = 0, {}, {}
        return facts

    def add_facts(self, facts: ValueFacts) -> None:
        """Add what another process has counted in later cases."""
        self.total += facts.total
        for note, count in facts.unreadable.items():
            self.unreadable[note] = self.unreadable.get(note, 0) + count
            self.first.setdefault(note, facts.first[note])

    def _has_only_plain(self, values: Sequence[Any]) -> bool:
        """Whether no value needs a closer look. This is fast, and nearly always true."""
        kinds = set(map(type, values))
        if kinds == {str}:
            if str in self.always_read:
                return bool(min(values) >= _FIRST_VISIBLE and max(values) < _AFTER_VISIBLE)
            return self.known.issuperset(values)
        if not kinds <= self.always_read - {str}:
            return False
        # An integer may exceed every float, and needs no look.
        floats = values if kinds == {float} else [value for value in values if type(value) is float]
        return isfinite(sum(floats))

    def _read(self, value: Any, place: Any) -> None:
        if self.explain is None or is_empty(value):
            return
        self.total += 1
        kind = type(value)
        if (kind is str and value in self.known) or (
            kind in self.always_read and (kind is not float or isfinite(value))
        ):
            return
        note = self.explain(value)
        if note:
            self.unreadable[note] = self.unreadable.get(note, 0) + 1
            self.first.setdefault(note, (value, place))
        elif kind is str and len(self.known) < _MOST_KNOWN:
            self.known.add(value)
