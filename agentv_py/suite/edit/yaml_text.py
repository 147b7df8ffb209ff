"""Values → YAML text in the style of the text around them."""

import json
import re
from typing import Any

from agentv_py import jsontext
from agentv_py.suite.edit.span import Span
from agentv_py.suite.yaml_scalar import parse_plain_scalar

_PLAIN = re.compile(r"\w(?:[\w ./()@+-]*[\w.)])?")
_KEY = re.compile(r"[^\W\d][\w-]*")


def replace_yaml(span: Span, old: str, value: Any) -> str:
    """Write a new value for a span whose text is `old`."""
    if span.style == "block" and isinstance(value, dict | list) and value:
        column = span.column + _count_inset(span, value)
        return " " * (column - span.column) + "\n".join(_write_block(value, column)).lstrip(" ")
    text = _write_like(old, value) if isinstance(value, str) else write_flow(value)
    if span.style == "literal":  # its text ends with the line
        return f"{text}\n"
    space = _count_inset(span, value) if old else 1  # after `key:` there is no value yet
    return " " * space + text


def add_yaml_key(text: str, span: Span, key: str, value: Any) -> tuple[int, str]:
    """Return where a new key of an object goes, and its text."""
    if span.style == "flow":
        members = list(span.below.values()) if isinstance(span.below, dict) else []
        written = f"{_write_key(key)}: {write_flow(value)}"
        return (members[-1].end, f", {written}") if members else (span.start + 1, written)
    end = span.last_end
    lines = "\n".join(_write_block({key: value}, span.column))
    if text[end - 1 : end] == "\n":
        return end, f"{lines}\n"
    end_of_line = text.find("\n", end)
    return len(text) if end_of_line < 0 else end_of_line, f"\n{lines}"


def write_flow(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_write_key(key)}: {write_flow(below)}" for key, below in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(write_flow, value)) + "]"
    return _write_text(value) if isinstance(value, str) else jsontext.dumps(value).decode()


def _write_block(value: Any, column: int) -> list[str]:
    """Write a container on lines of its own, each with its indentation."""
    space = " " * column
    lines: list[str] = []
    pairs = [(f"{_write_key(key)}:", below) for key, below in value.items()] if isinstance(value, dict) else [
        ("-", below) for below in value
    ]  # fmt: skip
    for head, below in pairs:
        if not isinstance(below, dict | list) or not below:
            lines.append(f"{space}{head} {write_flow(below)}")
            continue
        nested = _write_block(below, column + 2)
        if head == "-":
            lines.append(f"{space}- {nested[0].lstrip(' ')}")
            lines += nested[1:]
        else:
            lines += [f"{space}{head}", *nested]
    return lines


def _count_inset(span: Span, value: Any) -> int:
    """Return how far another value is moved in: only the dashes of a list may be as far left as its key."""
    return (
        2 if span.style == "block" and isinstance(span.below, list) and not (isinstance(value, list) and value) else 0
    )


def _write_like(old: str, value: str) -> str:
    """Write text with the quotes that the old value has."""
    if old.startswith("'") and value.isprintable():
        return "'" + value.replace("'", "''") + "'"
    return json.dumps(value, ensure_ascii=False) if old.startswith('"') else _write_text(value)


def _write_text(value: str) -> str:
    is_plain = _PLAIN.fullmatch(value) is not None and value.isprintable() and parse_plain_scalar(value) == value
    return value if is_plain else json.dumps(value, ensure_ascii=False)


def _write_key(key: str) -> str:
    return key if _KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)
