"""Two texts → how alike they are in meaning, as a backend says."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from agentv_py import jsontext
from agentv_py.comparison.matchers.base import Incomparable, Match
from agentv_py.models.backends import AnyBackend, Lexical
from agentv_py.options import Share
from agentv_py.score import SLACK

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix

Texts = tuple[str | None, str | None]


class Semantic(Match):
    """Text of like meaning, as a backend says; how like is also the score."""

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

    def foresee(self, pairs: Iterable[tuple[Any, Any]]) -> Callable[[Any, Any], float]:
        """The similarity of any of these pairs, with all of them asked in one question."""
        known = self._ask((_text(expected), _text(actual)) for expected, actual in pairs)
        return lambda expected, actual: known[as_text(expected), as_text(actual)]

    def models(self) -> Iterator[Any]:
        if self.backend.asks:
            yield self.backend

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        import numpy as np

        left, right = list(map(_text, expecteds)), list(map(_text, actuals))
        known = self._ask((one, other) for one in left for other in right)
        return np.array([[known[one, other] for other in right] for one in left])

    def _ask(self, pairs: Iterable[Texts]) -> dict[Texts, float]:
        """The similarity of each pair, NaN where one side is no text; the backend hears only of those that differ."""
        known: dict[Texts, float] = {pair: math.nan if None in pair else 1.0 for pair in pairs}
        differing = [(left, right) for left, right in known if left is not None and right is not None and left != right]
        if differing:
            known |= zip(differing, self.backend.similarities(differing), strict=True)
        return known


def as_text(value: Any) -> str:
    """Text as it is, anything else as JSON. Raises Incomparable."""
    if isinstance(value, float) and not math.isfinite(value):
        raise Incomparable("not a finite number")
    return value if isinstance(value, str) else jsontext.dumps(value).decode()


def _text(value: Any) -> str | None:
    try:
        return as_text(value)
    except Incomparable:
        return None
