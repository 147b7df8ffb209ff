"""A point as a list of numbers, or as an object of x, y and z → its coordinates."""

import math
from typing import Any

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.readers.number import read_number

_UNREADABLE = "not a point"
_AXES = ("x", "y", "z")


def read_point(value: Any) -> list[float]:
    """Return the coordinates of a point. Raises Incomparable."""
    if isinstance(value, dict):
        value = [value[axis] for axis in _AXES if axis in value] if "x" in value and "y" in value else None
    if not isinstance(value, list) or not value:
        raise Incomparable(_UNREADABLE)
    return [part if type(part) is float and math.isfinite(part) else _read_finite(part) for part in value]


def is_point(value: Any) -> bool:
    """Whether a value is one point, valid or not, and not a list of points."""
    if not isinstance(value, list):
        return True
    return bool(value) and not any(isinstance(part, list | dict) for part in value)


def _read_finite(part: Any) -> float:
    try:
        return float(read_number(part))
    except OverflowError:  # an integer beyond every float
        raise Incomparable("not a finite number") from None
    except Incomparable as why:
        raise Incomparable(_UNREADABLE if why.note == "not a number" else why.note) from None
