"""Two values that do not match → the name of a usual error that explains the difference."""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

from agentv_py.comparison.comparison import Incomparable, is_empty
from agentv_py.comparison.paths import parse_path
from agentv_py.comparison.readers.date import read_date
from agentv_py.comparison.readers.number import read_number

TIMES = "× 100"
DIVIDED = "÷ 100"
THOUSANDS = "thousands read as decimals"
DECIMALS = "decimals read as thousands"
SIGN = "sign"
CURRENCY = "currency missing"
DAY_AND_MONTH = "day and month swapped"
SWAPPED = "two fields swapped"
TRUNCATED = "truncated list"

_FACTORS = ((100.0, TIMES), (0.01, DIVIDED), (0.001, THOUSANDS), (1000.0, DECIMALS), (-1.0, SIGN))
_YEAR_FIRST = re.compile(
    r"(?P<year>[0-9]{4})(?P<mark>[-/.])(?P<first>[0-9]{1,2})(?P=mark)(?P<second>[0-9]{1,2})(?![0-9])"
)
_LONGEST = 60
_CLOSE = 1e-9

Mismatch = Mapping[str, Any]


def name_pattern(expected: Any, actual: Any) -> str | None:
    """Name the usual error that turns the expected value into the actual one; None if no such error does."""
    if type(expected) is type(actual) is float:
        return _name_factor(expected, actual) if isfinite(expected) and isfinite(actual) else None
    if not (_may_be_number(expected) and _may_be_number(actual)):
        return None
    left, right = _read(expected), _read(actual)
    if left is not None and right is not None:
        return _name_factor(left, right) or _name_currency(expected, actual, left, right)
    return DAY_AND_MONTH if _has_swapped_day(expected, actual) else None


def find_swapped(mismatches: Sequence[Mismatch]) -> Iterator[tuple[Mismatch, Mismatch]]:
    """Find pairs of fields of one object, each of which has the other's expected value."""
    known: dict[tuple[Any, Any], list[Mismatch]] = {}
    for mismatch in mismatches:
        left, right = _make_key(mismatch["expected"]), _make_key(mismatch["actual"])
        if left is None or right is None:
            continue
        for other in known.get((right, left), ()):
            if _find_parent(other["path"]) == _find_parent(mismatch["path"]):
                yield other, mismatch
                break
        known.setdefault((left, right), []).append(mismatch)


def _make_key(value: Any) -> tuple[type, Any] | None:
    """Return what tells a single value from others; None for an empty value, an object or a list."""
    return None if isinstance(value, dict | list) or is_empty(value) else (type(value), value)


def is_truncated(missing: set[int], known: set[int]) -> bool:
    """Tell whether the missing rows of a list are its last ones, at least two, after at least one that is there."""
    return len(missing) > 1 and bool(known) and max(known) < min(missing)


def _name_factor(left: float, right: float) -> str | None:
    if not left or not right or 0.5 < right / left < 2:  # most wrong numbers are near the right one
        return None
    for factor, name in _FACTORS:
        product = left * factor
        if abs(right - product) <= _CLOSE * abs(product):
            return name
    return None


def _name_currency(expected: Any, actual: Any, left: float, right: float) -> str | None:
    has_mark = isinstance(expected, str) and not _is_plain(expected)
    return CURRENCY if left == right and has_mark and (not isinstance(actual, str) or _is_plain(actual)) else None


def _is_plain(text: str) -> bool:
    """Whether a text has no letter and no currency sign."""
    return not any(mark.isalpha() or mark in "$€£¥₹₩₽₺₫₴₦฿" for mark in text)


def _has_swapped_day(expected: Any, actual: Any) -> bool:
    left, right = read_date(expected), read_date(actual)
    if left is None or left == right:
        return False
    swapped = _swap_impossible_day(actual) if right is None else (right.year, right.day, right.month)
    return swapped == (left.year, left.month, left.day)


def _swap_impossible_day(value: Any) -> tuple[int, int, int] | None:
    """Return year, month and day of a text such as 2025-26-06, which is a date only with day and month swapped."""
    match = _YEAR_FIRST.match(value.strip()) if isinstance(value, str) else None
    return None if match is None else (int(match["year"]), int(match["second"]), int(match["first"]))


def _may_be_number(value: Any) -> bool:
    """Whether a value may be a number or a date: the readers need not look at the others."""
    kind = type(value)
    if kind is str:
        return len(value) <= _LONGEST and any(mark.isdigit() for mark in value)
    return kind is int or kind is float


def _read(value: Any) -> float | None:
    try:
        return float(read_number(value))
    except (Incomparable, OverflowError):
        return None


def _find_parent(path: str) -> str:
    steps = parse_path(path).steps
    return path if not steps else ".".join(step.key for step in steps[:-1])
