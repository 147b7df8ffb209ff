"""The score of an evaluator, and its options `negate` and `min_score` → the score that counts."""

from typing import NamedTuple

from agentv_py.comparison.mismatch import miss_text
from agentv_py.score import SLACK, Score, Thresholds, VerdictName, verdict

_OPPOSITES: dict[VerdictName, VerdictName] = {"pass": "fail", "partial": "partial", "fail": "pass"}
_MUST_NOT = "must not match"
# What a negated evaluator found is the opposite of a mistake, so reports must not count it as one.
_COUNTED = frozenset({"metrics", "mismatches", "mismatches_omitted"})


class Adjustment(NamedTuple):
    negate: bool = False
    min_score: float | None = None

    def apply(self, score: Score, thresholds: Thresholds) -> Score:
        """Return the score with the verdict of its own mark, and then its opposite if it is negated."""
        if score.skipped:
            return score
        if self.min_score is not None:
            score = score._replace(verdict="pass" if score.score >= self.min_score - SLACK else "fail")
        return _negate(score, thresholds) if self.negate else score


def _negate(score: Score, thresholds: Thresholds) -> Score:
    """Return the opposite: hits are misses. The verdict follows from the verdict, and not from the new score."""
    details = {key: value for key, value in (score.details or {}).items() if key not in _COUNTED}
    return score._replace(
        score=1.0 - score.score,
        hits=score.misses,
        misses=tuple(miss_text(hit, _MUST_NOT) for hit in score.hits),
        reasoning=f"not: {score.reasoning}" if score.reasoning else "",
        details=details | {"negated": True},
        observations=None,
        verdict=_OPPOSITES[score.verdict or verdict(score.score, *thresholds)],
    )
