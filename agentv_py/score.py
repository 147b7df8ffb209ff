"""What an evaluator says of a case, and the verdict that follows."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, NotRequired, TypedDict

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


class ErrorInfo(TypedDict):
    """Why a case erred."""

    kind: str
    message: str


class Words(TypedDict):
    """What a result says beside its numbers."""

    hits: list[str]
    misses: list[str]
    reasoning: str


class Outcome(Words):
    """What one evaluator, or all evaluators of a case together, came to."""

    score: float
    verdict: VerdictName


class EvaluatorResult(Outcome):
    """A score as a row of results shows it, under its evaluator's name."""

    name: str
    type: str
    weight: float
    duration_ms: float
    details: NotRequired[Mapping[str, Any]]
    error: NotRequired[ErrorInfo]
    usage: NotRequired[dict[str, float]]
    """What the models used that were asked."""
    repeats: NotRequired[list[float]]
    """The score of each answer, if the case has several; so has `consistency`, how far they agree."""
    consistency: NotRequired[float]


def not_structured(leaves: int = 0) -> Score:
    """Of a candidate that is text and holds no JSON, where structure is needed."""
    return Score(0.0, misses=(NOT_JSON,), reasoning="the candidate is not valid JSON", leaves=leaves)


def verdict(score: float, pass_at: float, partial_at: float) -> VerdictName:
    if score >= pass_at - SLACK:
        return "pass"
    return "partial" if score >= partial_at - SLACK else "fail"
