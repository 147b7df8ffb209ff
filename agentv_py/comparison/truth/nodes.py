"""The paths that options name, as a tree → which of them an expected value has, and which of its values are unreadable.

A node looks at one expected value and has no result: it notes what it finds in the `ConfiguredPath` and `ValueNode`
that it leads to. `prune` returns the part of a node that still has something to find.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any, NamedTuple, Protocol

from agentv_py.case import ABSENT
from agentv_py.comparison.comparators import OptionPath
from agentv_py.comparison.comparison import is_empty
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.paths import Path, build_reader, join_path

# Data may have other keys in each case. Values of further unlisted keys are counted under the object that holds them.
_MOST_UNLISTED = 100
_MOST_KNOWN = 4_096
# A text between these two begins with a visible ASCII character, so it is not blank.
_FIRST_VISIBLE, _AFTER_VISIBLE = "!", "\x7f"


@dataclass(slots=True, eq=False)
class ConfiguredPath:
    """A path into the expected value that options name."""

    option: OptionPath
    """Where the options name it."""
    path: str
    keys: tuple[str, ...]
    """The keys of the path, without the indexes of lists."""
    required: bool
    is_key: bool
    """Whether it is a key of the options, and not a value."""
    above: "ConfiguredPath | None" = None
    is_seen: bool = False
    """Whether any case's expected value has it."""


@dataclass(slots=True)
class Progress:
    """What all nodes of one tree share."""

    paths: list[ConfiguredPath] = field(default_factory=list)
    unseen: int = 0
    where: Any = None
    """Where the current expected value is."""

    def add(self, path: ConfiguredPath) -> ConfiguredPath:
        self.paths.append(path)
        self.unseen += 1
        return path

    def mark(self, path: ConfiguredPath) -> None:
        path.is_seen = True
        self.unseen -= 1


class Node(Protocol):
    def observe(self, value: Any, /) -> None: ...
    def prune(self) -> "Node | None": ...


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

    def prune(self) -> Node | None:
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


class Entry(NamedTuple):
    """A path into a value, the configured path that it belongs to, and the node that looks at what is there."""

    path: Path
    configured: ConfiguredPath | None
    """None if the configured path goes on below, or is seen already."""
    node: Node | None

    def prune(self) -> "Entry":
        configured = None if self.configured is None or self.configured.is_seen else self.configured
        return Entry(self.path, configured, None if self.node is None else self.node.prune())

    def has_work(self) -> bool:
        return self.configured is not None or self.node is not None


class PathsNode:
    """Paths into one value."""

    __slots__ = ("_read", "entries", "progress")

    def __init__(self, entries: Sequence[Entry], progress: Progress) -> None:
        self.entries = entries
        self.progress = progress
        self._read = build_reader([entry.path for entry in entries])

    def observe(self, value: Any) -> None:
        for (_, configured, node), below in zip(self.entries, self._read(value), strict=True):
            if below is not ABSENT:
                if configured is not None and not configured.is_seen:
                    self.progress.mark(configured)
                if node is not None:
                    node.observe(below)

    def prune(self) -> Node | None:
        entries = [entry for entry in map(Entry.prune, self.entries) if entry.has_work()]
        return PathsNode(entries, self.progress) if entries else None


