"""Values → JSON text in the style of the text around them."""

import json
import re
from typing import Any, NamedTuple

from agentv_py import jsontext
from agentv_py.suite.edit.span import Span

_INDENT = re.compile(r"\n([ \t]+)\S")


class JsonStyle(NamedTuple):
    """How a file writes JSON."""

    comma: str = ", "
    colon: str = ": "
    indent: str = ""
    """The white space of one level; empty if the file is not indented."""
    newline: str = "\n"
    is_ascii: bool = False
    """Whether other characters are written as escapes."""


def find_style(text: str) -> JsonStyle:
    indent = _INDENT.search(text)
    return JsonStyle(
        "," if re.search(r'["\d\]}el],\S', text) and not re.search(r'["\d\]}el], ', text) else ", ",
        ":" if re.search(r'":\S', text) and not re.search(r'": ', text) else ": ",
        "" if indent is None else indent[1],
        "\r\n" if "\r\n" in text else "\n",
        text.isascii() and "\\u" in text,
    )


def write_json(value: Any, style: JsonStyle, base: str = "") -> str:
    """Write a value. Where the style has an indent, containers are on several lines; `base` begins each of them."""
    if not isinstance(value, dict | list) or not value:
        return _write_scalar(value, style)
    inner = base + style.indent
    if isinstance(value, dict):
        parts = [f"{_write_scalar(key, style)}{style.colon}{write_json(v, style, inner)}" for key, v in value.items()]
    else:
        parts = [write_json(item, style, inner) for item in value]
    first, last = "{}" if isinstance(value, dict) else "[]"
    if not style.indent:
        return f"{first}{style.comma.join(parts)}{last}"
    lines = f",{style.newline}{inner}".join(parts)
    return f"{first}{style.newline}{inner}{lines}{style.newline}{base}{last}"


def replace_json(text: str, span: Span, value: Any, style: JsonStyle) -> str:
    """Write a new value for a span: on several lines where the text there, or beside it, is on several lines."""
    begin = text.rfind("\n", 0, span.start) + 1
    base = text[begin : begin + len(text[begin:]) - len(text[begin:].lstrip(" \t"))]
    is_indented = "\n" in text[span.start : span.end] or (span.below is None and text[begin : span.start] != "")
    has_lines = is_indented and style.indent and "\n" in text.strip()
    return write_json(value, style if has_lines else style._replace(indent=""), base)


def add_json_key(text: str, span: Span, key: str, value: Any, style: JsonStyle) -> tuple[int, str]:
    """Return where a new key of an object goes, and its text."""
    members = list(span.below.values()) if isinstance(span.below, dict) else []
    one_line = style._replace(indent="")
    if not members:
        return span.start + 1, f"{_write_scalar(key, style)}{style.colon}{write_json(value, one_line)}"
    line_start = text.rfind("\n", 0, members[-1].start) + 1
    is_multiline = line_start > span.start
    if not is_multiline:
        written = f"{_write_scalar(key, style)}{style.colon}{write_json(value, one_line)}"
        return members[-1].end, f"{style.comma}{written}"
    base = text[line_start : len(text) - len(text[line_start:].lstrip(" \t"))]
    written = f"{_write_scalar(key, style)}{style.colon}{write_json(value, style, base)}"
    return members[-1].end, f",{style.newline}{base}{written}"


def _write_scalar(value: Any, style: JsonStyle) -> str:
    return json.dumps(value) if style.is_ascii and isinstance(value, str) else jsontext.dumps(value).decode()
