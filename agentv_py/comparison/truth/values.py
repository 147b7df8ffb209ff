"""The values of one path in many cases → how many there are, and which of them cannot be read."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import is_empty
from agentv_py.comparison.truth.progress import Progress

_MOST_KNOWN = 4_096
# A text between these two begins with a visible ASCII character, so it is not blank.
_FIRST_VISIBLE, _AFTER_VISIBLE = "!", "\x7f"


@dataclass(slots=True)
class ValueNode:
    """The values of one path, and what says that one of them cannot be read."""

    path: str
    progress: Progress
    explain: Callable[[Any], str] | None
    """A value → why it cannot be read, or ""; None if every value can be read."""
    split: Callable[[list[Any]], Iterable[Any]] | None = None
    """A list → the values in it; None if the list is one value."""
    always_read: frozenset[type] = frozenset()
    """Types whose values can always be read, except NaN and infinities."""
    total: int = 0
    unreadable: dict[str, int] = field(default_factory=dict)
    first: dict[str, tuple[Any, Any]] = field(default_factory=dict)
    """By reason: the first value that cannot be read, and where it is."""
    known: set[str] = field(default_factory=set)
    """Texts that can be read. Dates and amounts repeat in many cases."""

    def observe(self, value: Any) -> None:
        if self.split is not None and type(value) is list:
            for part in self.split(value):
                self._read(part)
        else:
            self._read(value)

    def prune(self) -> "ValueNode | None":
        return None if self.explain is None else self

    def _read(self, value: Any) -> None:
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
            self.first.setdefault(note, (value, self.progress.where))
        elif kind is str and len(self.known) < _MOST_KNOWN:
            self.known.add(value)


Leaf = tuple[ValueNode, frozenset[type], set[str]]


def list_leaves(nodes: Iterable[ValueNode]) -> list[Leaf]:
    """Return each node with its `always_read` and its `known`, which `observe_values` needs at hand."""
    return [(node, node.always_read, node.known) for node in nodes]


# This runs for every object of every case. Most values need no closer look: a visible text or a finite number that is
# always read, or a text that was read before. For them the loop does what `ValueNode.observe` does, without calls.
def observe_values(leaves: Sequence[Leaf], values: Sequence[Any]) -> None:
    """Give each node its value, which may be absent."""
    for (node, always_read, known), value in zip(leaves, values, strict=True):
        kind = type(value)
        if kind is str:
            is_plain = _FIRST_VISIBLE <= value < _AFTER_VISIBLE if kind in always_read else value in known
        else:
            is_plain = kind in always_read and (kind is int or value - value == 0)
        if is_plain:
            node.total += 1
        elif value is not ABSENT:
            node.observe(value)
