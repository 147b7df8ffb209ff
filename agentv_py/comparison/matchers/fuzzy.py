"""Two texts → their normalised similarity."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from agentv_py.comparison.matchers.base import Incomparable, Match
from agentv_py.comparison.readers.passages import Landmarks, cut_at_landmarks, cut_into_blocks, find_landmarks
from agentv_py.options import Share
from agentv_py.score import SLACK

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix

# Texts are long where their lengths multiply to more: 31,622 letters each, which take a tenth of a second in full.
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
            return _compare_long(left, right, self.algorithm)
        return self._scorer(left, right)

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        return text_matrix([self._text(one) for one in expecteds], [self._text(one) for one in actuals], self.algorithm)

    def _text(self, value: Any) -> str | None:
        if type(value) is not str:
            return None
        return value.strip() if self.case_sensitive else value.strip().casefold()

    @cached_property
    def _scorer(self) -> Callable[[str, str], float]:
        return _short_scorer(self.algorithm)


def text_scorer(
    algorithm: Algorithm, landmarks: Callable[[str], Landmarks] = find_landmarks
) -> Callable[[str, str], float]:
    """What gives the similarity of two texts. It raises Incomparable where these are too long."""
    score = _short_scorer(algorithm)

    def score_any(expected: str, actual: str) -> float:
        if len(expected) * len(actual) > _LONG:
            return _compare_long(expected, actual, algorithm, landmarks)
        return score(expected, actual)

    return score_any


def text_matrix(expecteds: Sequence[str | None], actuals: Sequence[str | None], algorithm: Algorithm) -> "Matrix":
    """The similarities of all pairs of texts, NaN where one is none, or where both are too long."""
    import numpy as np
    from rapidfuzz.process import cdist

    scorer, most = _scorer(algorithm)
    if _longest(expecteds) * _longest(actuals) > _LONG:
        return _long_matrix(expecteds, actuals, algorithm)
    found: Matrix = cdist(expecteds, actuals, scorer=scorer, dtype=np.float64)
    found /= most
    found[[one is None for one in expecteds], :] = np.nan
    found[:, [one is None for one in actuals]] = np.nan
    return found


def _longest(texts: Sequence[str | None]) -> int:
    return max((len(text) for text in texts if text is not None), default=0)


def _long_matrix(expecteds: Sequence[str | None], actuals: Sequence[str | None], algorithm: Algorithm) -> "Matrix":
    import numpy as np

    score = text_scorer(algorithm, cache(find_landmarks))
    found = np.full((len(expecteds), len(actuals)), np.nan)
    for row, expected in enumerate(expecteds):
        for column, actual in enumerate(actuals):
            if expected is not None and actual is not None:
                with suppress(Incomparable):
                    found[row, column] = score(expected, actual)
    return found


def _compare_long(
    left: str, right: str, algorithm: Algorithm, landmarks: Callable[[str], Landmarks] = find_landmarks
) -> float:
    """The similarity of two long texts: exact where few edits part them, else by passages, which is never higher."""
    if left == right:
        return 1.0
    if algorithm != "levenshtein":
        if _is_too_long(left, right, algorithm):
            raise Incomparable("too long")
        return _short_scorer(algorithm)(left, right)
    longer = max(len(left), len(right))
    return 1.0 - min(longer, _count_edits(left, right, landmarks)) / longer


def _count_edits(left: str, right: str, landmarks: Callable[[str], Landmarks]) -> int:
    from rapidfuzz.distance import Levenshtein

    cuts = (cut_at_landmarks(left, right, landmarks(left), landmarks(right)), cut_into_blocks(left, right))
    edits: int = min(sum(Levenshtein.distance(one, other) for one, other in passages) for passages in cuts)
    if edits * max(len(left), len(right)) > _LONG:
        return edits
    return Levenshtein.distance(left, right, score_cutoff=edits, score_hint=edits)


def _is_too_long(left: str, right: str, algorithm: Algorithm) -> bool:
    if algorithm == "jaro_winkler":
        return len(left) * len(right) > 10 * _LONG
    mine, theirs = set(left.split()), set(right.split())  # only the words that the other has not are compared
    return sum(map(len, mine - theirs)) * sum(map(len, theirs - mine)) > _LONG


def _short_scorer(algorithm: Algorithm) -> Callable[[str, str], float]:
    scorer, most = _scorer(algorithm)
    return scorer if most == 1.0 else lambda expected, actual: scorer(expected, actual) / most


def _scorer(algorithm: Algorithm) -> tuple[Any, float]:
    """rapidfuzz's function, and what it says of equal texts."""
    from rapidfuzz import distance, fuzz

    if algorithm == "levenshtein":
        return distance.Levenshtein.normalized_similarity, 1.0
    if algorithm == "jaro_winkler":
        return distance.JaroWinkler.normalized_similarity, 1.0
    return fuzz.token_set_ratio, 100.0
