"""Two texts → their normalised similarity: Levenshtein, Jaro-Winkler or token set."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.matchers.base import Match, explain_other_than_text
from agentv_py.comparison.readers.passages import Landmarks, cut_at_landmarks, cut_into_blocks, find_landmarks
from agentv_py.comparison.readers.text import fold_case, join_lines
from agentv_py.options import Share
from agentv_py.score import SLACK

if TYPE_CHECKING:
    from agentv_py.comparison.gap import Gap
    from agentv_py.comparison.matchers.base import Matrix

# Two texts are long if the product of their lengths is above this: 31,622 letters each take a tenth of a second.
_LONG = 10**9
# Two texts are short if they have fewer letters together. Of short texts some are kept in their folded form.
_SHORT = 1_000
_MOST_FOLDED = 1_024

Algorithm = Literal["levenshtein", "jaro_winkler", "token_set"]


class Fuzzy(Match):
    """Text that is alike enough; how alike is also the score."""

    match: Literal["fuzzy"] = "fuzzy"
    threshold: Share = Field(0.85, description="The least similarity that passes.")
    algorithm: Algorithm = "levenshtein"
    case_sensitive: bool = False

    graded = True
    scalars = frozenset({"text"})
    always_read = frozenset({str})

    @property
    def passes_at(self) -> float:
        return self.threshold - SLACK

    def similarity(self, expected: Any, actual: Any) -> float:
        if type(expected) is not str or type(actual) is not str:
            raise Incomparable("type mismatch")
        fold = self._fold_again if len(expected) + len(actual) < _SHORT else self._fold
        left, right = fold(expected), fold(actual)
        if left and left == right:
            return 1.0
        if len(left) * len(right) > _LONG:
            return _compare_long(left, right, self.algorithm)
        return self._scorer(left, right)

    def describe_rule(self) -> str:
        case = "case counts" if self.case_sensitive else "in any case"
        return f"similarity ≥ {self.threshold:.10g} ({self.algorithm}, {case})"

    def explain_gap(self, expected: Any, actual: Any, similarity: float) -> "Gap":  # noqa: ARG002  it is measured already
        from agentv_py.comparison.gap import describe_similarity

        return describe_similarity(similarity, self.threshold)

    def explain_unreadable(self, value: Any) -> str:
        return explain_other_than_text(value)

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        fold = self._fold
        left, right = (
            [fold(value) if type(value) is str else None for value in values] for values in (expecteds, actuals)
        )
        return compare_all_texts(left, right, self.algorithm)

    @cached_property
    def _fold(self) -> Callable[[str], str]:
        return join_lines if self.case_sensitive else _fold_text

    @cached_property
    def _fold_again(self) -> Callable[[str], str]:
        """The same function with a memory, because pairing compares each text with many others."""
        return _join_lines_again if self.case_sensitive else _fold_text_again

    @cached_property
    def _scorer(self) -> Callable[[str, str], float]:
        return _build_short_scorer(self.algorithm)


def _fold_text(text: str) -> str:
    # Plain texts are by far the most frequent, and each call costs more than their folding.
    if text.isascii() and text.isprintable() and "  " not in text:
        return text.strip().lower()
    return fold_case(join_lines(text))


@lru_cache(maxsize=_MOST_FOLDED)
def _fold_text_again(text: str) -> str:
    return _fold_text(text)


@lru_cache(maxsize=_MOST_FOLDED)
def _join_lines_again(text: str) -> str:
    return join_lines(text)


def build_scorer(
    algorithm: Algorithm, landmarks: Callable[[str], Landmarks] = find_landmarks
) -> Callable[[str, str], float]:
    """Return the function that gives the similarity of two texts. It raises Incomparable if they are too long."""
    score = _build_short_scorer(algorithm)

    def score_any(expected: str, actual: str) -> float:
        if len(expected) * len(actual) > _LONG:
            return _compare_long(expected, actual, algorithm, landmarks)
        return score(expected, actual)

    return score_any


def compare_all_texts(expecteds: Sequence[str | None], actuals: Sequence[str | None], algorithm: Algorithm) -> "Matrix":
    """Return the similarities of all pairs of texts; NaN if one is None, or if they are too long."""
    import numpy as np
    from rapidfuzz.process import cdist

    scorer, most = _find_scorer(algorithm)
    if _measure_longest(expecteds) * _measure_longest(actuals) > _LONG:
        return _compare_all_long(expecteds, actuals, algorithm)
    similarities: Matrix = cdist(expecteds, actuals, scorer=scorer, dtype=np.float64)
    if most != 1.0:
        similarities /= most
    if None in expecteds:
        similarities[[text is None for text in expecteds], :] = np.nan
    if None in actuals:
        similarities[:, [text is None for text in actuals]] = np.nan
    return similarities


def _measure_longest(texts: Sequence[str | None]) -> int:
    return max([len(text) for text in texts if text is not None], default=0)


def _compare_all_long(expecteds: Sequence[str | None], actuals: Sequence[str | None], algorithm: Algorithm) -> "Matrix":
    import numpy as np

    score = build_scorer(algorithm, cache(find_landmarks))
    similarities = np.full((len(expecteds), len(actuals)), np.nan)
    for row, expected in enumerate(expecteds):
        for column, actual in enumerate(actuals):
            if expected is not None and actual is not None:
                with suppress(Incomparable):
                    similarities[row, column] = score(expected, actual)
    return similarities


def _compare_long(
    left: str, right: str, algorithm: Algorithm, landmarks: Callable[[str], Landmarks] = find_landmarks
) -> float:
    """Return the similarity of two long texts: exact if they differ by few edits, else a lower bound by passages."""
    if left == right:
        return 1.0
    if algorithm != "levenshtein":
        if _is_too_long(left, right, algorithm):
            raise Incomparable("too long")
        return _build_short_scorer(algorithm)(left, right)
    longer = max(len(left), len(right))
    return 1.0 - min(longer, _count_edits(left, right, landmarks)) / longer


def _count_edits(left: str, right: str, landmarks: Callable[[str], Landmarks]) -> int:
    from rapidfuzz.distance import Levenshtein

    cuts = (cut_at_landmarks(left, right, landmarks(left), landmarks(right)), cut_into_blocks(left, right))
    edits: int = min(sum(Levenshtein.distance(*passage) for passage in passages) for passages in cuts)
    if edits * max(len(left), len(right)) > _LONG:
        return edits
    return Levenshtein.distance(left, right, score_cutoff=edits, score_hint=edits)


def _is_too_long(left: str, right: str, algorithm: Algorithm) -> bool:
    if algorithm == "jaro_winkler":
        return len(left) * len(right) > 10 * _LONG
    words, others = set(left.split()), set(right.split())  # only words that the other text lacks are compared
    return sum(map(len, words - others)) * sum(map(len, others - words)) > _LONG


def _build_short_scorer(algorithm: Algorithm) -> Callable[[str, str], float]:
    scorer, most = _find_scorer(algorithm)
    return scorer if most == 1.0 else lambda expected, actual: scorer(expected, actual) / most


def _find_scorer(algorithm: Algorithm) -> tuple[Any, float]:
    """Return rapidfuzz's function, and its result for equal texts."""
    from rapidfuzz import distance, fuzz

    if algorithm == "levenshtein":
        return distance.Levenshtein.normalized_similarity, 1.0
    if algorithm == "jaro_winkler":
        return distance.JaroWinkler.normalized_similarity, 1.0
    return fuzz.token_set_ratio, 100.0
