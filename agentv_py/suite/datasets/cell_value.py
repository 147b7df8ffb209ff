"""A typed cell of a table → a JSON value."""

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any


def convert_cell(value: Any) -> Any:
    """Convert a value, also one that holds others. Dates and times become ISO text.

    A decimal becomes a number if nothing is lost, else text. Raises ValueError for bytes that are not text.
    """
    match value:
        case dict():
            return {str(key): convert_cell(item) for key, item in value.items()}
        case list() | tuple():
            return _convert_list(value)
        case datetime() | date() | time():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case Decimal():
            return _convert_decimal(value)
        case bytes():
            return _decode_bytes(value)
        case _:
            return value


def _convert_list(value: list[Any] | tuple[Any, ...]) -> Any:
    """Convert a list, or a map, which is a list of pairs."""
    if value and all(isinstance(item, tuple) and len(item) == 2 for item in value):
        return {str(key): convert_cell(item) for key, item in value}
    return [convert_cell(item) for item in value]


def _convert_decimal(value: Decimal) -> Any:
    if value == value.to_integral_value():
        return int(value)
    number = float(value)
    return number if Decimal(repr(number)) == value else str(value)


def _decode_bytes(value: bytes) -> str:
    try:
        return value.decode()
    except UnicodeDecodeError:
        raise ValueError("a cell holds bytes that are not text") from None
