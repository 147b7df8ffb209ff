"""Two texts → the similarity of their meaning, which a backend computes."""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from agentv_py import jsontext
from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.readers.text import compose_text
from agentv_py.models.backends import AnyBackend, Lexical
from agentv_py.options import Share
from agentv_py.score import SLACK

if TYPE_CHECKING:
    from agentv_py.comparison.gap import Gap
    from agentv_py.comparison.matchers.base import Matrix

Texts = tuple[str | None, str | None]


class Semantic(Match):
    """Texts have a similar meaning. A backend computes the similarity, which is also the score."""

    match: Literal["semantic"] = "semantic"
    threshold: Share = Field(0.8, description="The least similarity that passes.")
    backend: AnyBackend = Field(Lexical(), description="Computes how similar two texts are.")

    graded = True

    @property
    def passes_at(self) -> float:
        return self.threshold - SLACK

    def similarity(self, expected: Any, actual: Any) -> float:
        left, right = as_text(expected), as_text(actual)
        return 1.0 if left == right else self.backend.similarities([(left, right)])[0]

    def precompute(self, pairs: Iterable[tuple[Any, Any]]) -> Callable[[Any, Any], float]:
        """Return the similarity as a function of these pairs. The backend gets all of them at once."""
        known = self._ask((_text_or_none(expected), _text_or_none(actual)) for expected, actual in pairs)
        return lambda expected, actual: known[as_text(expected), as_text(actual)]

    def describe_rule(self) -> str:
        return f"similarity ≥ {self.threshold:.10g} of the meaning ({self.backend.type})"

    def explain_gap(self, expected: Any, actual: Any, similarity: float) -> "Gap":  # noqa: ARG002  it is measured already
        from agentv_py.comparison.gap import describe_similarity

        return describe_similarity(similarity, self.threshold)

    def models(self) -> Iterator[Any]:
        if self.backend.uses_model:
            yield self.backend

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        import numpy as np

        left, right = list(map(_text_or_none, expecteds)), list(map(_text_or_none, actuals))
        known = self._ask((text, other) for text in left for other in right)
        return np.array([[known[text, other] for other in right] for text in left])

    def _ask(self, pairs: Iterable[Texts]) -> dict[Texts, float]:
        """Return the similarity of each pair; NaN if one side is no text. The backend gets only texts that differ."""
        known: dict[Texts, float] = {pair: math.nan if None in pair else 1.0 for pair in pairs}
        differing = [(left, right) for left, right in known if left is not None and right is not None and left != right]
        if differing:
            known |= zip(differing, self.backend.similarities(differing), strict=True)
        return known


def as_text(value: Any) -> str:
    """Return a text with composed characters, and any other value as JSON. Raises Incomparable."""
    if isinstance(value, float) and not math.isfinite(value):
        raise Incomparable("not a finite number")
    return compose_text(value) if isinstance(value, str) else jsontext.dumps(_write_numbers_alike(value)).decode()


def _write_numbers_alike(value: Any) -> Any:
    """Return the value with whole numbers as integers: 100 and 100.0 are one number, and so are 0.0 and -0.0."""
    if isinstance(value, dict):
        return {key: _write_numbers_alike(below) for key, below in value.items()}
    if isinstance(value, list):
        return [_write_numbers_alike(below) for below in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _text_or_none(value: Any) -> str | None:
    try:
        return as_text(value)
    except Incomparable:
        return None
