"""Two texts → their normalised similarity."""

from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal

from pydantic import Field

from agentv_py.match import Incomparable, Match, Share
from agentv_py.score import SLACK

Algorithm = Literal["levenshtein", "jaro_winkler", "token_set"]


class Fuzzy(Match):
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
        if self.case_sensitive:
            return self._scorer(expected.strip(), actual.strip())
        return self._scorer(expected.strip().casefold(), actual.strip().casefold())

    @cached_property
    def _scorer(self) -> Callable[[str, str], float]:
        return text_scorer(self.algorithm)


def text_scorer(algorithm: Algorithm) -> Callable[[str, str], float]:
    from rapidfuzz import distance, fuzz

    if algorithm == "levenshtein":
        return distance.Levenshtein.normalized_similarity
    if algorithm == "jaro_winkler":
        return distance.JaroWinkler.normalized_similarity
    return lambda expected, actual: fuzz.token_set_ratio(expected, actual) / 100
