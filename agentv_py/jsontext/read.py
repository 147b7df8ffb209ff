"""JSON text → values: integers of any length, NaN, 1e400 and lone surrogates keep their value."""

import json
import math
from collections.abc import Sequence
from typing import Any

import orjson

from agentv_py.jsontext.depth import MAX_DEPTH, ORJSON_DEPTH, is_deeper
from agentv_py.jsontext.repeated_keys import differs_in_quotes

# Digits become 0 and opening brackets [, so that one search finds long numbers and one count bounds the depth.
_SHAPE = bytes(0x30 if chr(byte).isdigit() and byte < 0x80 else 0x5B if byte in b"[{" else byte for byte in range(256))
_LEVELS_ABOVE = ORJSON_DEPTH - MAX_DEPTH - 1
_TOO_LONG_FOR_64_BITS = b"0" * 19  # from there on orjson would round an integer to a float


class NonFinite(float):
    """NaN or an infinity from the data. It is written by its name, because orjson would write a plain float as null."""

    __slots__ = ()


class NotJson(ValueError):  # noqa: N818  a finding about a text, not a fault of the program
    """The text is not JSON. The message gives the reason; the place is in `line` and `column`, else in the message."""

    def __init__(self, why: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(why)
        self.line = line
        self.column = column


def loads(data: bytes, depth: int = MAX_DEPTH) -> Any:
    """Read one JSON value. Raises NotJson."""
    return loads_and_classify(data, depth)[0]


def loads_and_classify(data: bytes, depth: int = MAX_DEPTH) -> tuple[Any, bool]:
    """Read one JSON value and tell whether it is plain: no number in it could be too long for orjson."""
    shape = data.translate(_SHAPE)
    is_plain, levels = _TOO_LONG_FOR_64_BITS not in shape, shape.count(b"[")
    del shape  # it is as large as the text
    try:
        value = orjson.loads(data) if is_plain else _loads_leniently(data)
    except orjson.JSONDecodeError:
        value = _loads_leniently(data)
    return (check_depth(value, levels, depth) if levels > depth else value), is_plain


def loads_plain(data: bytes) -> Any:
    """Read one JSON value that is known to be plain and not too deep; this is the fastest way."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        return _loads_leniently(data)


def loads_many(lines: Sequence[bytes]) -> list[Any] | None:
    """Read many lines at once; None where a line is not plain, is too deep, or may hold a key twice."""
    try:
        values = list(map(orjson.loads, lines))
        nested: Any = values
        for _ in range(_LEVELS_ABOVE):  # so that orjson refuses to write a value that is too deep
            nested = [nested]
        again = orjson.dumps(nested, default=_leave_out)
    except (orjson.JSONDecodeError, TypeError):
        return None
    text = b"".join(lines)
    if again[_LEVELS_ABOVE + 1 : -_LEVELS_ABOVE - 1] == text.rstrip().replace(b"\n", b","):
        return values  # the lines are compact JSON, and nothing of them is lost
    # Every fourth byte shows four digits in a row of any number that is too long; few texts need the whole search.
    if b"0000" in text[::4].translate(_SHAPE) and _TOO_LONG_FOR_64_BITS in text.translate(_SHAPE):
        return None
    return None if differs_in_quotes(text, again) else values


def _leave_out(_value: Any) -> None:
    return None


def loads_text(text: str) -> Any:
    """Read one JSON value from a string. Raises NotJson."""
    try:
        return loads(text.encode())
    except UnicodeEncodeError:  # the text itself holds a lone surrogate
        return _loads_leniently(text.encode("utf-8", "surrogatepass"), "surrogatepass")


def is_standard(text: str) -> bool:
    """Whether a text is wholly JSON by the standard, which knows no NaN and no infinities."""
    try:
        json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return False
    return True


def _refuse(name: str) -> None:
    raise NotJson(f"{name} is not JSON")


def check_depth(value: Any, most_levels: int, depth: int = MAX_DEPTH) -> Any:
    """Return the value, or raise NotJson if it is too deep; `most_levels` bounds its depth from above."""
    if most_levels > depth and is_deeper(value, depth):
        raise NotJson(f"nested deeper than {depth} levels")
    return value


def build_decoder() -> json.JSONDecoder:
    """Build Python's decoder, which reads what orjson refuses."""
    return json.JSONDecoder(parse_constant=NonFinite, parse_float=_parse_float)


def _loads_leniently(data: bytes, errors: str = "strict") -> Any:
    try:
        return build_decoder().decode(data.decode(errors=errors))
    except RecursionError:
        raise NotJson(f"nested deeper than {MAX_DEPTH} levels") from None
    except UnicodeDecodeError as error:
        raise NotJson(f"byte {data[error.start]:#04x} at column {error.start + 1} is not valid UTF-8") from None
    except json.JSONDecodeError as error:
        lines = error.doc.rstrip().count("\n", 0, error.pos)  # a final line break begins no line
        where = f"line {error.lineno} column {error.colno}" if lines else f"column {error.pos + 1}"
        raise NotJson(f"{error.msg} at {where}") from None
    except ValueError as error:  # an integer of more than 4,300 digits
        raise NotJson(str(error).partition(";")[0]) from None


def _parse_float(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else NonFinite(number)
