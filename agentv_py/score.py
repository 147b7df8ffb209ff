"""What an evaluator says of a case, and the verdict that follows."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

VerdictName = Literal["pass", "partial", "fail"]

# Sums of binary fractions miss a decimal threshold by a few ulp; nobody means to fail 0.7999999999999999 at 0.8.
SLACK = 1e-9

NOT_JSON = "candidate (not valid JSON)"


class Score(NamedTuple):
    """What an evaluator says of a case. It never changes, because cases that are wholly right share one score."""

    score: float
    hits: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()
    reasoning: str = ""
    details: Mapping[str, Any] | None = None
    verdict: VerdictName | None = None
    """Set by an evaluator that has a threshold of its own; else the suite's verdicts decide."""
    leaves: int = 0
    """How many leaf fields counted; `hits` are those that passed."""
    unlabelled: Sequence[str] = ()
    """Configured paths that the expected value does not have."""
    optional: Sequence[str] = ()
    """Paths that are not required and that the candidate left empty."""
    awaits: tuple[int, int] | None = None
    """The persistent process whose end will show whether this score is the case's."""


def not_structured(leaves: int = 0) -> Score:
    """Of a candidate that is text and holds no JSON, where structure is needed."""
    return Score(0.0, misses=(NOT_JSON,), reasoning="the candidate is not valid JSON", leaves=leaves)


def verdict(score: float, pass_at: float, partial_at: float) -> VerdictName:
    if score >= pass_at - SLACK:
        return "pass"
    return "partial" if score >= partial_at - SLACK else "fail"
