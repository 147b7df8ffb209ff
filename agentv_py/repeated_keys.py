"""JSON text → the key that one of its objects holds twice."""

import json
from collections import Counter
from typing import Any


def find_repeated_key(text: str) -> str | None:
    """The first such key of a text that is known to be JSON."""
    try:
        # Python reads no number of more than some thousand digits, and here their values do not matter.
        json.JSONDecoder(object_pairs_hook=_build, parse_int=str).decode(text)
    except _Repeated as repeated:
        return repeated.key
    return None


class _Repeated(Exception):  # noqa: N818  it ends the search, and is no error
    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


def _build(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise _Repeated(next(key for key, times in Counter(key for key, _ in pairs).items() if times > 1))
    return found
