"""An evaluator's result → its misses, each with the mismatch that the evaluator stored for it."""

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping
from typing import Any, NamedTuple

from agentv_py.comparison.mismatch import miss_text

Mismatch = Mapping[str, Any]

_NUMBERS = frozenset({int, float})

UNREADABLE: Mismatch = {"path": "candidate", "outcome": "mismatch", "note": "not valid JSON"}
"""Every evaluator that needs structure has this miss for a candidate without JSON, and stores no mismatch for it."""


class Miss(NamedTuple):
    path: str
    """The stored path. Where none is stored, such as for a judge's own words, this is the whole text of the miss."""
    mismatch: Mismatch
    """Empty where none is stored."""

    @property
    def note(self) -> str:
        note: str = self.mismatch.get("note", "")
        return note


def read_misses(result: Mapping[str, Any], paths: Container[str] = ()) -> Iterator[Miss]:
    """Read every miss of a result.

    A result stores a limited number of mismatches. For a miss beyond them, `paths` are the paths that it can have.
    """
    by_text, by_path = defaultdict[str, list[Mismatch]](list), dict[str, Mismatch]()
    for mismatch in reversed(read_mismatches(result)):
        by_text[miss_text(mismatch["path"], mismatch.get("note", ""))].append(mismatch)
        by_path[mismatch["path"]] = mismatch
    for text in map(str, result["misses"]):
        if by_text.get(text):
            mismatch = by_text[text].pop()  # equal texts keep the order in which they are stored
            yield Miss(mismatch["path"], mismatch)
        elif text in by_path:  # a judge may store a note that its miss does not repeat
            yield Miss(text, by_path[text])
        elif text == miss_text(UNREADABLE["path"], UNREADABLE["note"]):
            yield Miss(UNREADABLE["path"], UNREADABLE)
        else:
            yield Miss(_find_path(text, paths), {})


def read_mismatches(result: Mapping[str, Any]) -> list[Mismatch]:
    """Read the mismatches that have our shape; a judge may store anything under this name."""
    mismatches = (result.get("details") or {}).get("mismatches")
    if not isinstance(mismatches, list):
        return []
    return [each for each in mismatches if isinstance(each, dict) and _has_our_shape(each)]


def _has_our_shape(mismatch: Mismatch) -> bool:
    # One by one, because this is asked for every wrong value of every case.
    return (
        isinstance(mismatch.get("path"), str)
        and isinstance(mismatch.get("outcome", ""), str)
        and isinstance(mismatch.get("note", ""), str)
        and ((similarity := mismatch.get("similarity")) is None or type(similarity) in _NUMBERS)
    )


def _find_path(text: str, paths: Container[str]) -> str:
    """Return the longest path for which this text can be a miss, else the text itself."""
    end = len(text)
    while end > 0:
        if text[:end] in paths:
            return text[:end]
        end = text.rfind(" (", 0, end)
    return text
