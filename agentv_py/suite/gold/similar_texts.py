"""Long texts of many cases → pairs of texts that are nearly the same, by sketches of their words."""

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import islice, pairwise
from operator import methodcaller
from typing import Any
from zlib import crc32

from agentv_py.suite.gold.field import Leaf

_LEAST_WORDS = 20
_MOST_WORDS = 300
"""So many words of a text count, so that the time does not depend on its length."""
_SKETCH = 32
_BANDS = 4
_LEAST_SHARE = 0.9
_MOST_OTHERS = 8
"""A text is compared with so many others that share a band: boilerplate at the start of all texts costs no more."""


class TextSketches:
    """Keeps the smallest hashes of each text's pairs of words. Similar texts have most of these in common."""

    def __init__(self) -> None:
        self._sketches: dict[int, tuple[int, ...]] = {}

    def observe(self, case: int, given: Any, leaves: Sequence[Leaf]) -> None:
        text = _find_longest(given) or max((value for _, value, _ in leaves if type(value) is str), key=len, default="")
        if len(text) < 2 * _LEAST_WORDS:
            return
        words = text.split(None, _MOST_WORDS)[:_MOST_WORDS]
        if len(words) >= _LEAST_WORDS:
            # Python's hash of a text differs from run to run; that of numbers does not. All of this loops in C.
            numbers = map(crc32, map(methodcaller("encode", "utf-8", "replace"), words))
            pairs = set(map(hash, pairwise(numbers)))
            self._sketches[case] = tuple(sorted(pairs)[:_SKETCH])

    def find_pairs(self, taken: AbstractSet[int]) -> Iterator[tuple[int, int]]:
        """Yield each text with an earlier one that is nearly the same; the texts of `taken` cases are left out."""
        bands: dict[tuple[int, int], list[int]] = {}
        for case, sketch in self._sketches.items():
            if case in taken:
                continue
            seen: set[int] = set()
            for band in islice(pairwise(sketch), _BANDS):
                others = bands.setdefault(band, [])
                seen.update(others)
                if len(others) < _MOST_OTHERS:
                    others.append(case)
            near = next(
                (other for other in sorted(seen) if _share(self._sketches[other], sketch) >= _LEAST_SHARE), None
            )
            if near is not None:
                yield near, case


def _share(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """Estimate which share of their pairs of words two texts have in common."""
    smallest = sorted({*one, *other})[:_SKETCH]
    common = set(one) & set(other)
    return sum(hashed in common for hashed in smallest) / len(smallest)


def _find_longest(value: Any) -> str:
    """Return the longest text in an input."""
    if type(value) is str:
        return value
    below = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return max(map(_find_longest, below), key=len, default="")
