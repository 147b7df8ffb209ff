"""What changed between two results files, and whether it is more than noise.

Cases are joined on suite, id and target. The rows of one case (repeats) become one score, the mean of those that did
not err, and the case passes when most of them pass; `scores` holds that of every case. A case all of whose rows erred
on one side is in `errored`, outside every figure. The diff holds no row: `read_pairs()` reads both rows of each matched
case again, `read_rows(case)` those of one case. The row that is read is the first that did not err.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agentv_py.comparison.counts import Counts, quality
from agentv_py.errors import Problem
from agentv_py.report.diff.case_scores import CaseScores
from agentv_py.report.diff.columns import CaseKey, EvaluatorKey, ResultColumns
from agentv_py.report.diff.significance import NOTHING, Shift, ShiftVerdict
from agentv_py.report.statistics import Estimate, estimate_share
from agentv_py.report.summary import join_names
from agentv_py.results.row import Row

CasePair = tuple[int, int]
"""A case's number on each side."""


@dataclass(frozen=True, slots=True)
class CaseChange:
    """A case that passes on one side only, with both scores."""

    key: CaseKey
    baseline: float
    candidate: float
    numbers: CasePair

    @property
    def delta(self) -> float:
        return self.candidate - self.baseline


@dataclass(frozen=True, slots=True)
class ErroredCase:
    """A matched case that erred: the verdict on each side, or `error`."""

    key: CaseKey
    baseline: str
    candidate: str
    numbers: CasePair


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
    """Its p-value is McNemar's; if cases are clustered, it is that of the sign-flip test over clusters."""
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

    @property
    def f1(self) -> tuple[float | None, float | None]:
        return _compute_f1(self.baseline), _compute_f1(self.candidate)

    @property
    def delta(self) -> float | None:
        before, after = self.f1
        return None if before is None or after is None else after - before


@dataclass(slots=True)
class Diff:
    baseline: ResultColumns
    candidate: ResultColumns
    scores: tuple[CaseScores, CaseScores]
    """The score of every case, on each side; every format takes a case's score from here."""
    threshold: float = 0.0
    joined: list[str] = field(default_factory=list)
    """Sentences about names that differ on the two sides and were joined all the same."""
    suites: list[str] = field(default_factory=list)
    cases: int = 0
    """Matched cases that have a score on both sides; every figure is of these."""
    matched: Sequence[CasePair] = ()
    """The cases that both sides have, in the baseline's order."""
    only_baseline: list[CaseKey] = field(default_factory=list)
    only_candidate: list[CaseKey] = field(default_factory=list)
    errored: list[ErroredCase] = field(default_factory=list)
    broken: list[CaseChange] = field(default_factory=list)
    fixed: list[CaseChange] = field(default_factory=list)
    higher: int = 0
    lower: int = 0
    """Cases whose score rose, or fell, by at least the threshold."""
    mean_score: MeanShift = field(default_factory=lambda: MeanShift(0.0, 0.0, NOTHING))
    pass_rate: RateShift = field(default_factory=lambda: RateShift(estimate_share(0, 0), estimate_share(0, 0), NOTHING))
    evaluators: list[EvaluatorShift] = field(default_factory=list)
    attributes: list[AttributeShift] = field(default_factory=list)
    scored_differently: int = 0
    """Matched cases that other options or evaluators scored on each side."""
    clusters: int | None = None
    """The number of clusters; None where cases are not clustered."""

    @property
    def verdict(self) -> ShiftVerdict:
        """Worse where the mean score or the pass rate is worse, else better where one of them is better."""
        verdicts = {self.mean_score.shift.verdict, self.pass_rate.shift.verdict}
        return next((verdict for verdict in ("worse", "better") if verdict in verdicts), "tied")

    @property
    def changed_attributes(self) -> list[AttributeShift]:
        """Attributes whose F1 changed, or that one side alone has; the greatest fall comes first."""
        changed = [attribute for attribute in self.attributes if attribute.f1[0] != attribute.f1[1]]
        return sorted(changed, key=lambda attribute: (attribute.f1[1] or 0.0) - (attribute.f1[0] or 0.0))

    def name_evaluator(self, key: EvaluatorKey) -> str:
        """Return the evaluator's name; where there are several suites, after the name of its suite."""
        return join_names(key.suite if len(self.suites) > 1 else "", key.name)

    @property
    def torn_lines(self) -> list[Problem]:
        return [side.torn_line for side in (self.baseline, self.candidate) if side.torn_line]

    @property
    def duplicates(self) -> tuple[int, int]:
        return self.baseline.duplicates, self.candidate.duplicates

    @property
    def errors(self) -> tuple[int, int]:
        """Rows that erred, on each side."""
        return self.baseline.errors, self.candidate.errors

    @property
    def errored_rows(self) -> tuple[int, int]:
        """Rows that erred on each side although other rows of their case did not: the case's mean leaves them out."""
        return self.scores[0].errored_rows, self.scores[1].errored_rows

    @property
    def newly_errored(self) -> list[ErroredCase]:
        return [case for case in self.errored if case.baseline == "pass"]

    def read_pairs(self, pairs: Sequence[CasePair] | None = None) -> Iterator[tuple[Row, Row]]:
        """Read both rows of these cases, or of every matched case, one case at a time."""
        with self.baseline.open() as before, self.candidate.open() as after:
            for old, new in self.matched if pairs is None else pairs:
                yield self.baseline.read_row(before, old), self.candidate.read_row(after, new)

    def read_rows(self, case: CaseChange | ErroredCase) -> tuple[Row, Row]:
        return next(self.read_pairs([case.numbers]))


def _compute_f1(counts: Counts | None) -> float | None:
    """Return 0 where there are errors and no true positive; None where nothing is counted."""
    if counts is None:
        return None
    return 0.0 if not counts["tp"] and (counts["fp"] or counts["fn"]) else quality(counts).f1
