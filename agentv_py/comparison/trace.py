"""What a walk saw on its way: the stream that every fold reads."""

from typing import Any

from agentv_py.comparison.comparison import Comparison

Pairings = dict[tuple[int, int, int], tuple[Any, Any, Any, list[tuple[int, int]], set[int]]]
"""By the identity of a field and two lists: these three, and how their rows pair.

A list in a list is looked at for every partner that its parent may have, and then again for the one it gets. The three
are kept so that no other value can have their identity.
"""


class Trace:
    __slots__ = ("alignment", "comparisons", "optional", "pairings", "readings", "unlabelled")

    def __init__(self, pairings: Pairings | None = None) -> None:
        self.comparisons: list[Comparison] = []
        self.unlabelled: list[str] = []
        """Configured paths that expected does not have."""
        self.optional: list[str] = []
        """Fields that are not required and that the candidate left empty."""
        self.readings: dict[str, int] = {}
        """Which of several accepted readings counted, by path."""
        self.alignment: dict[str, list[tuple[int, int, float]]] = {}
        """Expected index, actual index and similarity of each pair of rows, by list."""
        self.pairings: Pairings = {} if pairings is None else pairings

    def absorb(self, other: "Trace") -> None:
        self.comparisons += other.comparisons
        self.unlabelled += other.unlabelled
        self.optional += other.optional
        self.readings |= other.readings
        self.alignment |= other.alignment
