"""The text of one list → its elements one by one, each with its line; or a text → its one value."""

import json
import re
from collections.abc import Iterator
from typing import Any

from agentv_py.jsontext.read import NotJson, build_decoder, check_depth

_SPACE = re.compile(r"[ \t\r\n]*")


def iterate_elements(text: str) -> Iterator[tuple[int, Any, str]]:
    """Yield the line, the value and the text of each element. Raises NotJson."""
    decoder, line, counted = build_decoder(), 1, 0
    position = _expect(text, "[", 0)
    if text.startswith("]", _skip_space(text, position)):
        return
    while True:
        start = _skip_space(text, position)
        line, counted = line + text.count("\n", counted, start), start
        value, position = _decode(decoder, text, start, line)
        yield line, value, text[start:position]
        position = _skip_space(text, position)
        if text.startswith("]", position):
            _expect(text, "", position + 1)
            return
        position = _expect(text, ",", position)


def read_element(text: str) -> Any:
    """Return the one value of a text. Raises NotJson, which has the line and the column."""
    value, position = _decode(build_decoder(), text, _skip_space(text, 0), 1)
    _expect(text, "", position)
    return value


def _decode(decoder: json.JSONDecoder, text: str, start: int, line: int) -> tuple[Any, int]:
    """Return the value that begins at a position, and the position of its end."""
    try:
        value, position = decoder.raw_decode(text, start)
    except json.JSONDecodeError as error:
        raise NotJson(error.msg, error.lineno, error.colno) from None
    except (ValueError, RecursionError):
        raise NotJson("a number too long or a value too deep", line) from None
    return check_depth(value, position - start), position


def _skip_space(text: str, position: int) -> int:
    space = _SPACE.match(text, position)
    return space.end() if space else position


def _expect(text: str, mark: str, position: int) -> int:
    """Return the position behind a mark; "" is the end of the text. Raises NotJson."""
    position = _skip_space(text, position)
    if not text.startswith(mark, position) or (not mark and position < len(text)):
        line, column = text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
        raise NotJson(f"expected {mark!r}" if mark else "expected nothing more", line, column)
    return position + len(mark)
