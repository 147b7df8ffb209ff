"""A document of nodes → YAML text, with the comments of the files that its nodes come from."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from agentv_py.inference.yaml_text import write_scalar
from agentv_py.suite.yaml_comments import Comment
from agentv_py.suite.yaml_node import Node

_WIDTH = 110
_INDENT = "  "
_NOT_IN_A_BLOCK = re.compile(
    r"[^\n\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]|[ \t](?:\n|\Z)|\A[\s]|\n\t"
)


@dataclass(slots=True)
class _Line:
    indent: str
    text: str
    place: tuple[str, int] | None = None
    """The file and line that it comes from; None for a line inside a text."""


def write_yaml(document: Node, comments: Mapping[str, list[Comment]]) -> str:
    """Write the document. `comments` has those of each file; the suite file is ''.

    A comment stays at its line, or goes before the next line that is left of its file.
    """
    lines = list(_write_block(document, ""))
    before, behind = _place_comments(lines, comments)
    written: list[str] = []
    for number, line in enumerate(lines):
        written += [f"{line.indent}{text}".rstrip() for text in before.get(number, ())]
        written.append(f"{line.indent}{line.text}" + (f"  {behind[number]}" if number in behind else ""))
    written += before.get(len(lines), [])
    return "\n".join(written).lstrip("\n") + "\n"


def _write_block(node: Node, indent: str) -> Iterator[_Line]:
    if isinstance(node.below, dict):
        for key, value in node.below.items():
            at = node.keys.get(key, value)
            yield from _write_entry(f"{write_scalar(key)}:", value, indent, (at.file, at.line))
    else:
        for item in node.below or ():
            yield from _write_item(item, indent)


def _write_entry(start: str, value: Node, indent: str, place: tuple[str, int]) -> Iterator[_Line]:
    """Write a key and its value."""
    flow = _write_flow(value, len(indent) + len(start) + 1)
    if flow is not None:
        yield _Line(indent, f"{start} {flow}", place)
    elif isinstance(value.scalar, str):
        yield from _write_text(start, value.scalar, indent, place)
    else:
        yield _Line(indent, start, place)
        yield from _write_block(value, indent + _INDENT)


def _write_item(item: Node, indent: str) -> Iterator[_Line]:
    """Write an item of a list; the first key of a mapping stands behind the dash."""
    place = (item.file, item.line)
    is_single = isinstance(item.below, dict) and len(item.below) == 1
    flow = None if is_single else _write_flow(item, len(indent) + 2)
    if flow is not None:
        yield _Line(indent, f"- {flow}", place)
    elif isinstance(item.scalar, str):
        yield from _write_text("-", item.scalar, indent, place)
    else:
        first, *others = _write_block(item, indent + _INDENT)
        yield _Line(indent, f"- {first.text}", place)
        yield from others


def _write_text(start: str, text: str, indent: str, place: tuple[str, int]) -> Iterator[_Line]:
    """Write a text of several lines."""
    body = text.rstrip("\n")
    ends = len(text) - len(body)
    yield _Line(indent, f"{start} |{'-' if not ends else '' if ends == 1 else '+'}", place)
    for line in (*body.split("\n"), *[""] * (ends - 1)):
        yield _Line(indent + _INDENT if line else "", line)


def _write_flow(node: Node, column: int) -> str | None:
    """Return a value in one line; None if it needs several lines, or had several before."""
    if node.below is None:
        is_block = isinstance(node.scalar, str) and "\n" in node.scalar and not _NOT_IN_A_BLOCK.search(node.scalar)
        return None if is_block else write_scalar(node.scalar)
    if node.below and not _is_in_one_line(node, node.line):
        return None
    text = write_scalar(node.value)
    return text if column + len(text) <= _WIDTH else None if node.below else text


def _is_in_one_line(node: Node, line: int) -> bool:
    below: Any = node.below.values() if isinstance(node.below, dict) else node.below or ()
    has_lines = isinstance(node.scalar, str) and "\n" in node.scalar
    return node.line == line and not has_lines and all(_is_in_one_line(item, line) for item in below)


def _place_comments(
    lines: list[_Line], comments: Mapping[str, list[Comment]]
) -> tuple[dict[int, list[str]], dict[int, str]]:
    """Return the comments before each line, and the one behind it, by the number of the line."""
    before: dict[int, list[str]] = {}
    behind: dict[int, str] = {}
    for file, found in comments.items():
        numbers: dict[int, int] = {}
        for number, line in enumerate(lines):
            if line.place is not None and line.place[0] == file:
                numbers.setdefault(line.place[1], number)
        for comment in found:
            own = numbers.get(comment.line)
            if comment.is_behind and own is not None and not lines[own].text.endswith(("|", "|-", "|+")):
                behind[own] = comment.text
                continue
            later = [line for line in numbers if line >= comment.line]
            number = numbers[min(later)] if later else len(lines)
            before.setdefault(number, []).append(comment.text)
    return before, behind
