"""JSON text ⇄ values, with nothing lost on the way."""

import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

import orjson

# Digits become 0 and opening brackets [, so that one look at a text shows its long numbers and how deep it can be.
_SHAPE = bytes(0x30 if chr(byte).isdigit() and byte < 0x80 else 0x5B if byte in b"[{" else byte for byte in range(256))
_TOO_LONG_FOR_64_BITS = b"0" * 19  # from there on orjson would round an integer to a float
_SPACE = re.compile(r"[ \t\r\n]*")
# Where an object or array can begin: prose is full of brackets, and each try costs.
_OPENING = re.compile(r"\{\s*[\"}]|\[\s*[\"{\[\]0-9tfnNI-]")
_FENCED = re.compile(r"```[^\n`]*\n(.*?)```", re.DOTALL)
_MOST_OPENINGS = 10_000

MAX_DEPTH = 200
# A row of results puts values of that depth, and what evaluators say of them, some levels deeper.
MAX_WRITTEN_DEPTH = 300
_ORJSON_DEPTH = 255  # it writes no value that is deeper


class NonFinite(float):
    """NaN or an infinity that data held. orjson would write a plain one as null; this one is written by name."""

    __slots__ = ()


class NotJson(ValueError):  # noqa: N818  a finding about a text, not a fault of the program
    """The text is not JSON; the message says why, and where unless line and column do."""

    def __init__(self, why: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(why)
        self.line = line
        self.column = column


class TooDeep(ValueError):  # noqa: N818  a finding about a value, not a fault of the program
    """The value cannot be written so that it can be read again."""


def loads(data: bytes, depth: int = MAX_DEPTH) -> Any:
    """Read one JSON value. Integers of any length, NaN, 1e400 and lone surrogates are read as they stand."""
    return loads_examined(data, depth)[0]


def loads_examined(data: bytes, depth: int = MAX_DEPTH) -> tuple[Any, bool]:
    """The same, and whether the data is plain: no number in it could be too long for orjson."""
    shape = data.translate(_SHAPE)
    plain = _TOO_LONG_FOR_64_BITS not in shape
    try:
        value = orjson.loads(data) if plain else _lenient_loads(data)
    except orjson.JSONDecodeError:
        value = _lenient_loads(data)
    levels = shape.count(b"[")
    return (_shallow(value, levels, depth) if levels > depth else value), plain


def loads_plain(data: bytes) -> Any:
    """Read one JSON value that is known to be plain and not too deep; the fastest way."""
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        return _lenient_loads(data)


def loads_many(lines: Sequence[bytes]) -> list[Any] | None:
    """The values of many lines at once; None where one is not plain, is too deep, or may hold a key twice."""
    text = b"".join(lines)
    # Every fourth byte shows four digits in a row of any number that is too long; few texts need the whole look.
    if b"0000" in text[::4].translate(_SHAPE) and _TOO_LONG_FOR_64_BITS in text.translate(_SHAPE):
        return None
    try:
        values = list(map(orjson.loads, lines))
    except orjson.JSONDecodeError:
        return None
    nested: Any = values
    for _ in range(_ORJSON_DEPTH - MAX_DEPTH - 1):  # so that orjson writes no value that is too deep
        nested = [nested]
    return None if may_repeat_keys(text, nested) else values


def may_repeat_keys(text: bytes, value: Any) -> bool:
    """Whether the text has quotes that the value lacks, as those of a repeated key, or spells a quote in digits."""
    try:
        again = orjson.dumps(value, default=lambda _: None)
    except TypeError:
        return True
    return again.count(b'"') != text.count(b'"') or (b"\\" in text and b"\\u0022" in text)


def loads_text(text: str) -> Any:
    try:
        return loads(text.encode())
    except UnicodeEncodeError:  # a lone surrogate stands in the text itself
        return _lenient_loads(text.encode("utf-8", "surrogatepass"), "surrogatepass")


def elements(text: str) -> Iterator[tuple[int, Any, str]]:
    """The elements of the one list that a text holds, each with its line and its text."""
    decoder, line, counted = _decoder(), 1, 0
    position = _expect(text, "[", 0)
    if text.startswith("]", _skip(text, position)):
        return
    while True:
        start = _skip(text, position)
        line, counted = line + text.count("\n", counted, start), start
        try:
            value, position = decoder.raw_decode(text, start)
        except json.JSONDecodeError as error:
            raise NotJson(error.msg, error.lineno, error.colno) from None
        except (ValueError, RecursionError):
            raise NotJson("a number too long or a value too deep", line) from None
        yield line, _shallow(value, position - start), text[start:position]
        position = _skip(text, position)
        if text.startswith("]", position):
            _expect(text, "", position + 1)
            return
        position = _expect(text, ",", position)


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    return found.end() if found else position


def _expect(text: str, mark: str, position: int) -> int:
    """The position behind a mark; "" is the end of the text."""
    position = _skip(text, position)
    if not text.startswith(mark, position) or (not mark and position < len(text)):
        line, column = text.count("\n", 0, position) + 1, position - text.rfind("\n", 0, position)
        raise NotJson(f"expected {mark!r}" if mark else "expected nothing more", line, column)
    return position + len(mark)


def dumps(value: Any) -> bytes:
    """Write one JSON value, in valid JSON whatever it holds."""
    try:
        return orjson.dumps(value, default=_spell_out)
    except TypeError:
        return json.dumps(_spelled_out(value), separators=(",", ":")).encode()


def dumps_line(value: Any) -> bytes:
    """The same as a line of JSONL, which can be read again. Raises TooDeep."""
    try:
        return orjson.dumps(value, default=_spell_out, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # also where it is too deep for orjson
        if _depth_exceeds(value, MAX_WRITTEN_DEPTH):
            raise TooDeep(f"nested deeper than {MAX_WRITTEN_DEPTH} levels") from None
        return dumps(value) + b"\n"


def find(text: str) -> Any:
    """The JSON in a text: the whole text, else a fenced block, else the first balanced object or array."""
    try:
        return loads_text(text.strip())
    except NotJson:
        pass
    for block in _FENCED.finditer(text):
        try:
            value = loads_text(block[1].strip())
        except NotJson:
            continue
        if isinstance(value, dict | list):
            return value
    return _first_balanced(text)


def _first_balanced(text: str) -> Any:
    decoder = _decoder()
    for attempt, opening in enumerate(_OPENING.finditer(text)):
        if attempt == _MOST_OPENINGS:
            break
        try:
            value, end = decoder.raw_decode(text, opening.start())
            return _shallow(value, end)
        except (ValueError, RecursionError):
            continue
    raise NotJson("no JSON in the text")


def _lenient_loads(data: bytes, errors: str = "strict") -> Any:
    try:
        return _decoder().decode(data.decode(errors=errors))
    except RecursionError:
        raise NotJson(f"nested deeper than {MAX_DEPTH} levels") from None
    except UnicodeDecodeError as error:
        raise NotJson(f"byte {data[error.start]:#04x} at column {error.start + 1} is not valid UTF-8") from None
    except json.JSONDecodeError as error:
        lines = error.doc.rstrip().count("\n", 0, error.pos)  # the end of a row's only line begins no other
        where = f"line {error.lineno} column {error.colno}" if lines else f"column {error.pos + 1}"
        raise NotJson(f"{error.msg} at {where}") from None
    except ValueError as error:  # an integer of more than 4,300 digits
        raise NotJson(str(error).partition(";")[0]) from None


def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(parse_constant=NonFinite, parse_float=_float)


def _float(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else NonFinite(number)


def _shallow(value: Any, most_levels: int, depth: int = MAX_DEPTH) -> Any:
    if most_levels > depth and _depth_exceeds(value, depth):
        raise NotJson(f"nested deeper than {depth} levels")
    return value


def _depth_exceeds(value: Any, limit: int) -> bool:
    level = [value]
    for _ in range(limit + 1):
        level = [child for item in level for child in _children(item)]
        if not level:
            return False
    return True


def _children(item: Any) -> list[Any]:
    if isinstance(item, dict):
        return list(item.values())
    return item if isinstance(item, list) else []


def _spell_out(value: Any) -> str:
    if not isinstance(value, float):
        raise TypeError(f"{type(value).__name__} is not a JSON value")
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _spelled_out(value: Any) -> Any:
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): _spelled_out(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_spelled_out(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return _spell_out(value)
    return value