class ObjectNode:
    """An object with its listed keys and perhaps the others; a list of such objects is compared by index."""

    __slots__ = ("_inner", "_leaves", "entries", "keys", "path", "progress", "rest")

    def __init__(
        self,
        entries: Sequence[Entry],
        progress: Progress,
        keys: frozenset[str],
        rest: "UnlistedNode | None" = None,
        path: str = "",
    ) -> None:
        self.entries = entries
        self.progress = progress
        self.keys = keys
        self.rest = rest
        self.path = path
        parts = [((entry.path.steps or ())[0].key, entry.configured, entry.node) for entry in entries]
        self._leaves = [(key, seen, node) for key, seen, node in parts if isinstance(node, ValueNode)]
        self._inner = [(key, seen, node) for key, seen, node in parts if not isinstance(node, ValueNode)]

    def observe(self, value: Any) -> None:
        if type(value) is dict:
            self._observe_leaves(value)
            for key, configured, node in self._inner:
                if key in value:
                    if configured is not None and not configured.is_seen:
                        self.progress.mark(configured)
                    if node is not None:
                        node.observe(value[key])
            for key in value if self.rest is not None else ():
                if key not in self.keys and self.rest is not None:
                    self.rest.observe_at(join_path(self.path, key), value[key], self.path)
        elif type(value) is list:
            for item in value:
                self.observe(item)

    def prune(self) -> Node | None:
        entries = [entry for entry in map(Entry.prune, self.entries) if entry.has_work()]
        if not entries and self.rest is None:
            return None
        return ObjectNode(entries, self.progress, self.keys, self.rest, self.path)

    # This runs for every object of every case. Most values need no closer look: a visible text or a finite number that
    # is always read, or a text that was read before. For them the loop does what `ValueNode` does, without calls.
    def _observe_leaves(self, value: dict[str, Any]) -> None:
        for key, configured, node in self._leaves:
            below = value.get(key, ABSENT)
            if below is ABSENT:
                continue
            if configured is not None and not configured.is_seen:
                self.progress.mark(configured)
            kind = type(below)
            if kind is str:
                is_plain = _FIRST_VISIBLE <= below < _AFTER_VISIBLE and (str in node.always_read or below in node.known)
            else:
                is_plain = kind in node.always_read and (kind is int or below - below == 0)
            if is_plain:
                node.total += 1
            else:
                node.observe(below)


@dataclass(slots=True)
class RowsNode:
    """The rows of a list."""

    item: Node

    def observe(self, value: Any) -> None:
        if type(value) is list:
            for row in value:
                self.item.observe(row)

    def prune(self) -> Node | None:
        item = self.item.prune()
        return None if item is None else RowsNode(item)


@dataclass(slots=True)
class SeveralNodes:
    """Several nodes that look at the same value."""

    nodes: Sequence[Node]

    def observe(self, value: Any) -> None:
        for node in self.nodes:
            node.observe(value)

    def prune(self) -> Node | None:
        nodes = [pruned for node in self.nodes if (pruned := node.prune()) is not None]
        return SeveralNodes(nodes) if nodes else None


@dataclass(slots=True)
class UnlistedNode:
    """Everything below a key that the options do not list, under the match types that are the default."""

    matches: Mapping[str, Match]
    """The match type of texts, numbers and booleans."""
    progress: Progress
    values: list[ValueNode]
    """Gets a node for each path that is found."""
    _nodes: dict[tuple[str, str], ValueNode] = field(default_factory=dict)
    """By path and type of the values."""

    def observe_at(self, path: str, value: Any, above: str) -> None:
        if isinstance(value, dict):
            for key, below in value.items():
                self.observe_at(join_path(path, key), below, path)
        elif isinstance(value, list) and not self.matches["text"].reads_lists:
            for item in value:
                self.observe_at(path if path.endswith("[]") else f"{path}[]", item, above)
        else:
            kind = "boolean" if isinstance(value, bool) else "number" if isinstance(value, int | float) else "text"
            if not self.matches[kind].reads_any_value and not self.matches[kind].is_ignored:
                self._find_node(path, above, kind).observe(value)

    def _find_node(self, path: str, above: str, kind: str) -> ValueNode:
        path = path if (path, kind) in self._nodes or len(self._nodes) < _MOST_UNLISTED else above
        if (path, kind) not in self._nodes:
            match = self.matches[kind]
            node = ValueNode(path, self.progress, match.explain_unreadable, list, match.always_read)
            self._nodes[path, kind] = node
            self.values.append(node)
        return self._nodes[path, kind]
