"""The paths and keys of an evaluator → the collector that looks for them in expected values."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.paths import Path, Step, join_steps, parse_key, parse_path
from agentv_py.comparison.truth.collector import Truth
from agentv_py.comparison.truth.nodes import Entry, Node, ObjectNode, PathsNode, RowsNode
from agentv_py.comparison.truth.progress import ConfiguredPath, Progress
from agentv_py.comparison.truth.values import ValueNode
from agentv_py.options import OptionPath

Split = Callable[[list[Any]], Iterable[Any]]
NO_MATCHES: Mapping[str, Match] = {}


def collect_paths_of_fields(fields: Sequence[tuple[OptionPath, Match]]) -> Truth:
    """Return the collector for fields with a path. A malformed path reaches nothing, and is not looked for."""
    builder = Builder()
    counted = [(option, parse_path(match.path or ""), match) for option, match in fields if not match.is_ignored]
    entries = [
        builder.build_path(option, path, builder.build_value(path.text, match, is_whole=True), required=match.required)
        for option, path, match in counted
        if path.steps is not None
    ]
    return builder.build_truth(PathsNode(entries, builder.progress))


def collect_path(option: OptionPath, text: str, explain: Callable[[Any], str], split: Split) -> Truth:
    """Return the collector for one path. A value there is one item, or a list that `split` divides into items."""
    builder, path = Builder(), parse_path(text)
    node = ValueNode(text, explain, split)
    builder.values.append(node)
    entries = [] if path.steps is None else [builder.build_path(option, path, node, required=True)]
    return builder.build_truth(PathsNode(entries, builder.progress))


def collect_keys(
    options: Mapping[str, OptionPath], matches: Mapping[str, Match] = NO_MATCHES, *, required: bool
) -> Truth:
    """Return the collector for top-level keys, each with the option that names it. Match types read their values."""
    builder, entries = Builder(), list[Entry]()
    for key, option in options.items():
        path = parse_key(key)
        configured = builder.add(option, path.text, (key,), required=required, is_key=True)
        node = builder.build_value(path.text, matches[key], is_whole=True) if key in matches else None
        entries.append(Entry(path, configured, node))
    return builder.build_truth(ObjectNode(PathsNode(entries, builder.progress), frozenset(options)))


class Builder:
    """Builds the nodes of one collector."""

    def __init__(self) -> None:
        self.progress = Progress()
        self.values: list[ValueNode] = []

    def build_truth(self, node: Node | None, *, is_parsed: bool = True) -> Truth:
        return Truth(node, self.progress, self.values, is_parsed=is_parsed)

    def add(
        self,
        option: OptionPath,
        path: str,
        keys: tuple[str, ...],
        *,
        required: bool,
        is_key: bool = False,
        above: ConfiguredPath | None = None,
    ) -> ConfiguredPath:
        return self.progress.add(ConfiguredPath(option, path, keys, above, required=required, is_key=is_key))

    def build_value(self, path: str, match: Match, *, is_whole: bool) -> ValueNode:
        """Return the node of a value, which is taken as a whole or, if it is a list, element by element."""
        split = list if match.any_of else None if is_whole or match.reads_lists else _list_elements
        explain = None if match.reads_any_value else match.explain_unreadable
        node = ValueNode(path, explain, split, match.always_read, match.suggest_reading)
        self.values.append(node)
        return node

    def build_path(
        self,
        option: OptionPath,
        path: Path,
        node: Node | None,
        *,
        required: bool,
        above: ConfiguredPath | None = None,
        before: tuple[str, ...] = (),
    ) -> Entry:
        """Return the entry of a path. Each `[*]` in it leads to the rows of a list."""
        steps = path.steps or ()
        keys = tuple(step.key for step in steps if not step.each and not step.bracketed)
        configured = self.add(option, path.text, (*before, *keys), required=required, above=above)
        if not any(step.each for step in steps):
            return Entry(path, configured, node)
        return self._build_parts(list(_split_at_lists(steps)), configured, node)

    def _build_parts(self, parts: list[list[Step]], configured: ConfiguredPath, node: Node | None) -> Entry:
        first, *others = parts
        if not others:
            return Entry(join_steps(first), configured, node)
        below = PathsNode([self._build_parts(others, configured, node)], self.progress)
        return Entry(join_steps(first), None, RowsNode(below))


def _list_elements(value: list[Any]) -> Iterator[Any]:
    for element in value:
        if isinstance(element, list):
            yield from _list_elements(element)
        else:
            yield element


def _split_at_lists(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Yield the steps before, between and after the `[*]` of a path."""
    part: list[Step] = []
    for step in steps:
        if step.each:
            yield part
            part = []
        else:
            part.append(step)
    yield part
