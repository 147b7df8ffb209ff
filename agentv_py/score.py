"""The score that an evaluator gives a case, and the verdict that follows from it."""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple, NotRequired, TypedDict

VerdictName = Literal["pass", "partial", "fail"]

# Sums of binary fractions miss a decimal threshold by a few ulp; 0.7999999999999999 should pass at 0.8.
SLACK = 1e-9

MEAN_RULE = "mean"
"""The default of `--pass-rule`: the mean score of several answers decides whether their case passes."""

NOT_JSON = "candidate (not valid JSON)"


class Score(NamedTuple):
    """The score of a case and its reasons. It never changes, because perfect cases share one score."""

    score: float
    hits: tuple[str, ...] = ()
    misses: tuple[str, ...] = ()
    reasoning: str = ""
    details: Mapping[str, Any] | None = None
    verdict: VerdictName | None = None
    """Set by an evaluator that has its own threshold; without it the suite's verdicts decide."""
    leaves: int = 0
    """How many leaf fields count; `hits` lists those that pass."""
    awaits: tuple[tuple[int, int], ...] = ()
    """The persistent processes whose end shows whether this score belongs to the case."""
    skipped: bool = False
    """Whether the evaluator does not apply to the case. Such a score counts nowhere."""
    observations: Mapping[str, Any] | None = None
    """The confidences of right and of wrong values, where the answer has them: see comparison/observations.py."""


SKIPPED = Score(0.0, reasoning="skipped", skipped=True)
"""The score of an evaluator that does not apply to the case."""


class Thresholds(NamedTuple):
    """The lowest scores with the verdicts pass and partial."""

    pass_at: float = 0.8
    partial_at: float = 0.6


class ErrorInfo(TypedDict):
    """Why a case erred."""

    kind: str
    message: str


class Words(TypedDict):
    """The parts of a result that are not numbers."""

    hits: list[str]
    misses: list[str]
    reasoning: str


class Outcome(Words):
    """The outcome of one evaluator, or of all evaluators of a case together."""

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
    """The usage of the models that were asked."""
    observations: NotRequired[Mapping[str, Any]]
    """The confidences of right and of wrong values."""
    repeats: NotRequired[list[float]]
    """The score of each answer, if the case has several. `consistency` then tells how much the answers agree."""
    consistency: NotRequired[float]


def score_not_json(leaves: int = 0) -> Score:
    """Score a candidate that is text without JSON, where the expected value is an object or a list."""
    return Score(0.0, misses=(NOT_JSON,), reasoning="the candidate is not valid JSON", leaves=leaves)


def verdict(score: float, pass_at: float, partial_at: float) -> VerdictName:
    if score >= pass_at - SLACK:
        return "pass"
    return "partial" if score >= partial_at - SLACK else "fail"
