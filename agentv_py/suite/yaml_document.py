"""YAML text → values that know their line."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from agentv_py.errors import InvalidSuite, Problem
from agentv_py.input_file import read_file_or_pipe
from agentv_py.jsontext import MAX_DEPTH, NonFinite

MAX_VALUES = 5_000_000

_WORDS = {word: value for name, value in (("true", True), ("false", False), ("null", None)) for word in
          (name, name.capitalize(), name.upper())} | {"": None, "~": None}  # fmt: skip
_INTEGER = re.compile(r"[-+]?[0-9]+")
_OTHER_BASE = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITY = re.compile(r"[-+]?\.(?:inf|Inf|INF)")
_NAN = (".nan", ".NaN", ".NAN")
_TAGS = {f"tag:yaml.org,2002:{name}" for name in ("str", "int", "float", "bool", "null", "map", "seq")}
_MERGE = "<<"


@dataclass(slots=True)
class Node:
    """A value, where it stands, and the nodes below it."""

    line: int
    column: int
    value: Any = None
    below: "dict[str, Node] | list[Node]" = field(default_factory=list)
    keys: "dict[str, Node]" = field(default_factory=dict)
    size: int = 1
    """How many values this one is once every alias is written out."""
    height: int = 0
    """How many levels stand below this one, likewise."""
    open: bool = True


def read_yaml(path: Path, shown: str) -> Node:
    """The one document of a file. Raises InvalidSuite with file, line and column."""
    text = read_text(path, shown)
    try:
        return _Composer(yaml.parse(text, Loader=yaml.CSafeLoader), shown).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        what = " ".join(part for part in (error.problem, _hint(text, mark)) if part)
        line, column = (mark.line + 1, mark.column + 1) if mark else (None, None)
        raise InvalidSuite(Problem(f"not valid YAML: {what}", "", shown, line, column)) from None
    except yaml.reader.ReaderError as error:
        raise InvalidSuite(_at_offset(text, error.position, shown, "is not allowed in YAML")) from None


def read_text(path: Path, shown: str) -> str:
    try:
        data = read_file_or_pipe(path)
    except OSError as error:
        raise InvalidSuite(Problem(f"cannot be read: {error.strerror}", "", shown)) from None
    except ValueError:  # a NUL, or half a character
        raise InvalidSuite(Problem("is not the name of a file", "", shown)) from None
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line, column = before.count(b"\n") + 1, error.start - (before.rfind(b"\n") + 1) + 1
        what = f"byte {data[error.start]:#04x} is not valid UTF-8; save the file as UTF-8"
        raise InvalidSuite(Problem(what, "", shown, line, column)) from None


class _Composer:
    """YAML events → nodes, with a limit on everything a hostile file could make grow."""

    def __init__(self, events: Iterator[Any], shown: str) -> None:
        self.events = events
        self.shown = shown
        self.anchors: dict[str, Node] = {}
        self.problems: list[Problem] = []

    def document(self) -> Node:
        next(self.events)  # the stream starts
        if isinstance(next(self.events), yaml.StreamEndEvent):
            raise InvalidSuite(Problem("the file is empty", "", self.shown))
        root = self._node(next(self.events), 0)
        next(self.events)  # the document ends
        extra = next(self.events)
        if not isinstance(extra, yaml.StreamEndEvent):
            self._problem("a second YAML document; keep one per file", extra)
        if self.problems:
            raise InvalidSuite(*self.problems)
        return root

    def _node(self, event: Any, depth: int) -> Node:
        if isinstance(event, yaml.AliasEvent):
            target = self._alias(event)
            self._check_depth(depth + target.height, event)
            return target
        self._check_depth(depth, event)
        if event.tag is not None and event.tag not in _TAGS and event.tag != "!":
            self._problem(f"tag {event.tag!r} is not allowed; only plain data is read", event)
        node = Node(event.start_mark.line + 1, event.start_mark.column + 1)
        if event.anchor is not None:
            self.anchors[event.anchor] = node
        if isinstance(event, yaml.ScalarEvent):
            node.value = self._scalar(event)
        elif isinstance(event, yaml.SequenceStartEvent):
            self._sequence(node, depth)
        else:
            self._mapping(node, depth)
        node.open = False
        if node.size > MAX_VALUES:
            raise InvalidSuite(self._at(f"aliases expand to more than {MAX_VALUES:,} values", event))
        return node

    def _check_depth(self, depth: int, event: Any) -> None:
        if depth > MAX_DEPTH:
            raise InvalidSuite(self._at(f"nested deeper than {MAX_DEPTH} levels", event))

    def _alias(self, event: Any) -> Node:
        target = self.anchors.get(event.anchor)
        if target is None:
            raise InvalidSuite(self._at(f"alias *{event.anchor} has no anchor", event))
        if target.open:
            raise InvalidSuite(self._at(f"alias *{event.anchor} stands inside the value it names", event))
        return target

    def _sequence(self, node: Node, depth: int) -> None:
        items: list[Node] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self._node(event, depth + 1))
            _grow(node, items[-1])
        node.below = items
        node.value = [item.value for item in items]

    def _mapping(self, node: Node, depth: int) -> None:
        below: dict[str, Node] = {}
        merged: dict[str, Node] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            name = self._key(event)
            key = Node(event.start_mark.line + 1, event.start_mark.column + 1)
            value = self._node(next(self.events), depth + 1)
            _grow(node, value)
            if name == _MERGE and getattr(event, "implicit", (False,))[0] and (sources := _mappings(value)):
                for source in reversed(sources):
                    merged.update(source)
                continue
            if name in below:
                first = node.keys[name]
                self._problem(f"key {name!r} stands twice; first at line {first.line}", event)
            below[name], node.keys[name] = value, key
        node.below = merged | below
        node.value = {name: item.value for name, item in node.below.items()}

    def _key(self, event: Any) -> str:
        """JSON's keys are text, so a key is the text that stands there: `1:` is "1", `yes:` is "yes"."""
        value = self._alias(event).value if isinstance(event, yaml.AliasEvent) else getattr(event, "value", [])
        if isinstance(value, dict | list):
            raise InvalidSuite(self._at("a key must be plain text", event))
        return str(value)

    def _scalar(self, event: Any) -> Any:
        text: str = event.value
        tag = (event.tag or "").rpartition(":")[2]
        if tag == "str" or event.tag == "!" or (not tag and not event.implicit[0]):
            return text
        try:
            value = plain_scalar(text)
        except ValueError as error:
            self._problem(str(error).partition(";")[0].lower(), event)
            return text
        return _as_float(value) if tag == "float" and type(value) is int else value

    def _problem(self, what: str, event: Any) -> None:
        self.problems.append(self._at(what, event))

    def _at(self, what: str, event: Any) -> Problem:
        mark = event.start_mark
        return Problem(what, "", self.shown, mark.line + 1, mark.column + 1)


