"""Two texts → their normalised similarity."""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from agentv_py.match import Incomparable, Match, Share
from agentv_py.score import SLACK

if TYPE_CHECKING:
    from agentv_py.match import Matrix

# Two texts of a hundred thousand letters take seconds to compare in full.
_LONG = 10**9

Algorithm = Literal["levenshtein", "jaro_winkler", "token_set"]


class Fuzzy(Match):
    """Text that is alike enough; how alike is also the score."""

    match: Literal["fuzzy"] = "fuzzy"
    threshold: Share = Field(0.85, description="The least similarity that passes.")
    algorithm: Algorithm = "levenshtein"
    case_sensitive: bool = False

    graded = True
    equal_text_matches = True

    @property
    def passes_at(self) -> float:
        return self.threshold - SLACK

    def similarity(self, expected: Any, actual: Any) -> float:
        if type(expected) is not str or type(actual) is not str:
            raise Incomparable("type mismatch")
        left, right = expected.strip(), actual.strip()
        if not self.case_sensitive:
            left, right = left.casefold(), right.casefold()
        if len(left) * len(right) > _LONG:
            return text_scorer(self.algorithm, self.threshold)(left, right)
        return self._scorer(left, right)

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        return text_matrix([self._text(one) for one in expecteds], [self._text(one) for one in actuals], self.algorithm)

    def _text(self, value: Any) -> str | None:
        if type(value) is not str:
            return None
        return value.strip() if self.case_sensitive else value.strip().casefold()

    @cached_property
    def _scorer(self) -> Callable[[str, str], float]:
        return text_scorer(self.algorithm)


def text_scorer(algorithm: Algorithm, cutoff: float = 0.0) -> Callable[[str, str], float]:
    """The similarity of two texts; below the cutoff it is 0, and found sooner."""
    scorer, most = _scorer(algorithm)
    if most == 1.0 and not cutoff:
        return scorer  # type: ignore[no-any-return]
    return lambda expected, actual: scorer(expected, actual, score_cutoff=cutoff * most) / most


def text_matrix(expecteds: Sequence[str | None], actuals: Sequence[str | None], algorithm: Algorithm) -> "Matrix":
    """The similarities of all pairs of texts, NaN where one is none."""
    import numpy as np
    from rapidfuzz.process import cdist

    scorer, most = _scorer(algorithm)
    found: Matrix = cdist(expecteds, actuals, scorer=scorer, dtype=np.float64)
    found /= most
    found[[one is None for one in expecteds], :] = np.nan
    found[:, [one is None for one in actuals]] = np.nan
    return found


def _scorer(algorithm: Algorithm) -> tuple[Any, float]:
    """rapidfuzz's function, and what it says of equal texts."""
    from rapidfuzz import distance, fuzz

    if algorithm == "levenshtein":
        return distance.Levenshtein.normalized_similarity, 1.0
    if algorithm == "jaro_winkler":
        return distance.JaroWinkler.normalized_similarity, 1.0
    return fuzz.token_set_ratio, 100.0
