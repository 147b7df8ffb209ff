"""The paths that options name, as a tree → which of them an expected value has, and which of its values are unreadable.

A node looks at one expected value and has no result: it notes what it finds in the `ConfiguredPath` and `ValueNode`
that it leads to. `prune` returns the part of a node that still has something to find.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from agentv_py.case import ABSENT
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.paths import Path, build_reader, join_path
from agentv_py.comparison.truth.progress import ConfiguredPath, Progress
from agentv_py.comparison.truth.values import ValueNode, list_leaves, observe_values

# Data may have other keys in each case. Values of further unlisted keys are counted under the object that holds them.
_MOST_UNLISTED = 100


class Node(Protocol):
    def observe(self, value: Any, /) -> None: ...
    def prune(self) -> "Node | None": ...


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

    __slots__ = ("_inner", "_leaves", "_read_inner", "_read_leaves", "entries", "progress")

    def __init__(self, entries: Sequence[Entry], progress: Progress) -> None:
        self.entries = entries
        self.progress = progress
        self._inner = [entry for entry in entries if entry.configured or not isinstance(entry.node, ValueNode)]
        self._read_inner = build_reader([entry.path for entry in self._inner])
        leaves = [(path, node) for path, seen, node in entries if isinstance(node, ValueNode) and seen is None]
        self._leaves = list_leaves(node for _, node in leaves)
        self._read_leaves = build_reader([path for path, _ in leaves])

    def observe(self, value: Any) -> None:
        if self._leaves:
            observe_values(self._leaves, self._read_leaves(value))
        if self._inner:
            self._observe_inner(value)

    def _observe_inner(self, value: Any) -> None:
        for (_, configured, node), below in zip(self._inner, self._read_inner(value), strict=True):
            if below is not ABSENT:
                if configured is not None and not configured.is_seen:
                    self.progress.mark(configured)
                if node is not None:
                    node.observe(below)

    def prune(self) -> "PathsNode | None":
        entries = [entry for entry in map(Entry.prune, self.entries) if entry.has_work()]
        return PathsNode(entries, self.progress) if entries else None


@dataclass(slots=True)
class ObjectNode:
    """An object with its listed keys and perhaps the others; a list of such objects is compared by index."""

    listed: PathsNode | None
    keys: frozenset[str]
    rest: "UnlistedNode | None" = None
    path: str = ""

    def observe(self, value: Any) -> None:
        if type(value) is dict:
            if self.listed is not None:
                self.listed.observe(value)
            if self.rest is not None:
                self._observe_rest(value, self.rest)
        elif type(value) is list:
            for item in value:
                self.observe(item)

    def prune(self) -> Node | None:
        listed = None if self.listed is None else self.listed.prune()
        return None if listed is None and self.rest is None else ObjectNode(listed, self.keys, self.rest, self.path)

    def _observe_rest(self, value: dict[str, Any], rest: "UnlistedNode") -> None:
        for key, below in value.items():
            if key not in self.keys:
                rest.observe_at(join_path(self.path, key), below, self.path)


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
