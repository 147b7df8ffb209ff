"""A function of the caller's own → a match type."""

from collections.abc import Callable
from typing import Any, Literal

from agentv_py.match import Match, Share


class Custom(Match):
    """A comparator of the caller's own."""

    match: Literal["custom"] = "custom"
    fn: Callable[[Any, Any], Any]
    threshold: Share = 0.8

    graded = True

    @property
    def passes_at(self) -> float:
        return self.threshold

    def similarity(self, expected: Any, actual: Any) -> float:
        found = float(self.fn(expected, actual))
        if not 0.0 <= found <= 1.0:
            raise ValueError(f"{self.fn!r} returned {found!r}; a similarity is a bool or a number from 0 to 1")
        return found
