"""YAML text → nodes: values with their lines and columns."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import yaml

from agentv_py.errors import InvalidSuite, Problem
from agentv_py.jsontext import MAX_DEPTH
from agentv_py.suite.text_file import read_text
from agentv_py.suite.yaml_node import Node
from agentv_py.suite.yaml_scalar import convert_to_float, parse_plain_scalar

MAX_VALUES = 5_000_000

_TAGS = {f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "map", "seq")}
_MERGE = "<<"


def read_yaml(path: Path, display_name: str) -> Node:
    """Read a file that holds one document. Raises InvalidSuite with file, line and column."""
    text = read_text(path, display_name)
    try:
        return _Composer(yaml.parse(text, Loader=yaml.CSafeLoader), display_name).compose()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = " ".join(part for part in (error.problem, _suggest_spaces(text, mark)) if part)
        line, column = (mark.line + 1, mark.column + 1) if mark else (None, None)
        raise InvalidSuite(Problem(f"not valid YAML: {what}", "", display_name, line, column)) from None
    except yaml.reader.ReaderError as error:
        raise InvalidSuite(_describe_character(text, error.position, display_name, "is not allowed in YAML")) from None


def list_scalar_spans(text: str) -> list[tuple[int, int]]:
    """Return where the scalars of a valid document start and end."""
    scalars: list[Any] = [
        event for event in yaml.parse(text, Loader=yaml.CSafeLoader) if isinstance(event, yaml.ScalarEvent)
    ]
    return [(event.start_mark.index, event.end_mark.index) for event in scalars]


class Event(NamedTuple):
    """A part of a YAML document with its place: a line and a column, both counted from 0."""

    kind: Literal["mapping", "sequence", "end", "scalar"]
    start: tuple[int, int]
    end: tuple[int, int]
    value: str = ""
    style: str = ""
    """`flow` for `{...}` and `[...]`; of a scalar its quote or block mark."""


def read_events(text: str) -> Iterator[Event]:
    """Read the parts of a text that is valid YAML; an alias is a scalar without a value."""
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        marks: Any = event.start_mark, event.end_mark
        start, end = ((mark.line, mark.column) for mark in marks)
        if isinstance(event, yaml.ScalarEvent):
            yield Event("scalar", start, end, event.value, event.style or "")
        elif isinstance(event, yaml.AliasEvent):
            yield Event("scalar", start, end)
        elif isinstance(event, yaml.CollectionStartEvent):
            kind: Literal["mapping", "sequence"] = (
                "mapping" if isinstance(event, yaml.MappingStartEvent) else "sequence"
            )
            yield Event(kind, start, end, "", "flow" if event.flow_style else "")
        elif isinstance(event, yaml.CollectionEndEvent):
            yield Event("end", start, end)


class _Composer:
    """YAML events → nodes, with a limit on everything a hostile file could make grow."""

    def __init__(self, events: Iterator[Any], display_name: str) -> None:
        self.events = events
        self.display_name = display_name
        self.anchors: dict[str, Node] = {}
        self.problems: list[Problem] = []

    def compose(self) -> Node:
        next(self.events)  # the stream starts
        if isinstance(next(self.events), yaml.StreamEndEvent):
            raise InvalidSuite(Problem("the file is empty", "", self.display_name))
        root = self._compose_node(next(self.events), 0)
        next(self.events)  # the document ends
        extra = next(self.events)
        if not isinstance(extra, yaml.StreamEndEvent):
            self._add_problem("a second YAML document; keep one per file", extra)
        if self.problems:
            raise InvalidSuite(*self.problems)
        return root

    def _compose_node(self, event: Any, depth: int) -> Node:
        if isinstance(event, yaml.AliasEvent):
            target = self._find_target(event)
            self._check_depth(depth + target.height, event)
            return target
        self._check_depth(depth, event)
        if event.tag is not None and event.tag not in _TAGS and event.tag != "!":
            self._add_problem(f"tag {event.tag!r} is not allowed; only plain data is read", event)
        node = Node(event.start_mark.line + 1, event.start_mark.column + 1)
        if event.anchor is not None:
            self.anchors[event.anchor] = node
        if isinstance(event, yaml.ScalarEvent):
            node.scalar = self._read_scalar(event)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._compose_sequence(node, depth)
        else:
            self._compose_mapping(node, depth)
        node.is_open = False
        if node.size > MAX_VALUES:
            raise InvalidSuite(self._build_problem(f"aliases expand to more than {MAX_VALUES:,} values", event))
        return node

    def _check_depth(self, depth: int, event: Any) -> None:
        if depth > MAX_DEPTH:
            raise InvalidSuite(self._build_problem(f"nested deeper than {MAX_DEPTH} levels", event))

    def _find_target(self, event: Any) -> Node:
        target = self.anchors.get(event.anchor)
        if target is None:
            raise InvalidSuite(self._build_problem(f"alias *{event.anchor} has no anchor", event))
        if target.is_open:
            raise InvalidSuite(self._build_problem(f"alias *{event.anchor} is inside the value that it names", event))
        return target

    def _compose_sequence(self, node: Node, depth: int) -> None:
        items: list[Node] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self._compose_node(event, depth + 1))
            _add_size(node, items[-1])
        node.below = items

    def _compose_mapping(self, node: Node, depth: int) -> None:
        below: dict[str, Node] = {}
        merged: dict[str, Node] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            name = self._read_key(event)
            key = Node(event.start_mark.line + 1, event.start_mark.column + 1)
            value = self._compose_node(next(self.events), depth + 1)
            _add_size(node, value)
            is_merge = name == _MERGE and getattr(event, "implicit", (False,))[0]
            if is_merge and (mappings := _list_merged_mappings(value)):
                for mapping in reversed(mappings):
                    merged.update(mapping)
                continue
            if name in below:
                first = node.keys[name]
                self._add_problem(f"key {name!r} is repeated; it is first at line {first.line}", event)
            below[name], node.keys[name] = value, key
        node.below = merged | below

    def _read_key(self, event: Any) -> str:
        """Return a key as text, because keys of JSON are text: `1:` is "1", `yes:` is "yes"."""
        value = self._find_target(event).value if isinstance(event, yaml.AliasEvent) else getattr(event, "value", [])
        if isinstance(value, dict | list):
            raise InvalidSuite(self._build_problem("a key must be plain text", event))
        return str(value)

    def _read_scalar(self, event: Any) -> Any:
        text: str = event.value
        tag = (event.tag or "").rpartition(":")[2]
        if tag == "str" or event.tag == "!" or (not tag and not event.implicit[0]):
            return text
        try:
            value = parse_plain_scalar(text)
        except ValueError as error:
            self._add_problem(str(error).partition(";")[0].lower(), event)
            return text
        return convert_to_float(value) if tag == "float" and type(value) is int else value

    def _add_problem(self, what: str, event: Any) -> None:
        self.problems.append(self._build_problem(what, event))

    def _build_problem(self, what: str, event: Any) -> Problem:
        mark = event.start_mark
        return Problem(what, "", self.display_name, mark.line + 1, mark.column + 1)


def _add_size(node: Node, child: Node) -> None:
    node.size += child.size
    node.height = max(node.height, child.height + 1)


def _list_merged_mappings(node: Node) -> Sequence[dict[str, Node]]:
    """Return the mappings that a merge key names; nothing if its value is not a mapping or a list of mappings."""
    nodes = node.below if isinstance(node.below, list) else [node]
    mappings = [item.below for item in nodes if isinstance(item.below, dict)]
    return mappings if len(mappings) == len(nodes) else []


def _suggest_spaces(text: str, mark: Any) -> str:
    if mark is None:
        return ""
    lines = text.splitlines()
    line = lines[mark.line] if mark.line < len(lines) else ""
    return "(a tab; indent with spaces)" if "\t" in line[: mark.column + 1] else ""


def _describe_character(text: str, offset: int, display_name: str, what: str) -> Problem:
    before = text.encode()[:offset].decode(errors="ignore")  # libyaml counts bytes
    line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
    return Problem(f"character {text[len(before) : len(before) + 1]!a} {what}", "", display_name, line, column)
