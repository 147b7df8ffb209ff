"""A box in any spelling (numbers, corners or an object) → its edges."""

import math
from collections.abc import Sequence
from typing import Any, Literal

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.readers.point import read_point

BoxFormat = Literal["xyxy", "xywh", "polygon"]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""
Corners = list[tuple[float, float]]

INVALID = "invalid bounding box"
NOWHERE: Box = (math.nan, math.nan, math.nan, math.nan)
"""The edges of a box that cannot be read: it overlaps nothing."""

# The keys of an object decide its format; the option `format` is for lists.
FORMAT_BY_KEYS: tuple[tuple[tuple[str, str, str, str], BoxFormat], ...] = (
    (("x1", "y1", "x2", "y2"), "xyxy"),
    (("left", "top", "right", "bottom"), "xyxy"),
    (("xmin", "ymin", "xmax", "ymax"), "xyxy"),
    (("x", "y", "width", "height"), "xywh"),
    (("x", "y", "w", "h"), "xywh"),
    (("left", "top", "width", "height"), "xywh"),
)


def read_box(value: Any, form: BoxFormat) -> Box:
    """Return the edges of a box, or of the box around a polygon. Raises Incomparable."""
    if form == "polygon" and type(value) is list:
        across, down = zip(*read_corners(value), strict=True)
        return _check_edges(min(across), min(down), max(across), max(down))
    try:
        first, second, third, fourth = value
    except (TypeError, ValueError):
        first = second = third = fourth = None
    kind = type(first)
    if not ((kind is float or kind is int) and kind is type(second) is type(third) is type(fourth)):
        (first, second, third, fourth), form = _read_numbers(value, form)
    if form == "xywh":
        return _check_edges(first, second, first + third, second + fourth)
    return _check_edges(first, second, third, fourth)


def read_corners(value: Any) -> Corners:
    """Return the corners of a polygon: points, a flat list of numbers, or a box. Raises Incomparable."""
    if isinstance(value, dict):
        left, top, right, bottom = read_box(value, "polygon")
        return [(left, top), (right, top), (right, bottom), (left, bottom)]
    points = value if isinstance(value, list) else []
    if points and not isinstance(points[0], list | dict) and len(points) % 2 == 0:
        points = [points[at : at + 2] for at in range(0, len(points), 2)]
    try:
        corners = [read_point(point) for point in points]
    except Incomparable:
        raise Incomparable(INVALID) from None
    if len(corners) < 3 or any(len(corner) != 2 for corner in corners):
        raise Incomparable(INVALID)
    return [(across, down) for across, down in corners]


def is_box(value: Any, form: BoxFormat) -> bool:
    """Whether a value is one box, valid or not, and not a list of boxes."""
    if not isinstance(value, list):
        return True
    if not any(isinstance(part, list | dict) for part in value):
        return bool(value)
    return form == "polygon" and all(map(_is_corner, value))


def _is_corner(part: Any) -> bool:
    if isinstance(part, dict):
        return part.keys() == {"x", "y"}
    return isinstance(part, list) and len(part) == 2 and not any(isinstance(number, list | dict) for number in part)


def _read_numbers(value: Any, form: BoxFormat) -> tuple[Sequence[float], BoxFormat]:
    """Return four numbers and their format."""
    if isinstance(value, dict):
        keys, form = next(
            ((keys, by_keys) for keys, by_keys in FORMAT_BY_KEYS if all(map(value.__contains__, keys))), ((), form)
        )
        value = [value[key] for key in keys]
    if not isinstance(value, list) or len(value) != 4:
        raise Incomparable(INVALID)
    try:
        return read_point(value), form
    except Incomparable:
        raise Incomparable(INVALID) from None


def _check_edges(left: float, top: float, right: float, bottom: float) -> Box:
    try:
        # NaN is never >= a number, and a finite difference has finite operands.
        if right >= left and bottom >= top and right - left < math.inf and bottom - top < math.inf:
            return float(left), float(top), float(right), float(bottom)
    except OverflowError:  # an integer beyond every float
        pass
    raise Incomparable(INVALID)
