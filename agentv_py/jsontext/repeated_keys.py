"""JSON text → the key that one of its objects holds twice."""

import json
from collections import Counter
from typing import Any

import orjson


def may_repeat_keys(text: bytes, value: Any) -> bool:
    """Whether the text has quotes that its value lacks, as those of a repeated key, or spells a quote in digits."""
    try:
        again = orjson.dumps(value, default=lambda _: None)
    except TypeError:
        return True
    return differs_in_quotes(text, again)


def differs_in_quotes(text: bytes, again: bytes) -> bool:
    """Whether a text has other quotes than its value written again, or spells a quote in digits."""
    return again.count(b'"') != text.count(b'"') or (b"\\" in text and b"\\u0022" in text)


def find_repeated_key(text: str) -> str | None:
    """Return the first repeated key of a text that is known to be JSON."""
    try:
        # Python reads no number of more than some thousand digits, and here their values do not matter.
        json.JSONDecoder(object_pairs_hook=_check_pairs, parse_int=str).decode(text)
    except _RepeatedKey as repetition:
        return repetition.key
    return None


class _RepeatedKey(Exception):  # noqa: N818  it ends the search, and is no error
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _check_pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise _RepeatedKey(next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1))
    return value
