"""A function of the caller's own → a match type."""

from collections.abc import Callable
from typing import Any, Literal

from agentv_py.comparison.matchers.base import Match
from agentv_py.options import Share


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
        found = self.fn(expected, actual)
        # Not only a bool and a float have this, but numpy's as well; a text has not.
        similarity = float(found) if hasattr(found, "__float__") or hasattr(found, "__index__") else -1.0
        if not 0.0 <= similarity <= 1.0:
            raise ValueError(f"{self.fn!r} returned {found!r}; a similarity is a bool or a number from 0 to 1")
        return similarity
