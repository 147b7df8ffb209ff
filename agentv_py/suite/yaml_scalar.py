"""The text of a YAML scalar → its value."""

import math
import re
from typing import Any

from agentv_py.jsontext import NonFinite

_WORDS = {word: value for name, value in (("true", True), ("false", False), ("null", None)) for word in
          (name, name.capitalize(), name.upper())} | {"": None, "~": None}  # fmt: skip
_INTEGER = re.compile(r"[-+]?[0-9]+")
_OTHER_BASE = re.compile(r"0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_INFINITY = re.compile(r"[-+]?\.(?:inf|Inf|INF)")
_NAN = (".nan", ".NaN", ".NAN")


def parse_plain_scalar(text: str) -> Any:
    """Apply YAML 1.2's core schema: `NO`, `12:30:45` and `2025-01-15` are text; only true, false and null are words."""
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in "-+.0123456789":
        return text
    if _INTEGER.fullmatch(text):
        return int(text)
    if _OTHER_BASE.fullmatch(text):
        return int(str(int(text, 0)))  # raises ValueError where it is too long to be written as decimal
    if _FLOAT.fullmatch(text):
        number = float(text)
        return number if math.isfinite(number) else NonFinite(number)
    if _INFINITY.fullmatch(text):
        return NonFinite(text.replace(".", "").lower())
    return NonFinite("nan") if text in _NAN else text


def convert_to_float(number: int) -> float:
    try:
        return float(number)
    except OverflowError:
        return NonFinite("inf" if number > 0 else "-inf")
