"""Suggestions → the YAML of a suite, with the reason behind every line."""

import json
import re
from collections.abc import Iterator
from typing import Any

from agentv_py.inference.suggestion import Suggestion

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*(?:[ .][A-Za-z0-9_-]+)*")
_RESERVED = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_COMMENT_COLUMN = 60


def write_comparators(suggestion: Suggestion, indent: int) -> Iterator[str]:
    """Yield the lines below `comparators:`."""
    if suggestion.is_value:
        raise ValueError("a single value has no lines of its own")
    yield from _write_body(suggestion, indent)


def write_scalar(value: Any) -> str:
    """Write a value so that YAML reads the same value."""
    if isinstance(value, str):
        return (
            value
            if _PLAIN.fullmatch(value) and value.lower() not in _RESERVED
            else json.dumps(value, ensure_ascii=False)
        )
    if isinstance(value, dict):
        return "{" + ", ".join(f"{write_scalar(key)}: {write_scalar(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(write_scalar, value)) + "]"
    return json.dumps(value)


def write_inline(suggestion: Suggestion) -> str:
    """Write the comparator of a single value: `exact`, or a mapping in one line."""
    return write_scalar(suggestion.build_comparators())


def add_reason(line: str, reason: str) -> str:
    """Put a reason behind a line. No text of the user can end the comment: it is one printable line."""
    if not reason:
        return line
    printable = "".join(mark if mark.isprintable() else "�" for mark in reason)
    return f"{line:<{_COMMENT_COLUMN}}  # {printable}"


def _write_body(suggestion: Suggestion, indent: int) -> Iterator[str]:
    """Yield the lines of a record or a list, without the key that holds it."""
    margin = " " * indent
    for option, value in suggestion.options.items():
        reason = suggestion.reason if option == "key" else ""
        yield add_reason(f"{margin}{option}: {write_scalar(value)}", reason)
    if suggestion.rows is not None:
        yield from _write_entry(suggestion.order, suggestion.rows, indent)
        return
    if suggestion.needs_fields_word:
        yield f"{margin}fields:"
        indent += 2
    for key, place in suggestion.fields.items():
        yield from _write_entry(write_scalar(key), place, indent)


def _write_entry(key: str, place: Suggestion, indent: int) -> Iterator[str]:
    margin = " " * indent
    if place.is_value:
        yield add_reason(f"{margin}{key}: {write_inline(place)}", place.reason)
        return
    yield add_reason(f"{margin}{key}:", "" if "key" in place.options else place.reason)
    yield from _write_body(place, indent + 2)
