"""How figures changed between two results files: of a target, an evaluator, an attribute."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from agentv_py.comparison.counts import Counts, quality
from agentv_py.report.diff.columns import EvaluatorKey
from agentv_py.report.diff.significance import NOTHING, Shift, ShiftVerdict
from agentv_py.report.statistics import Estimate, estimate_share


@dataclass(frozen=True, slots=True)
class MeanShift:
    baseline: float
    candidate: float
    shift: Shift
    p_adjusted: float = 1.0
    """The p-value adjusted for what is tested together: mean score and pass rate, or all evaluators (Holm)."""


@dataclass(frozen=True, slots=True)
class RateShift:
    baseline: Estimate
    candidate: Estimate
    shift: Shift
    """Its p-value is that of an exact test of all pairs; of the sign-flip test if cases are clustered."""
    p_adjusted: float = 1.0
    """The p-value adjusted for the mean score and the pass rate together."""


@dataclass(frozen=True, slots=True)
class EvaluatorShift:
    key: EvaluatorKey
    type: str
    cases: int
    mean_score: MeanShift


@dataclass(frozen=True, slots=True)
class AttributeShift:
    key: EvaluatorKey
    name: str
    baseline: Counts | None
    candidate: Counts | None
    """The counts of the compared cases; None on a side whose evaluator never counted this attribute."""
    shift: Shift | None = None
    """The change of F1 with its interval; None where one side has no F1."""

    @property
    def f1(self) -> tuple[float | None, float | None]:
        return _compute_f1(self.baseline), _compute_f1(self.candidate)

    @property
    def delta(self) -> float | None:
        before, after = self.f1
        return None if before is None or after is None else after - before


def find_worst(verdicts: Iterable[ShiftVerdict]) -> ShiftVerdict:
    """Return worse where any verdict is worse, else better where any is better."""
    present = set(verdicts)
    return next((verdict for verdict in ("worse", "better") if verdict in present), "tied")


@dataclass(slots=True)
class TargetShift:
    """How the scores of one target changed. Where no suite has several targets, it is about all cases."""

    target: str = ""
    """Empty where the shift is about all cases, or about rows that name no target."""
    cases: int = 0
    """Matched cases that have a score on both sides; every figure is of these."""
    clusters: int | None = None
    """The number of clusters; None where cases are not clustered."""
    broken: int = 0
    newly_errored: int = 0
    fixed: int = 0
    higher: int = 0
    lower: int = 0
    """Cases whose score rose, or fell, by at least the threshold."""
    mean_score: MeanShift = field(default_factory=lambda: MeanShift(0.0, 0.0, NOTHING))
    pass_rate: RateShift = field(default_factory=lambda: RateShift(estimate_share(0, 0), estimate_share(0, 0), NOTHING))

    @property
    def name(self) -> str:
        return self.target or "no target"

    @property
    def verdict(self) -> ShiftVerdict:
        """Worse where the mean score or the pass rate is worse, else better where one of them is better."""
        return find_worst((self.mean_score.shift.verdict, self.pass_rate.shift.verdict))


def _compute_f1(counts: Counts | None) -> float | None:
    """Return 0 where there are errors and no true positive; None where nothing is counted."""
    if counts is None:
        return None
    return 0.0 if not counts["tp"] and (counts["fp"] or counts["fn"]) else quality(counts).f1
