"""Texts of one place → what they spell: numbers, dates, codes, prose, or something else."""

import re
from collections.abc import Callable, Collection
from typing import Literal

from agentv_py.comparison.matchers.base import Incomparable
from agentv_py.comparison.readers.date import read_date
from agentv_py.comparison.readers.number import DecimalMark, read_number

_LEAST_SHARE = 0.9
"""The share of texts that must be readable: real data holds some that nobody can read."""
_DIGITS = re.compile(r"[0-9]+")
_CODE = re.compile(r"(?=.*[0-9])[^\s,;:!?]{2,60}")
_CAPITALS = re.compile(r"[A-Z0-9][A-Z0-9_./-]*[A-Z0-9]")
_CONTACT = re.compile(r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+|https?://\S+|www\.\S+", re.IGNORECASE)
_SLASHED = re.compile(r"([0-9]{1,2})[-/]([0-9]{1,2})[-/](?:[0-9]{4}|[0-9]{2})(?![0-9])")

DateOrder = Literal["clear", "day_first", "month_first", "either", "both"]


def are_numbers(texts: Collection[str], decimal: DecimalMark) -> bool:
    return _are_most(texts, lambda text: _is_number(text, decimal))


def are_dates(texts: Collection[str]) -> bool:
    return _are_most(texts, lambda text: read_date(text) is not None or read_date(text, day_first=True) is not None)


def are_digits(texts: Collection[str]) -> bool:
    """Tell whether the texts are digits without a sign, a mark or a space: as codes are written, and amounts are not."""
    return all(_DIGITS.fullmatch(text.strip()) for text in texts)


def are_codes(texts: Collection[str]) -> bool:
    """Tell whether the texts look like codes: INV-001, A113, 2025/114, EUR."""
    return _are_most(texts, lambda text: bool(_CODE.fullmatch(text.strip()) or _CAPITALS.fullmatch(text.strip())))


def are_contacts(texts: Collection[str]) -> bool:
    """Tell whether the texts are e-mail addresses or web addresses."""
    return _are_most(texts, lambda text: len(text) <= 2000 and _CONTACT.fullmatch(text.strip()) is not None)


def count_words(texts: Collection[str]) -> float:
    """Return the mean number of words of a text."""
    return sum(len(text.split()) for text in texts) / len(texts) if texts else 0.0


def count_text_decimals(texts: Collection[str], decimal: DecimalMark) -> int:
    """Return the most decimal places of numbers that are written as text."""
    places = 0
    for text in texts:
        written = re.search(rf"{re.escape(decimal)}([0-9]+)[^0-9]*$", text)
        if written and _is_number(text, decimal):
            places = max(places, len(written[1]))
    return places


def find_date_order(texts: Collection[str]) -> DateOrder:
    """Return the order of day and month in dates such as 03/04/2025 that all texts allow."""
    pairs = [(int(match[1]), int(match[2])) for text in texts if (match := _SLASHED.match(text.strip()))]
    if not pairs:
        return "clear"
    day_first = any(first > 12 for first, _ in pairs)
    month_first = any(second > 12 for _, second in pairs)
    if day_first and month_first:
        return "both"
    return "day_first" if day_first else "month_first" if month_first else "either"


def _is_number(text: str, decimal: DecimalMark) -> bool:
    try:
        read_number(text, decimal)
    except Incomparable:
        return False
    return True


def _are_most(texts: Collection[str], is_one: Callable[[str], bool]) -> bool:
    return bool(texts) and sum(map(is_one, texts)) >= _LEAST_SHARE * len(texts)
