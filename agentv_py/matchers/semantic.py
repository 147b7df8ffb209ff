"""Two texts → how alike they are in meaning, as a backend says."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from agentv_py import jsontext
from agentv_py.backends import AnyBackend, Lexical
from agentv_py.match import Incomparable, Match, Share
from agentv_py.score import SLACK

if TYPE_CHECKING:
    from agentv_py.match import Matrix


class Semantic(Match):
    match: Literal["semantic"] = "semantic"
    threshold: Share = Field(0.8, description="The least similarity that passes.")
    backend: AnyBackend = Field(Lexical(), description="What says how alike two texts are.")

    graded = True
    equal_text_matches = True

    @property
    def passes_at(self) -> float:
        return self.threshold - SLACK

    def similarity(self, expected: Any, actual: Any) -> float:
        left, right = as_text(expected), as_text(actual)
        return 1.0 if left == right else self.backend.similarities([(left, right)])[0]

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        """All pairs in one question."""
        import numpy as np

        found: Matrix = np.full((len(expecteds), len(actuals)), np.nan)
        left, right = _readable(expecteds), _readable(actuals)
        places = [(row, column) for row in left for column in right]
        differing = [(row, column) for row, column in places if left[row] != right[column]]
        asked = self.backend.similarities([(left[row], right[column]) for row, column in differing])
        found[tuple(np.array(places, dtype=int).reshape(-1, 2).T)] = 1.0
        found[tuple(np.array(differing, dtype=int).reshape(-1, 2).T)] = asked
        return found


def as_text(value: Any) -> str:
    """Text as it is, anything else as JSON. Raises Incomparable."""
    if isinstance(value, float) and not math.isfinite(value):
        raise Incomparable("not a finite number")
    return value if isinstance(value, str) else jsontext.dumps(value).decode()


def _readable(values: Sequence[Any]) -> dict[int, str]:
    """The texts by their index, without those that are none."""
    found: dict[int, str] = {}
    for index, value in enumerate(values):
        try:
            found[index] = as_text(value)
        except Incomparable:
            continue
    return found
