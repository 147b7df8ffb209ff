"""The `pattern` of a text in a JSON Schema → the numbers that it allows, if it allows nothing else."""

import re
import warnings

_WHOLE = [("123456789" * 2)[:length] for length in range(1, 13)]
_OTHERS = ("", "a", "1a", "a1", "1-1", "1 1", "1.1.1", "1/1", "x" * 8)
_MOST_DECIMALS = 6


def count_pattern_decimals(pattern: str) -> int | None:
    """Return the most decimals of the numbers that a pattern allows; None if it allows other texts or any decimals."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # `[[` may mean something else in a later Python
            search = re.compile(pattern).search
    except (re.error, OverflowError, RecursionError):
        return None
    if any(map(search, _OTHERS)):
        return None
    allowed = [places for places in range(_MOST_DECIMALS + 2) if any(map(search, _list_numbers(places)))]
    return max(allowed) if allowed and max(allowed) <= _MOST_DECIMALS else None


def _list_numbers(places: int) -> list[str]:
    return [f"{whole}.{'5' * places}" if places else whole for whole in _WHOLE]
