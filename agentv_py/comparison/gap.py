"""Two values that do not match → how far they are apart, and the value of an option that would let them match."""

import math
from datetime import date
from decimal import ROUND_CEILING, ROUND_HALF_EVEN, Context, Decimal
from typing import NamedTuple

from agentv_py.comparison.readers.number import Number

_EXACT = Context(prec=60)
_SHOWN_DIGITS = 10
_ROUND_UP = Context(prec=_SHOWN_DIGITS, rounding=ROUND_CEILING)
_ROUND = Context(prec=_SHOWN_DIGITS, rounding=ROUND_HALF_EVEN)
_BRIEF = Context(prec=6)
_PERCENT = Context(prec=3)
_LONGEST_PLAIN = 16
_SIMILARITY_DIGITS = 10**4


class Gap(NamedTuple):
    """How far two values are from a match."""

    words: str
    option: str = ""
    """The option that would let them match; empty if no value of it would."""
    limit: float = 0.0
    """The nearest value of the option that lets them match."""
    is_least: bool = False
    """Whether the option must be at least the limit. Otherwise it must be at most the limit."""

    @property
    def remedy(self) -> str:
        """What would let the values match, as a phrase; empty if the option does not help."""
        bound = "at least" if self.is_least else "at most"
        return f"a {self.option} of {bound} {self.limit:.10g}" if self.option else ""


def describe_similarity(similarity: float, threshold: float, word: str = "similarity") -> Gap:
    """Return the gap of two values whose similarity is below a threshold."""
    reached = math.floor(similarity * _SIMILARITY_DIGITS) / _SIMILARITY_DIGITS
    words = f"{word} {reached:.4g}, below {threshold:.10g}"
    return Gap(words, "threshold", reached) if reached else Gap(words)


def describe_difference(expected: Number, actual: Number, *, relative: bool = False, option: str = "") -> Gap:
    """Return the gap of two numbers; `option` is the tolerance that bounds their difference, or its share."""
    difference, size = subtract(expected, actual), abs(_to_decimal(expected))
    share = _EXACT.divide(abs(difference), size) if size else None
    words = f"{write_number(abs(difference))} too {'high' if difference > 0 else 'low'}"
    if share is not None:
        words += f" ({write_number(_PERCENT.multiply(share, Decimal(100)))} %)"
    limit = float(_ROUND_UP.plus(share if relative and share is not None else abs(difference)))
    return Gap(words, option, limit, True) if option and math.isfinite(limit) else Gap(words)


def describe_distance(distance: float, option: str) -> Gap:
    """Return the gap of two points; `option` names the limit that their distance exceeds."""
    limit = float(_ROUND_UP.plus(Decimal(distance)))
    return Gap(f"{limit:.6g} apart", option, limit, True) if math.isfinite(limit) else Gap("infinitely far apart")


def describe_days(expected: date, actual: date) -> Gap:
    """Return the gap of two dates. No option bounds it."""
    days = (actual - expected).days
    return Gap(f"{abs(days):,} {'day' if abs(days) == 1 else 'days'} {'late' if days > 0 else 'early'}")


def subtract(expected: Number, actual: Number) -> Decimal:
    """Return how much higher the actual number is, in decimal as both are written: 1.1 and 1.0 differ by 0.1."""
    return _EXACT.subtract(_to_decimal(actual), _to_decimal(expected))


def write_number(number: Decimal) -> str:
    """Write a number without zeros at its end, and a very long one with an exponent."""
    plain = f"{_ROUND.plus(number).normalize(_ROUND):f}"
    return plain if len(plain) <= _LONGEST_PLAIN else f"{_BRIEF.plus(number).normalize(_BRIEF):g}"


def _to_decimal(number: Number) -> Decimal:
    return Decimal(repr(number)) if isinstance(number, float) else Decimal(number)
