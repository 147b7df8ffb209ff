"""What a walk records: the comparisons and findings from which scores, counts and details are made."""

from typing import Any

from agentv_py.comparison.comparison import Comparison

KnownPairs = tuple[list[tuple[int, int]], set[int]]
"""The pairs of two lists' rows, and the expected rows that match fully."""
Pairings = dict[tuple[int, int, int], tuple[Any, Any, Any, KnownPairs]]
"""The ids of a field and two lists → these three objects, and the pairs.

A list in a list is compared with every partner that its parent may get, and then again with the one it gets. The three
objects are kept so that no other object can get one of their ids.
"""

# A case keeps this many pairings, which take some ten megabytes; further ones are computed anew.
_MOST_PAIRINGS = 100_000


class Trace:
    __slots__ = ("alignment", "by_leaves", "comparisons", "optional", "pairings", "readings")

    def __init__(self, pairings: Pairings | None = None, *, by_leaves: bool = False) -> None:
        self.by_leaves = by_leaves
        """Whether the measure of an object or a list sums up its leaves. Otherwise it is a mean."""
        self.comparisons: list[Comparison] = []
        self.optional: list[str] = []
        """Fields that are not required and that the candidate leaves empty."""
        self.readings: dict[str, int] = {}
        """The path of a field with several accepted readings → the index of the reading that counts."""
        self.alignment: dict[str, list[tuple[int, int, float]]] = {}
        """The path of a list → expected index, actual index and similarity of each pair of rows."""
        self.pairings: Pairings = {} if pairings is None else pairings

    def absorb(self, other: "Trace") -> None:
        self.comparisons += other.comparisons
        self.optional += other.optional
        self.readings |= other.readings
        self.alignment |= other.alignment

    def recall_pairs(self, field: Any, expected: list[Any], actual: list[Any]) -> KnownPairs | None:
        known = self.pairings.get((id(field), id(expected), id(actual)))
        return None if known is None else known[3]

    def remember_pairs(self, field: Any, expected: list[Any], actual: list[Any], pairs: KnownPairs) -> None:
        if len(self.pairings) < _MOST_PAIRINGS:
            self.pairings[id(field), id(expected), id(actual)] = field, expected, actual, pairs
