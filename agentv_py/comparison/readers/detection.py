"""An object in an image, as JSON (label, box, confidence) → its values, read and checked."""

import math
from typing import Any, NamedTuple

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.readers.box import NOWHERE, Box, BoxFormat, read_box
from agentv_py.comparison.readers.number import read_number


class ImageObject(NamedTuple):
    """An object in an image. If it cannot be read, it matches nothing, and `note` is the reason."""

    label: str | float | None
    box: Box
    area: float
    confidence: float = 1.0
    crowd: bool = False
    note: str = ""


def read_truth(value: Any, form: BoxFormat) -> ImageObject:
    """Read an expected object. Its area may be less than its box's; a crowd is many objects in one box."""
    try:
        label, box = _read_label(value), read_box(value.get("box"), form)
        area = float(read_number(value["area"])) if value.get("area") is not None else _compute_area(box)
        return ImageObject(label, box, area, crowd=bool(value.get("iscrowd")))
    except (Incomparable, OverflowError) as why:
        return _build_unreadable(value, why)


def read_detection(value: Any, form: BoxFormat) -> ImageObject:
    """Read a detection, which has a confidence."""
    try:
        label, box, confidence = _read_label(value), read_box(value.get("box"), form), value.get("confidence")
        number = 1.0 if confidence is None else float(read_number(confidence))
        return ImageObject(label, box, _compute_area(box), number)
    except (Incomparable, OverflowError) as why:
        return _build_unreadable(value, why)


def _read_label(value: Any) -> str | float | None:
    if not isinstance(value, dict):
        raise Incomparable("not an object")
    label = value.get("label")
    if isinstance(label, str) or label is None:
        return label
    if isinstance(label, int | float) and not isinstance(label, bool) and -math.inf < label < math.inf:
        return label
    raise Incomparable("not a label")


def _compute_area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _build_unreadable(value: Any, why: Exception) -> ImageObject:
    note = why.note if isinstance(why, Incomparable) else "not a finite number"
    try:
        label = _read_label(value)
    except Incomparable:
        label = None
    return ImageObject(label, NOWHERE, math.nan, -math.inf, note=note)
