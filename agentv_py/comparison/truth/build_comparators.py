"""Comparators → the collector that looks for their keys in expected values, at every depth."""

from typing import Any

from agentv_py.comparison.comparators import DefaultByType, Fields, Ordered, Unordered, list_by_type
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.paths import join_path, parse_key, parse_path
from agentv_py.comparison.truth.build import Builder
from agentv_py.comparison.truth.collector import Truth
from agentv_py.comparison.truth.nodes import Entry, Node, ObjectNode, PathsNode, RowsNode, SeveralNodes, UnlistedNode
from agentv_py.comparison.truth.progress import ConfiguredPath
from agentv_py.options import OptionPath


def collect_comparators(comparators: Any, default: Match | DefaultByType | None, option: OptionPath) -> Truth:
    """Return the collector for the keys of comparators at every depth."""
    builder = _ComparatorBuilder(default)
    node = builder.build_comparators(comparators, option, "", None)
    return builder.build_truth(node, is_parsed=not isinstance(comparators, Match))


class _ComparatorBuilder(Builder):
    def __init__(self, default: Match | DefaultByType | None) -> None:
        super().__init__()
        self.rest = self._build_rest(default)

    def _build_rest(self, default: Match | DefaultByType | None) -> UnlistedNode | None:
        matches = {} if default is None else list_by_type(default)
        is_needed = any(not match.is_ignored and not match.reads_any_value for match in matches.values())
        return UnlistedNode(matches, self.values) if is_needed else None

    def build_comparators(
        self, comparators: Any, option: OptionPath, path: str, above: ConfiguredPath | None
    ) -> Node | None:
        if isinstance(comparators, Match):
            return None if comparators.is_ignored else self.build_value(path, comparators, is_whole=False)
        if isinstance(comparators, Unordered):
            rows = self.build_comparators(comparators.unordered, (*option, "unordered"), f"{path}[]", above)
            return self._build_rows(rows, comparators, option, above)
        if isinstance(comparators, Ordered):
            rows = self.build_comparators(comparators.ordered, (*option, "ordered"), f"{path}[]", above)
            return None if rows is None else RowsNode(rows)
        rest = self.rest
        if isinstance(comparators, Fields):
            rest = rest if comparators.default is None else self._build_rest(comparators.default)
            comparators, option = comparators.fields, (*option, "fields")
        entries = [
            self._build_key(key, below, (*option, key), join_path(path, key), above)
            for key, below in comparators.items()
            if not (isinstance(below, Match) and below.is_ignored)
        ]
        return ObjectNode(PathsNode(entries, self.progress), frozenset(comparators), rest, path)

    def _build_key(
        self, key: str, comparators: Any, option: OptionPath, path: str, above: ConfiguredPath | None
    ) -> Entry:
        keys = (*(above.keys if above else ()), key)
        required = _has_required(comparators)
        configured = self.add(option, path, keys, required=required, is_key=True, above=above)
        return Entry(parse_key(key), configured, self.build_comparators(comparators, option, path, configured))

    def _build_rows(
        self, rows: Node | None, comparators: Unordered, option: OptionPath, above: ConfiguredPath | None
    ) -> Node | None:
        before = above.keys if above else ()
        entries = [
            self.build_path((*option, "key", index), parse_path(text), None, required=True, above=above, before=before)
            for index, text in enumerate(comparators.key or ())
        ]
        nodes = [*([] if rows is None else [rows]), *([PathsNode(entries, self.progress)] if entries else [])]
        return RowsNode(nodes[0] if len(nodes) == 1 else SeveralNodes(nodes)) if nodes else None


def _has_required(comparators: Any) -> bool:
    """Whether any match type below counts where the candidate has no value."""
    if isinstance(comparators, Match):
        return comparators.required and not comparators.is_ignored
    if isinstance(comparators, Unordered):
        return _has_required(comparators.unordered)
    if isinstance(comparators, Ordered):
        return _has_required(comparators.ordered)
    if isinstance(comparators, Fields):
        return _has_required(comparators.fields) or (comparators.default is not None and comparators.default.required)
    return any(map(_has_required, comparators.values()))