def plain_scalar(text: str) -> Any:
    """YAML 1.2's core schema: `NO`, `12:30:45` and `2025-01-15` are text; only true, false and null are words."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "-+.0123456789":
        return text
    if _INTEGER.fullmatch(text):
        return int(text)
    if _OTHER_BASE.fullmatch(text):
        return int(str(int(text, 0)))  # raises ValueError where it is too long to be written as decimal
    if _FLOAT.fullmatch(text):
        number = float(text)
        return number if math.isfinite(number) else NonFinite(number)
    if _INFINITY.fullmatch(text):
        return NonFinite(text.replace(".", "").lower())
    return NonFinite("nan") if text in _NAN else text


def _as_float(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        return NonFinite("inf" if number > 0 else "-inf")


def _grow(node: Node, child: Node) -> None:
    node.size += child.size
    node.height = max(node.height, child.height + 1)


def _mappings(node: Node) -> Sequence[dict[str, Node]]:
    if isinstance(node.below, dict):
        return [node.below]
    sources = [item.below for item in node.below if isinstance(item.below, dict)]
    return sources if len(sources) == len(node.below) else []


def _hint(text: str, mark: Any) -> str:
    if mark is None:
        return ""
    lines = text.splitlines()
    line = lines[mark.line] if mark.line < len(lines) else ""
    return "(a tab; indent with spaces)" if "\t" in line[: mark.column + 1] else ""


def _at_offset(text: str, offset: int, shown: str, what: str) -> Problem:
    before = text.encode()[:offset].decode(errors="ignore")  # libyaml counts bytes
    line, column = before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1
    return Problem(f"character {text[len(before) : len(before) + 1]!a} {what}", "", shown, line, column)
