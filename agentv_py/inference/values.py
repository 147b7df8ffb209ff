"""Texts of one place → what they spell: numbers, dates, codes, addresses, or something else."""

import re
from collections.abc import Callable, Collection
from functools import partial
from statistics import median
from typing import Literal
from unicodedata import category

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.readers.date import build_date_reader
from agentv_py.comparison.readers.number import DecimalMark, read_number

_LEAST_SHARE = 0.9
"""The share of texts that must be readable: real data holds some that nobody can read."""
_LONGEST = 60
_LONGEST_LINK = 2000
_LAST_MONTH = 12
_CENTS = 2
_DIGITS = re.compile(r"[0-9]+")
_CODE = re.compile(r"(?=.*[0-9])[^\s,;:!?]{2,60}")
_CAPITALS = re.compile(r"[A-Z0-9][A-Z0-9_./-]*[A-Z0-9]")
_IDENTIFIER = re.compile(r"[a-z][a-z0-9]*(?:[_.-][a-z0-9]+|[A-Z][a-z0-9]*)*")
_JOINED = re.compile(r"[a-z0-9][_.][a-z0-9]|[a-z][A-Z]")
_PHONE = re.compile(r"(?=(?:[^0-9]*[0-9]){6})[+(]?[0-9][-0-9 ()/.]{4,24}")
_CONTACT = re.compile(r"[^@\s]+@[^@\s.]+(?:\.[^@\s.]+)+|https?://\S+|www\.\S+", re.IGNORECASE)
_SLASHED = re.compile(r"([0-9]{1,2})\ ?[-/]\ ?([0-9]{1,2})\ ?[-/]\ ?(?:[0-9]{4}|[0-9]{2})(?![0-9])")
_TIME = re.compile(r"[0-9](?:T|,?\ )(?:[01]?[0-9]|2[0-3])(?::?[0-5][0-9]|\ ?[ap]\.?m\b)", re.IGNORECASE)
_CLOCK = re.compile(
    r"(?:[01]?[0-9]|2[0-4])(?::[0-5][0-9]){1,2}(?:[.,][0-9]+)?(?:\ ?[ap]\.?m\.?|Z|[+-][0-9]{2}:?[0-9]{2})?",
    re.IGNORECASE,
)
_PARTIAL_DATE = re.compile(
    r"[0-9]{4}(?:[-/.](?:0?[1-9]|1[0-2]))?|(?:0?[1-9]|1[0-2])[-/.][0-9]{4}"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?,?\ [0-9]{4}",
    re.IGNORECASE,
)

DateOrder = Literal["clear", "day_first", "month_first", "either", "both"]


def find_decimal_mark(texts: Collection[str]) -> DecimalMark | None:
    """Return the decimal mark under which the texts are numbers; None if they are no numbers."""
    marks: tuple[DecimalMark, ...] = (".", ",", "auto")
    return next((mark for mark in marks if _are_most(texts, partial(is_number, decimal=mark))), None)


def have_two_readings(texts: Collection[str]) -> bool:
    """Tell whether some text is another number under another decimal mark, and no text shows which one is meant."""
    return any(_explain(text, "auto") == "ambiguous number" for text in texts) and all(
        is_number(text, ",") for text in texts
    )


def count_text_decimals(texts: Collection[str], decimal: DecimalMark) -> int:
    """Return the most decimal places of numbers that are written as text."""
    marks = re.escape(".," if decimal == "auto" else decimal)
    places = 0
    for text in texts:
        written = re.search(rf"[{marks}]([0-9]+)[^0-9]*$", text[:_LONGEST])
        # Three digits behind a mark that may be either one are a group: 1,234.
        if written and not (decimal == "auto" and len(written[1]) > _CENTS):
            places = max(places, len(written[1]) if is_number(text, decimal) else 0)
    return places


def find_language(texts: Collection[str]) -> str | None:
    """Return the language of the dates that the texts are: `en`, or `auto` for others; None if they are no dates."""
    if not _are_most(texts, lambda text: len(text) <= _LONGEST and any(map(str.isdigit, text))):
        return None
    for language in ("en", "auto"):
        if _are_most(texts, partial(_is_date, language=language)):
            return language
    return None


