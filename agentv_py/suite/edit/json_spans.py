"""JSON text → the span of every value in it."""

import re
from json import JSONDecoder

from agentv_py.suite.edit.span import Span

_SPACE = re.compile(r"[ \t\n\r]*")
_read_string = JSONDecoder().raw_decode
_SCALAR = re.compile(r"[^\s,\]}]+")


def locate_json(text: str, start: int = 0) -> Span:
    """Locate the value that begins at a character, after white space. The text is known to be JSON."""
    start = _skip_space(text, start)
    if text[start] == "{":
        return _locate_object(text, start)
    if text[start] == "[":
        return _locate_list(text, start)
    if text[start] == '"':
        return Span(start, _read_string(text, start)[1], "quoted")
    scalar = _SCALAR.match(text, start)
    return Span(start, start if scalar is None else scalar.end())


def _locate_object(text: str, start: int) -> Span:
    below: dict[str, Span] = {}
    position = _skip_space(text, start + 1)
    while text[position] != "}":
        key, position = _read_string(text, position)
        position = _skip_space(text, position) + 1  # after the colon
        below[key] = locate_json(text, position)
        position = _skip_comma(text, below[key].end)
    return Span(start, position + 1, "flow", below)


def _locate_list(text: str, start: int) -> Span:
    below: list[Span] = []
    position = _skip_space(text, start + 1)
    while text[position] != "]":
        below.append(locate_json(text, position))
        position = _skip_comma(text, below[-1].end)
    return Span(start, position + 1, "flow", below)


def _skip_comma(text: str, position: int) -> int:
    position = _skip_space(text, position)
    return _skip_space(text, position + 1) if text[position] == "," else position


def _skip_space(text: str, position: int) -> int:
    match = _SPACE.match(text, position)
    return position if match is None else match.end()
