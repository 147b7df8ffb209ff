"""Two names of people or companies → their similarity, whatever the case, accents and legal form."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from agentv_py.comparison.matchers.base import Incomparable, Match
from agentv_py.comparison.matchers.fuzzy import build_scorer, compare_all_texts
from agentv_py.comparison.readers.name import fold_spellings
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
        score = build_scorer("levenshtein")
        return max(
            score(left, right) for left in set(fold_spellings(expected)) for right in set(fold_spellings(actual))
        )

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        """Return the similarities of all pairs. Of the two spellings of an umlaut the more similar one counts."""
        import numpy as np

        similarities: Matrix = np.full((len(expecteds), len(actuals)), np.nan)
        left, right = ([_list_spellings(value) for value in values] for values in (expecteds, actuals))
        for first in {0, 1} if any(a != b for a, b in left) else {0}:
            for second in {0, 1} if any(a != b for a, b in right) else {0}:
                texts, others = [spelling[first] for spelling in left], [spelling[second] for spelling in right]
                similarities = np.fmax(similarities, compare_all_texts(texts, others, "levenshtein"))
        return similarities


def _list_spellings(value: Any) -> tuple[str | None, str | None]:
    return fold_spellings(value) if type(value) is str else (None, None)
