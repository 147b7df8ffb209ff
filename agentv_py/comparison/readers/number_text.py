"""A text that is a number in any spelling → the number."""

import math
import re
from typing import NamedTuple

from agentv_py.comparison.readers.characters import simplify_marks
from agentv_py.comparison.readers.currency import are_currencies, find_codes
from agentv_py.comparison.readers.digits import read_digits
from agentv_py.comparison.readers.number import INFINITE, UNREADABLE, DecimalMark, Number

_AMBIGUOUS = "ambiguous number"
_MARKS: dict[str, DecimalMark] = {".": ".", ",": ","}

# The first digit to the last one, and what is before and after them. Possessive, so that the time is linear.
_PARTS = re.compile(r"([^0-9]*+)([0-9](?:.*[0-9])?)([^0-9]*+)", re.DOTALL)
_BEFORE = re.compile(r"([^-+–(]*+)(\(?)\s*+([-+–]?)([^-+–(]*+)([-+–]?)\s*+")
_AFTER = re.compile(
    r"(?P<no_cents>[.,:/][-–—=]{1,2}+)?(?P<mark>[.,٫])?(?P<percent>\s*+%)?(?P<minus>\s*+-)?"
    r"(?P<inner>[^-)]*+)(?P<closing>\)?)(?P<outer>[^-)]*+)"
)


def read_text(text: str, decimal: DecimalMark) -> Number | str:
    """Return the number of a text, or the note that says why it has none."""
    parts = _PARTS.fullmatch(simplify_marks(text))
    if parts is None:
        return UNREADABLE
    before, digits, after = parts.groups()
    if not before and not after:
        return _read_digits(digits, decimal)
    surroundings = _read_surroundings(before, after)
    if surroundings is None and before.endswith(
        (".", ",", "٫")
    ):  # the dot of `$.50` is a decimal mark, that of `Rs.50` is not
        digits, surroundings = before[-1:] + digits, _read_surroundings(before[:-1], after)
    if surroundings is None:
        return UNREADABLE
    if surroundings.has_ambiguous_dash(digits):
        return _AMBIGUOUS
    is_whole = bool(surroundings.no_cents)
    number = _read_digits(digits + surroundings.mark, decimal, is_whole=is_whole)
    if number == UNREADABLE and surroundings.no_cents in _MARKS:  # the comma of `1.200,-` makes the dot a group mark
        number = _read_digits(digits, _MARKS[surroundings.no_cents], is_whole=is_whole)
    return -number if surroundings.is_negative and not isinstance(number, str) else number


def _read_digits(digits: str, decimal: DecimalMark, *, is_whole: bool = False) -> Number | str:
    if decimal != "auto":
        number = read_digits(digits, decimal, is_whole=is_whole)
        return UNREADABLE if number is None else INFINITE if number == math.inf else number
    readings = {_read_digits(digits, ".", is_whole=is_whole), _read_digits(digits, ",", is_whole=is_whole)}
    readings.discard(UNREADABLE)
    return _AMBIGUOUS if len(readings) > 1 else readings.pop() if readings else UNREADABLE


class _Surroundings(NamedTuple):
    """What is around the digits of a number."""

    sign: str
    currencies: list[str]
    no_cents: str
    """The first character of `,-` or `.--`; empty if the number does not say that it has no cents."""
    mark: str
    has_minus_behind: bool

    @property
    def is_negative(self) -> bool:
        return self.sign not in ("", "+")

    def has_ambiguous_dash(self, digits: str) -> bool:
        """Whether a dash is a minus to some and no digit to others: `CHF -.50` is 0.50, and `¥500-` is 500."""
        if self.has_minus_behind:
            return bool(self.currencies) and "JPY" in find_codes(self.currencies)
        if self.sign not in ("-", "–") or digits[0].isdecimal():
            return False
        return self.sign == "–" or (bool(self.currencies) and "CHF" in find_codes(self.currencies))


def _read_surroundings(before: str, after: str) -> _Surroundings | None:
    """Return what is around the digits, or None if it does not belong to a number."""
    front, back = _BEFORE.fullmatch(before), _AFTER.fullmatch(after)
    if front is None or back is None:
        return None
    outer, opening, sign, inner, second_sign = front.groups()
    no_cents, mark, percent, minus = back.group("no_cents", "mark", "percent", "minus")
    signs = [sign for sign in (opening, sign, second_sign, minus) if sign]
    marks = [text for mark in (outer, inner, percent, *back.group("inner", "outer")) if mark and (text := mark.strip())]
    currencies = [mark for mark in marks if mark != "%"]
    has_too_many = len(signs) > 1 or len(currencies) > 2 or len(marks) > max(1, len(currencies))
    if has_too_many or bool(opening) != bool(back["closing"]) or (minus and (no_cents or mark)):
        return None
    if not are_currencies(currencies):
        return None
    return _Surroundings(signs[0] if signs else "", currencies, (no_cents or "")[:1], mark or "", bool(minus))
