"""Two names of people or companies → how alike they are, beyond how they are written."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from agentv_py.comparison.matchers.base import Incomparable, Match
from agentv_py.comparison.matchers.fuzzy import text_matrix, text_scorer
from agentv_py.comparison.readers.name import spellings
from agentv_py.options import Share
from agentv_py.score import SLACK

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix


class Name(Match):
    """The same person or company, whatever the case, punctuation, accents and legal form."""

    match: Literal["name"] = "name"
    threshold: Share = Field(0.9, description="The least similarity that passes.")

    equal_text_matches = True

    @property
    def passes_at(self) -> float:
        return self.threshold - SLACK

    def similarity(self, expected: Any, actual: Any) -> float:
        if type(expected) is not str or type(actual) is not str:
            raise Incomparable("type mismatch")
        near = text_scorer("levenshtein")
        return max(near(left, right) for left in set(spellings(expected)) for right in set(spellings(actual)))

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        """A name with an umlaut has two spellings; the nearer one counts."""
        import numpy as np

        found: Matrix = np.full((len(expecteds), len(actuals)), np.nan)
        left, right = ([_both(value) for value in values] for values in (expecteds, actuals))
        for one in {0, 1} if any(a != b for a, b in left) else {0}:
            for other in {0, 1} if any(a != b for a, b in right) else {0}:
                near = text_matrix([pair[one] for pair in left], [pair[other] for pair in right], "levenshtein")
                found = np.fmax(found, near)
        return found


def _both(value: Any) -> tuple[str | None, str | None]:
    return spellings(value) if type(value) is str else (None, None)
