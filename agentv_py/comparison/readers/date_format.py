"""`DD/MM/YYYY` or `%d/%m/%Y` → the pattern of the dates that it accepts."""

import re
from functools import lru_cache
from typing import NamedTuple

_GLUE = r"(?:(?:at|um|kl\.?|klo|ore|alle)\ )?"
_ZONE = r"(?:\ ?(?:Z|UTC|GMT|[A-Z]{3,4}|[-+][0-9]{2}(?::?[0-9]{2})?))?"
TIME = (
    rf"(?:(?:T|,?\ {_GLUE})(?:[01]?[0-9]|2[0-4])"
    r"(?:[:h]?[0-5][0-9](?::?[0-6][0-9](?:[.,][0-9]+)?)?(?:\ ?(?:[ap]\.?m\.?|uhr))?|\ ?[ap]\.?m\.?)"
    rf"{_ZONE}|(?:Z|[-+][0-9]{{2}}:[0-9]{{2}}))?"
)
"""The time of day and the zone behind a date, if any. Patterns ignore case."""
YEAR, SHORT_YEAR = "(?P<Y>[0-9]{4})", "(?P<y>[0-9]{2})"
MONTH, DAY = "(?P<M>[0-9]{1,2})", "(?P<D>[0-9]{1,2})"
_NAME = r"(?P<B>[^0-9:;+()/]{1,30}?)\.?"
_WEEKDAY = r"[^\W0-9_]+"

_TOKENS = {
    "YYYY": YEAR, "yyyy": YEAR, "%Y": YEAR, "YY": SHORT_YEAR, "yy": SHORT_YEAR, "%y": SHORT_YEAR,
    "MMMM": _NAME, "MMM": _NAME, "%B": _NAME, "%b": _NAME, "%h": _NAME,
    "MM": MONTH, "M": MONTH, "%m": MONTH, "%-m": MONTH,
    "DD": DAY, "D": DAY, "dd": DAY, "d": DAY, "%d": DAY, "%e": DAY, "%-d": DAY,
    "HH": "[0-9]{2}", "H": "[0-9]{1,2}", "hh": "[0-9]{2}", "h": "[0-9]{1,2}", "%H": "[0-9]{1,2}", "%I": "[0-9]{1,2}",
    "mm": "[0-9]{2}", "ss": "[0-9]{2}", "%M": "[0-9]{1,2}", "%S": "[0-9]{1,2}", "SSS": "[0-9]+", "%f": "[0-9]+",
    "A": "[AP]M", "a": "[ap]m", "%p": "[AaPp][Mm]", "%A": _WEEKDAY, "%a": _WEEKDAY,
    "Z": "(?:Z|[-+][0-9]{2}:?[0-9]{2})", "%z": "(?:Z|[-+][0-9]{2}:?[0-9]{2})", "%Z": "[A-Za-z]+", "T": "T", "%%": "%",
}  # fmt: skip
_TOKEN = "|".join(sorted(map(re.escape, _TOKENS), key=len, reverse=True))
_QUOTED = "'([^']+)'"
_TWO_DIGITS = {MONTH: "(?P<M>[0-9]{2})", DAY: "(?P<D>[0-9]{2})"}


class DateFormat(NamedTuple):
    pattern: re.Pattern[str]


@lru_cache(maxsize=256)
def compile_format(spelling: str) -> DateFormat:
    """Return the pattern of a format. Raises ValueError if the format cannot name a day."""
    try:
        compiled = re.compile(_build_pattern(spelling) + TIME, re.IGNORECASE)
    except re.error:
        raise ValueError(f"date format {spelling!r} names a part of the date twice") from None
    for names, part in (("Yy", "year"), ("MB", "month"), ("D", "day")):
        if not set(names) & set(compiled.groupindex):
            raise ValueError(f"date format {spelling!r} has no {part}; the year is YYYY, the month MM, the day DD")
    return DateFormat(compiled)


def _build_pattern(spelling: str) -> str:
    tokens, quoted = re.compile(_TOKEN), re.compile(_QUOTED)
    pattern, position = "", 0
    while position < len(spelling):
        if token := tokens.match(spelling, position):
            position = token.end()
            is_followed = position < len(spelling) and tokens.match(spelling, position)  # digits without a separator
            piece = _TOKENS[token[0]]
            pattern += _TWO_DIGITS.get(piece, piece) if is_followed and len(token[0]) == 2 else piece
        elif literal := quoted.match(spelling, position):
            position = literal.end()
            pattern += re.escape(literal[1])
        else:
            char = spelling[position]
            if char == "%" or (char.isascii() and char.isalpha()):
                raise ValueError(f"unknown date token at {spelling[position:]!r} in {spelling!r}")
            pattern += re.escape(char)
            position += 1
    return pattern
