"""A date in one of many spellings → its calendar day."""

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from functools import lru_cache
from typing import Any

from agentv_py.comparison.readers.date_format import DAY, MONTH, SHORT_YEAR, TIME, YEAR, DateFormat

ENGLISH = ("en",)
_LONGEST = 100
_DIGITS = frozenset("0123456789")
_ANY_YEAR = f"(?:{YEAR}|'?{SHORT_YEAR})"
_KANJI_WEEKDAY = r"(?:\ ?\(?(?:[月火水木金土日](?:曜日?)?|(?:星期|周|週)[一二三四五六日天])\)?)?"
_HANGUL_WEEKDAY = r"(?:\ ?\(?[월화수목금토일](?:요일)?\)?)?"
_NUMBER_SPELLINGS = (
    rf"{YEAR}(?P<sep>[-/.]){MONTH}(?P=sep){DAY}",
    "(?P<Y>[0-9]{4})(?P<M>[0-9]{2})(?P<D>[0-9]{2})",
    rf"{DAY}\.\ ?{MONTH}\.\ ?{_ANY_YEAR}(?:\ ?[rгр]?\.|\ [rгр])?",
    rf"(?P<first>[0-9]{{1,2}})(?P<sep>\ ?[-/]\ ?)(?P<second>[0-9]{{1,2}})(?P=sep){_ANY_YEAR}",
    rf"{YEAR}(?P<sep>\.\ ?|\ [-/]\ ){MONTH}(?P=sep){DAY}\.?",
    rf"{YEAR}\ ?年\ ?{MONTH}\ ?月\ ?{DAY}\ ?[日号號]{_KANJI_WEEKDAY}",
    rf"{YEAR}\ ?년\ ?{MONTH}\ ?월\ ?{DAY}\ ?일{_HANGUL_WEEKDAY}",
    "(?P<Y>[0-9]{4})-?W(?P<week>[0-9]{2})-?(?P<weekday>[1-7])",
    "(?P<Y>[0-9]{4})-(?P<yearday>[0-9]{3})",
)


_Parts = dict[str, str | None]
_AMBIGUOUS = "ambiguous"


def read_date(
    value: Any, formats: tuple[DateFormat, ...] = (), *, day_first: bool = False, languages: tuple[str, ...] = ENGLISH
) -> date | None:
    """Return the calendar day of a value; None if it is no date in one of the formats (default: any known spelling)."""
    return build_date_reader(formats, day_first=day_first, languages=languages)(value)


@lru_cache(maxsize=256)
def build_date_reader(
    formats: tuple[DateFormat, ...], *, day_first: bool, languages: tuple[str, ...] = ENGLISH
) -> Callable[[Any], date | None]:
    """Return `read_date` as a function of the value alone."""
    # A closure with its own cache, because the same few dates come back in every case under the same options.

    @lru_cache(maxsize=4096)
    def read_text(text: str) -> date | None:
        if not formats and len(text) == 10 and text[4] == "-":
            with suppress(ValueError):  # most dates are 2025-01-15
                return date.fromisoformat(text)
        text = _clean(text)
        if formats:
            return _read_formats(text, formats, languages)
        parts = _match_numbers(text) or _build_name_matcher(languages)(text)
        return None if parts is None else _build_day(parts, day_first=day_first)

    def read(value: Any) -> date | None:
        if type(value) is int and 10_000_101 <= value <= 99_991_231:  # YAML reads an unquoted 20250115 as a number
            value = str(value)
        return read_text(value) if type(value) is str and len(value) <= _LONGEST else None

    return read


def is_ambiguous_date(value: Any, languages: tuple[str, ...]) -> bool:
    """Return whether a value is a date whose month has a name that means different months in these languages."""
    if type(value) is not str or len(value) > _LONGEST:
        return False
    parts = _build_name_matcher(languages)(_clean(value))
    return parts is not None and parts.get("M") == _AMBIGUOUS


def _clean(text: str) -> str:
    text = " ".join(text.split())
    if text.isascii():
        return text
    from agentv_py.comparison.readers.characters import simplify_marks

    return simplify_marks(text).replace("–", "-").replace("—", "-")


def _match_numbers(text: str) -> _Parts | None:
    if text[:1] not in _DIGITS:
        return None
    for pattern in _compile_spellings():
        match = pattern.fullmatch(text)
        if match:
            return match.groupdict()
    return None


@lru_cache(maxsize=1)
def _compile_spellings() -> list[re.Pattern[str]]:
    return [re.compile(spelling + TIME, re.IGNORECASE) for spelling in _NUMBER_SPELLINGS]


@lru_cache(maxsize=64)
def _build_name_matcher(languages: tuple[str, ...]) -> Callable[[str], _Parts | None]:
    # Most runs meet no month by its name: they do not load the names.
    from agentv_py.comparison.readers.date_names import load_date_names
    from agentv_py.comparison.readers.date_words import read_named_date, trim_date
    from agentv_py.comparison.readers.letters import fold_letters

    names = load_date_names(languages)

    def match_names(text: str) -> _Parts | None:
        """Return the parts of a date with the name of its month, or of a date in numbers with its weekday."""
        folded = fold_letters(text)
        named = read_named_date(folded, names)
        if named is None:
            core = trim_date(folded, names)
            if core is None:
                return None
            if parts := _match_numbers(core):
                return parts
            named = read_named_date(core, names)
        if named is None:
            return None
        year, month, day = named
        return {"Y" if len(year) == 4 else "y": year, "M": str(month or _AMBIGUOUS), "D": day}

    return match_names


def _read_formats(text: str, formats: tuple[DateFormat, ...], languages: tuple[str, ...]) -> date | None:
    for pattern in (form.pattern for form in formats):
        match = pattern.fullmatch(text)
        if match:
            parts = match.groupdict()
            if name := parts.get("B"):
                parts["M"] = str(_find_month(name, languages))
            day = _build_day(parts, day_first=False)
            if day is not None:
                return day
    return None


def _find_month(name: str, languages: tuple[str, ...]) -> int:
    from agentv_py.comparison.readers.date_names import load_date_names
    from agentv_py.comparison.readers.date_words import split_words
    from agentv_py.comparison.readers.letters import fold_letters

    return load_date_names(languages).months.get(" ".join(split_words(fold_letters(name))), 0)


def _build_day(parts: _Parts, *, day_first: bool) -> date | None:
    year = int(parts.get("Y") or _expand_year(int(parts.get("y") or 0)))
    try:
        if week := parts.get("week"):
            return date.fromisocalendar(year, int(week), int(parts["weekday"] or 0))
        if yearday := parts.get("yearday"):
            day = date.fromordinal(date(year, 1, 1).toordinal() + int(yearday) - 1)
            return day if day.year == year and int(yearday) else None
        if first := parts.get("first"):
            return _build_in_order(year, int(first), int(parts["second"] or 0), day_first)
        return date(year, int(parts["M"] or 0), int(parts["D"] or 0))
    except (ValueError, OverflowError):  # 30 February
        return None


def _build_in_order(year: int, first: int, second: int, day_first: bool) -> date:
    month, day = (second, first) if day_first else (first, second)
    if month > 12 >= day:
        month, day = day, month
    return date(year, month, day)


def _expand_year(two_digits: int) -> int:
    return two_digits + (2000 if two_digits < 69 else 1900)
