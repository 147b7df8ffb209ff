"""The paths that options name, as a tree → which of them expected values have, and which values are unreadable.

A node looks at the values of many cases at once, and has no result: it notes what it finds in the `ConfiguredPath` and
`ValueNode` that it leads to. `prune` returns the part of a node that still has something to find.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress
from typing import Any, NamedTuple, Protocol

from agentv_py.case import ABSENT
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.paths import Path, build_column_reader, join_path
from agentv_py.comparison.truth.progress import ConfiguredPath, Progress
from agentv_py.comparison.truth.values import ValueNode

# Data may have other keys in each case. Values of further unlisted keys are counted under the object that holds them.
_MOST_UNLISTED = 100

Column = tuple[list[Any], list[Any]]
"""Values, and the place of each."""


class Node(Protocol):
    def observe(self, values: Sequence[Any], places: Sequence[Any], /) -> None:
        """Look at values of many cases, in the order of the cases; `places` says where each of them is."""

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

    __slots__ = ("_read", "entries", "progress")

    def __init__(self, entries: Sequence[Entry], progress: Progress) -> None:
        self.entries = entries
        self.progress = progress
        self._read = build_column_reader([entry.path for entry in entries])

    def observe(self, values: Sequence[Any], places: Sequence[Any]) -> None:
        for entry, column in zip(self.entries, self._read(values), strict=False):  # without values it has no columns
            self._observe_column(entry, column, places)

    def _observe_column(self, entry: Entry, values: Sequence[Any], places: Sequence[Any]) -> None:
        if ABSENT in values:
            is_present = [value is not ABSENT for value in values]
            values, places = list(compress(values, is_present)), list(compress(places, is_present))
        if values and entry.configured is not None and not entry.configured.is_seen:
            self.progress.mark(entry.configured)
        if values and entry.node is not None:
            entry.node.observe(values, places)

    def prune(self) -> "PathsNode | None":
        entries = [entry for entry in map(Entry.prune, self.entries) if entry.has_work()]
        return PathsNode(entries, self.progress) if entries else None


class ObjectNode:
    """An object with its listed keys and perhaps the others; a list of such objects is compared by index."""

    def __init__(
        self, listed: PathsNode | None, keys: frozenset[str], rest: "UnlistedNode | None" = None, path: str = ""
    ) -> None:
        self.listed = listed
        self.keys = keys
        self.rest = rest
        self.path = path

    def observe(self, values: Sequence[Any], places: Sequence[Any]) -> None:
        if set(map(type, values)) != {dict}:
            values, places = _unzip(
                (found, place) for value, place in zip(values, places, strict=True) for found in _list_objects(value)
            )
        if self.listed is not None:
            self.listed.observe(values, places)
        if self.rest is not None:
            self.rest.observe_keys(values, places, self.keys, self.path)

    def prune(self) -> Node | None:
        listed = None if self.listed is None else self.listed.prune()
        return None if listed is None and self.rest is None else ObjectNode(listed, self.keys, self.rest, self.path)


def _list_objects(value: Any) -> Iterator[dict[str, Any]]:
    if type(value) is dict:
        yield value
    elif type(value) is list:
        for item in value:
            yield from _list_objects(item)


class RowsNode:
    """The rows of a list."""

    def __init__(self, item: Node) -> None:
        self.item = item

    def observe(self, values: Sequence[Any], places: Sequence[Any]) -> None:
        pairs = zip(values, places, strict=True)
        self.item.observe(*_unzip((row, place) for value, place in pairs if type(value) is list for row in value))

    def prune(self) -> Node | None:
        item = self.item.prune()
        return None if item is None else RowsNode(item)


class SeveralNodes:
    """Several nodes that look at the same value."""

    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes

    def observe(self, values: Sequence[Any], places: Sequence[Any]) -> None:
        for node in self.nodes:
            node.observe(values, places)

    def prune(self) -> Node | None:
        nodes = [pruned for node in self.nodes if (pruned := node.prune()) is not None]
        return SeveralNodes(nodes) if nodes else None


class UnlistedNode:
    """Everything below a key that the options do not list, under the match types that are the default."""

    def __init__(self, matches: Mapping[str, Match], values: list[ValueNode]) -> None:
        self.matches = matches
        """The match type of texts, numbers and booleans."""
        self.values = values
        """Gets a node for each path that is found."""
        self._nodes: dict[tuple[str, str], ValueNode] = {}
        """By path and type of the values."""

    def observe_keys(
        self, objects: Sequence[dict[str, Any]], places: Sequence[Any], listed: frozenset[str], path: str
    ) -> None:
        """Look at the keys of objects that the options do not list."""
        columns: dict[ValueNode, Column] = {}
        for value, place in zip(objects, places, strict=True):
            for key, below in value.items():
                if key not in listed:
                    self._sort(join_path(path, key), below, path, place, columns)
        for node, column in columns.items():
            node.observe(*column)

    def _sort(self, path: str, value: Any, above: str, place: Any, columns: dict[ValueNode, Column]) -> None:
        """Add the values at and below a path to the columns of their nodes."""
        if isinstance(value, dict):
            for key, below in value.items():
                self._sort(join_path(path, key), below, path, place, columns)
        elif isinstance(value, list) and not self.matches["text"].reads_lists:
            for item in value:
                self._sort(path if path.endswith("[]") else f"{path}[]", item, above, place, columns)
        else:
            kind = "boolean" if isinstance(value, bool) else "number" if isinstance(value, int | float) else "text"
            if not self.matches[kind].reads_any_value and not self.matches[kind].is_ignored:
                values, places = columns.setdefault(self._find_node(path, above, kind), ([], []))
                values.append(value)
                places.append(place)

    def _find_node(self, path: str, above: str, kind: str) -> ValueNode:
        path = path if (path, kind) in self._nodes or len(self._nodes) < _MOST_UNLISTED else above
        if (path, kind) not in self._nodes:
            match = self.matches[kind]
            node = ValueNode(path, match.explain_unreadable, list, match.always_read, match.suggest_reading)
            self._nodes[path, kind] = node
            self.values.append(node)
        return self._nodes[path, kind]


def _unzip(pairs: Iterable[tuple[Any, Any]]) -> Column:
    listed = list(pairs)
    return [value for value, _ in listed], [place for _, place in listed]
