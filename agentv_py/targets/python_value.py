"""A Python value → the JSON value that represents it."""

import math
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Any

from agentv_py.jsontext import MAX_DEPTH, NonFinite


def to_json(value: Any, levels: int = MAX_DEPTH) -> Any:
    """Raises TypeError for a value that JSON cannot represent."""
    kind = type(value)
    if kind is str or value is None or kind is int or kind is bool or (kind is float and math.isfinite(value)):
        return value
    if levels < 0:
        raise TypeError(f"nested deeper than {MAX_DEPTH} levels")
    if kind is dict or isinstance(value, Mapping):
        return {str(key): to_json(item, levels - 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [to_json(item, levels - 1) for item in value]
    for kind, convert in _CONVERTERS:
        if isinstance(value, kind):
            return convert(value)
    return to_json(_unwrap(value), levels)


def _unwrap(value: Any) -> Any:
    """Return the content of an object as plain Python values."""
    from uuid import UUID  # which most runs never see

    if isinstance(value, type):
        raise TypeError(f"the class {value.__name__} is not a JSON value")
    if isinstance(value, UUID):
        return str(value)
    if is_dataclass(value):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    for method in ("model_dump", "tolist", "item"):  # pydantic's models, numpy's arrays and numbers
        if hasattr(value, method):
            return getattr(value, method)()
    raise TypeError(f"{type(value).__name__} is not a JSON value")


def _from_decimal(value: Decimal) -> int | float:
    if not value.is_finite():
        return NonFinite("nan" if value.is_nan() else value)
    return int(value) if value == value.to_integral_value() else float(value)


_CONVERTERS: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (Enum, lambda member: to_json(member.value)),
    (datetime, datetime.isoformat),  # a datetime is a date as well, and would lose its time
    (str, str),
    (int, int),
    (float, lambda number: float(number) if math.isfinite(number) else NonFinite(number)),
    (Decimal, _from_decimal),
    (date, date.isoformat),
    (time, time.isoformat),
)
