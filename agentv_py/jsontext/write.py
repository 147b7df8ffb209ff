"""Values → JSON text that every reader takes, also for NaN and infinities."""

import json
import math
from typing import Any

import orjson

from agentv_py.jsontext.depth import MAX_WRITTEN_DEPTH, is_deeper


class TooDeep(ValueError):  # noqa: N818  a finding about a value, not a fault of the program
    """The value cannot be written so that it can be read again."""


def dumps(value: Any) -> bytes:
    """Write one value as valid JSON, whatever it holds."""
    try:
        return orjson.dumps(value, default=_name_number)
    except TypeError:
        return json.dumps(_prepare(value), separators=(",", ":")).encode()


def dumps_line(value: Any) -> bytes:
    """Write one value as a line of JSONL, which can be read again. Raises TooDeep."""
    try:
        return orjson.dumps(value, default=_name_number, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:  # also where it is too deep for orjson
        if is_deeper(value, MAX_WRITTEN_DEPTH):
            raise TooDeep(f"nested deeper than {MAX_WRITTEN_DEPTH} levels") from None
        return dumps(value) + b"\n"


def encode_once(value: Any) -> orjson.Fragment:
    """Write a value that many lines hold, so that `dumps_plain_line` need not write it again."""
    return orjson.Fragment(dumps(value))


def dumps_plain_line(value: Any) -> bytes | None:
    """Write one value as a line of JSONL; None if it holds what orjson cannot write, such as a NonFinite."""
    try:
        return orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
    except TypeError:
        return None


def _name_number(value: Any) -> str:
    if not isinstance(value, float):
        raise TypeError(f"{type(value).__name__} is not a JSON value")
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def _prepare(value: Any) -> Any:
    """Replace values that are not JSON: keys that are not text, tuples, NaN and infinities."""
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): _prepare(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_prepare(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return _name_number(value)
    return value
