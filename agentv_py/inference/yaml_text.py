"""Suggestions → the YAML of a suite, with the reason behind every line."""

import json
import re
from collections.abc import Iterator
from typing import Any

from agentv_py.inference.suggestion import Suggestion

_PLAIN = re.compile(r"(?:\.\.?/)*[A-Za-z_][A-Za-z0-9_-]*(?:[ ./][A-Za-z0-9_-]+)*/?")
_RESERVED = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_COMMENT_COLUMN = 60


def write_comparators(suggestion: Suggestion, indent: int) -> Iterator[str]:
    """Yield the line `comparators:` and the lines below it."""
    yield from _write_entry("comparators", suggestion, indent)


def write_scalar(value: Any) -> str:
    """Write a value so that YAML reads the same value."""
    if isinstance(value, str):
        return value if _PLAIN.fullmatch(value) and value.lower() not in _RESERVED else _quote(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{write_scalar(key)}: {write_scalar(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(write_scalar, value)) + "]"
    return json.dumps(value)


def add_reason(line: str, reason: str) -> str:
    """Put a reason behind a line. No text of the user can end the comment: it is one printable line."""
    if not reason:
        return line
    printable = "".join(mark if mark.isprintable() else "�" for mark in reason)
    return f"{line:<{_COMMENT_COLUMN}}  # {printable}"


def _quote(text: str) -> str:
    if text.isprintable() and ('"' in text or "\\" in text):
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(mark if _is_plain(mark) else f"\\U{ord(mark):08x}" for mark in text) + '"'


def _is_plain(mark: str) -> bool:
    return mark.isprintable() and mark not in '"\\'


def _write_entry(key: str, place: Suggestion, indent: int) -> Iterator[str]:
    margin = " " * indent
    if place.is_value:
        yield add_reason(f"{margin}{key}: {write_scalar(place.build_comparators())}", place.reason)
        return
    yield add_reason(f"{margin}{key}:", "" if _has_reasoned_option(place) else place.reason)
    yield from _write_body(place, indent + 2)


def _write_body(place: Suggestion, indent: int) -> Iterator[str]:
    """Yield the lines of a record or a list, without the key that holds it."""
    margin = " " * indent
    for option, value in place.options.items():
        is_reason = option == "key" or (_has_reasoned_option(place) and "key" not in place.options)
        yield add_reason(f"{margin}{option}: {write_scalar(value)}", place.reason if is_reason else "")
    if place.rows is not None:
        yield from _write_entry(place.order, place.rows, indent)
        return
    if place.needs_fields_word:
        yield f"{margin}fields:"
        indent += 2
    for key, below in place.fields.items():
        yield from _write_entry(write_scalar(key), below, indent)


def _has_reasoned_option(place: Suggestion) -> bool:
    """Tell whether the reason is behind an option, and not behind the key: the key of rows, the weight of a record."""
    return "key" in place.options or bool(place.fields and place.options)
