"""Digits with a decimal mark, marks between the thousands and an exponent → the number."""

import re
from decimal import Decimal
from typing import Literal

from agentv_py.comparison.readers.number import Number

Mark = Literal[".", ","]

_OTHER: dict[Mark, Mark] = {".": ",", ",": "."}


def read_digits(text: str, decimal: Mark, *, is_whole: bool) -> Number | None:
    """Return the number under a decimal mark, or None. A whole number has no decimal mark and no exponent."""
    match = _PATTERNS[decimal].fullmatch(text)
    if match is None:
        return None
    groups, whole, part, exponent = match.group("groups", "whole", "part", "exponent")
    if is_whole and (part is not None or exponent):
        return None
    if groups:
        if exponent:  # programs write exponents, and do not group the digits
            return None
        whole = groups.replace(match["mark"] or ",", "")
    return _convert(whole, part, exponent)


def _convert(whole: str, part: str | None, exponent: str | None) -> Number:
    if not part and not exponent:
        return int(whole)
    digits = f"{whole or 0}.{part or 0}{exponent or ''}"
    # A float tells any two decimal numbers of up to 15 digits apart.
    return float(digits) if len(whole) + len(part or "") <= 15 or exponent else Decimal(digits)


def _compile(decimal: Mark) -> re.Pattern[str]:
    """Compile the pattern of a number. Groups are possessive, so that its time is linear."""
    thousands = rf"[1-9][0-9]{{0,2}}(?P<mark>[{_OTHER[decimal]}' ])[0-9]{{3}}(?:(?P=mark)[0-9]{{3}})*+"
    indian = r"[1-9][0-9]?(?:,[0-9]{2})++[0-9]" if decimal == "." else r"(?!)"
    return re.compile(
        rf"(?:(?P<groups>{indian}|{thousands})|(?P<whole>[0-9]*+))"
        rf"(?:[{decimal}٫](?P<part>[0-9]*+))?(?P<exponent>[eE][-+]?[0-9]+)?"
    )


_PATTERNS: dict[Mark, re.Pattern[str]] = {mark: _compile(mark) for mark in _OTHER}
