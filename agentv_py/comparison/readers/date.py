"""A date in one of many spellings → its calendar day."""

import re
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sep(?:t(?:ember)?)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\ )?"
_ZONE = r"(?:\ ?(?:Z|UTC|GMT|[A-Z]{3,4}|[-+][0-9]{2}(?::?[0-9]{2})?))?"
_TIME = (
    r"(?:(?:T|,?\ )(?:[01]?[0-9]|2[0-4])"
    r"(?::?[0-5][0-9](?::?[0-6][0-9](?:[.,][0-9]+)?)?(?:\ ?[ap]\.?m\.?)?|\ ?[ap]\.?m\.?)"
    rf"{_ZONE}|(?:Z|[-+][0-9]{{2}}:[0-9]{{2}}))?"
)
_LONGEST = 100
_Y, _M, _D, _NAME = "(?P<Y>[0-9]{4})", "(?P<M>[0-9]{1,2})", "(?P<D>[0-9]{1,2})", rf"(?P<B>{_MONTH})"

_SPELLINGS = (
    rf"{_Y}(?P<sep>[-/.]){_M}(?P=sep){_D}",
    "(?P<Y>[0-9]{4})(?P<M>[0-9]{2})(?P<D>[0-9]{2})",
    rf"{_WEEKDAY}{_D}(?:st|nd|rd|th)?[-/.\ ]{{0,2}}{_NAME}[-/.,\ ]{{0,2}}{_Y}",
    rf"{_WEEKDAY}{_NAME}[-.\ ]{{0,2}}{_D}(?:st|nd|rd|th)?[-,\ ]{{1,2}}{_Y}",
    rf"{_D}\.\ ?{_M}\.\ ?{_Y}",
    rf"(?P<first>[0-9]{{1,2}})(?P<sep>[-/])(?P<second>[0-9]{{1,2}})(?P=sep){_Y}",
    "(?P<Y>[0-9]{4})-?W(?P<week>[0-9]{2})-?(?P<weekday>[1-7])",
    "(?P<Y>[0-9]{4})-(?P<yearday>[0-9]{3})",
)

_TOKENS = {
    "YYYY": _Y, "yyyy": _Y, "%Y": _Y,
    "YY": "(?P<y>[0-9]{2})", "yy": "(?P<y>[0-9]{2})", "%y": "(?P<y>[0-9]{2})",
    "MMMM": _NAME, "MMM": _NAME, "%B": _NAME, "%b": _NAME, "%h": _NAME,
    "MM": _M, "M": _M, "%m": _M, "%-m": _M,
    "DD": _D, "D": _D, "dd": _D, "d": _D, "%d": _D, "%e": _D, "%-d": _D,
    "HH": "[0-9]{2}", "H": "[0-9]{1,2}", "hh": "[0-9]{2}", "h": "[0-9]{1,2}", "%H": "[0-9]{1,2}", "%I": "[0-9]{1,2}",
    "mm": "[0-9]{2}", "ss": "[0-9]{2}", "%M": "[0-9]{1,2}", "%S": "[0-9]{1,2}", "SSS": "[0-9]+", "%f": "[0-9]+",
    "A": "[AP]M", "a": "[ap]m", "%p": "[AaPp][Mm]", "%A": "[A-Za-z]+", "%a": "[A-Za-z]+",
    "Z": "(?:Z|[-+][0-9]{2}:?[0-9]{2})", "%z": "(?:Z|[-+][0-9]{2}:?[0-9]{2})", "%Z": "[A-Za-z]+", "T": "T", "%%": "%",
}  # fmt: skip
_TOKEN = "|".join(sorted(map(re.escape, _TOKENS), key=len, reverse=True))
_TWO_DIGITS = {_M: "(?P<M>[0-9]{2})", _D: "(?P<D>[0-9]{2})"}


class DateFormat(NamedTuple):
    pattern: re.Pattern[str]


def read_date(value: Any, formats: tuple[DateFormat, ...] = (), *, day_first: bool = False) -> date | None:
    """Return the calendar day of a value; None if it is no date in one of the formats (default: any known spelling)."""
    return build_date_reader(formats, day_first=day_first)(value)


@lru_cache(maxsize=256)
def build_date_reader(formats: tuple[DateFormat, ...], *, day_first: bool) -> Callable[[Any], date | None]:
    """Return `read_date` as a function of the value alone."""
    # A closure with its own cache, because the same few dates come back in every case under the same options.

    @lru_cache(maxsize=4096)
    def read_text(text: str) -> date | None:
        return _read_text(" ".join(text.split()), formats, day_first=day_first)

    def read(value: Any) -> date | None:
        if type(value) is int and 10_000_101 <= value <= 99_991_231:  # YAML reads an unquoted 20250115 as a number
            value = str(value)
        return read_text(value) if type(value) is str and len(value) <= _LONGEST else None

    return read


@lru_cache(maxsize=256)
def compile_format(spelling: str) -> DateFormat:
    """Return the pattern of `DD/MM/YYYY` or `%d/%m/%Y`. Raises ValueError if the format cannot name a day."""
    tokens = re.compile(_TOKEN)
    pattern, position = "", 0
    while position < len(spelling):
        token = tokens.match(spelling, position)
        if token:
            piece = _TOKENS[token[0]]
            position = token.end()
            is_followed = position < len(spelling) and tokens.match(spelling, position)  # digits without a separator
            pattern += _TWO_DIGITS.get(piece, piece) if is_followed and len(token[0]) == 2 else piece
        elif spelling[position].isalpha() or spelling[position] == "%":
            raise ValueError(f"unknown date token at {spelling[position:]!r} in {spelling!r}")
        else:
            pattern += re.escape(spelling[position])
            position += 1
    try:
        compiled = re.compile(pattern + _TIME, re.IGNORECASE)
    except re.error:
        raise ValueError(f"date format {spelling!r} names a part of the date twice") from None
    for names, part in (("Yy", "year"), ("MB", "month"), ("D", "day")):
        if not set(names) & set(compiled.groupindex):
            raise ValueError(f"date format {spelling!r} has no {part}; the year is YYYY, the month MM, the day DD")
    return DateFormat(compiled)


def _read_text(text: str, formats: tuple[DateFormat, ...], *, day_first: bool) -> date | None:
    for pattern in (form.pattern for form in formats) if formats else map(_compile_spelling, _SPELLINGS):
        match = pattern.fullmatch(text)
        if match:
            day = _build_day(match.groupdict(), day_first)
            if day is not None or not formats:
                return day
    return None


@lru_cache(maxsize=len(_SPELLINGS))
def _compile_spelling(spelling: str) -> re.Pattern[str]:
    return re.compile(spelling + _TIME, re.IGNORECASE)


def _build_day(parts: dict[str, str | None], day_first: bool) -> date | None:
    year = int(parts.get("Y") or _expand_year(int(parts.get("y") or 0)))
    try:
        if week := parts.get("week"):
            return date.fromisocalendar(year, int(week), int(parts["weekday"] or 0))
        if yearday := parts.get("yearday"):
            day = date.fromordinal(date(year, 1, 1).toordinal() + int(yearday) - 1)
            return day if day.year == year and int(yearday) else None
        if first := parts.get("first"):
            return _build_in_order(year, int(first), int(parts["second"] or 0), day_first)
        if name := parts.get("B"):
            return date(year, _MONTHS.index(name[:3].lower()) + 1, int(parts["D"] or 0))
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