def find_date_order(texts: Collection[str]) -> DateOrder:
    """Return the order of day and month in dates such as 03/04/2025 that all texts allow."""
    pairs = [(int(match[1]), int(match[2])) for text in texts if (match := _SLASHED.match(text.strip()))]
    if not pairs:
        return "clear"
    day_first = any(first > _LAST_MONTH for first, _ in pairs)
    month_first = any(second > _LAST_MONTH for _, second in pairs)
    if day_first and month_first:
        return "both"
    return "day_first" if day_first else "month_first" if month_first else "either"


def keep_dates(texts: Collection[str], language: str) -> list[str]:
    """Return the texts that are dates in some order of day and month."""
    return [text for text in texts if len(text) <= _LONGEST and _is_date(text, language)]


def have_times(texts: Collection[str]) -> bool:
    """Tell whether some date has a time of day other than midnight."""
    return any(_TIME.search(text) and not re.search(r"[T ]00:00(?::00)?", text) for text in texts)


def are_times(texts: Collection[str]) -> bool:
    """Tell whether the texts are times of day, such as 12:30:45 or 9:15 pm."""
    return _are_most(texts, lambda text: _CLOCK.fullmatch(text.strip()) is not None)


def are_partial_dates(texts: Collection[str]) -> bool:
    """Tell whether the texts are months or years, perhaps among full dates."""
    is_date = build_date_reader((), day_first=False)
    months = {text for text in texts if _PARTIAL_DATE.fullmatch(text.strip())}
    return bool(months) and _are_most(texts, lambda text: text in months or is_date(text) is not None)


def are_digits(texts: Collection[str]) -> bool:
    """Tell whether the texts are digits without any mark: as codes are written, and amounts are not."""
    return all(_DIGITS.fullmatch(text.strip()) for text in texts)


def are_codes(texts: Collection[str]) -> bool:
    """Tell whether the texts look like codes: INV-001, A113, 2025/114, EUR."""
    return _are_most(texts, lambda text: bool(_CODE.fullmatch(text.strip()) or _CAPITALS.fullmatch(text.strip())))


def are_phones(texts: Collection[str]) -> bool:
    return _are_most(texts, lambda text: _PHONE.fullmatch(text.strip()) is not None)


def are_contacts(texts: Collection[str]) -> bool:
    """Tell whether the texts are e-mail or web addresses; some of them may be telephone numbers."""
    contacts = {text for text in texts if len(text) <= _LONGEST_LINK and _CONTACT.fullmatch(text.strip())}
    return bool(contacts) and _are_most(
        texts, lambda text: text in contacts or _PHONE.fullmatch(text.strip()) is not None
    )


def have_letters(texts: Collection[str]) -> bool:
    return any(any(map(str.isalpha, text)) for text in texts)


def count_words(texts: Collection[str]) -> float:
    """Return the mean number of words of a text."""
    return sum(len(text.split()) for text in texts) / len(texts) if texts else 0.0


def find_median_words(texts: Collection[str]) -> float:
    """Return how many words the texts have, half of them more and half of them fewer."""
    return median(len(text.split()) for text in texts) if texts else 0.0


def are_identifiers(texts: Collection[str]) -> bool:
    """Tell whether the texts are words as in code: search_flights, getWeather, go."""
    return _are_most(texts, lambda text: _IDENTIFIER.fullmatch(text.strip()) is not None)


def have_joined_words(texts: Collection[str]) -> bool:
    """Tell whether some text joins words as code does: search_flights, getWeather. A word alone may be any word."""
    return any(_JOINED.search(text) for text in texts)


def have_currencies(texts: Collection[str]) -> bool:
    """Tell whether some number has letters or a currency sign beside it."""
    return any(mark.isalpha() or category(mark) == "Sc" for text in texts for mark in text)


def _is_date(text: str, language: str) -> bool:
    readers = (build_date_reader((), day_first=first, languages=(language,)) for first in (False, True))
    return any(read(text) is not None for read in readers)


def is_number(text: str, decimal: DecimalMark) -> bool:
    """Tell whether a text is a number under a decimal mark."""
    return not _explain(text, decimal)


def _explain(text: str, decimal: DecimalMark) -> str:
    try:
        read_number(text, decimal)
    except Incomparable as why:
        return why.note
    return ""


def _are_most(texts: Collection[str], is_one: Callable[[str], bool]) -> bool:
    return bool(texts) and sum(map(is_one, texts)) >= _LEAST_SHARE * len(texts)
