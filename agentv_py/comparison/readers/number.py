"""A JSON number, or a text that is a number in any spelling → the number."""

import math
from collections.abc import Sequence
from decimal import Decimal
from functools import lru_cache
from typing import Any, Literal

from agentv_py.comparison.comparison import Incomparable

Number = int | float | Decimal
DecimalMark = Literal[".", ",", "auto"]

INFINITE = "not a finite number"
UNREADABLE = "not a number"
# No person and no float writes a longer number. Neither the patterns nor the cache get a longer text.
_LONGEST = 400


def read_number(value: Any, decimal: DecimalMark = ".", strip: Sequence[str] = ()) -> Number:
    """Return the number that a value is, or that its text spells without the marks to strip. Raises Incomparable."""
    kind = type(value)
    if kind is int:
        return value  # type: ignore[no-any-return]
    if kind is float:
        if math.isfinite(value):
            return value  # type: ignore[no-any-return]
        raise Incomparable(INFINITE)
    if kind is str:
        for mark in strip:
            value = value.replace(mark, "")
        number = _read_text(value, decimal) if len(value) <= _LONGEST else UNREADABLE
        if type(number) is str:
            raise Incomparable(number)
        return number  # type: ignore[return-value]  # not a text
    # A bool is an int in Python but not in JSON; a NonFinite is a float whose number is too large.
    raise Incomparable(INFINITE if isinstance(value, float) else UNREADABLE)


@lru_cache(maxsize=4096)
def _read_text(text: str, decimal: DecimalMark) -> Number | str:
    """Return the number of a text, or the note that says why it has none."""
    from agentv_py.comparison.readers.number_text import read_text  # many suites have JSON numbers only

    return read_text(text, decimal)
