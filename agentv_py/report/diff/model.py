"""What changed between two results files, and whether it is more than noise.

Cases are joined on suite, id and target. The rows of one case (repeats) become one score, the mean of those that did
not err, and the case passes when most of them pass; `scores` holds that of every case. A case all of whose rows erred
on one side is in `errored`, outside every figure. The diff holds no row: `read_pairs()` reads both rows of each matched
case again, `read_rows(case)` those of one case. The row that is read is the first that did not err.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agentv_py.errors import Problem
from agentv_py.report.diff.case_scores import CaseScores
from agentv_py.report.diff.columns import CaseKey, EvaluatorKey, ResultColumns
from agentv_py.report.diff.error_shifts import ErrorShift
from agentv_py.report.diff.shifts import AttributeShift, EvaluatorShift, TargetShift, find_worst
from agentv_py.report.diff.significance import ShiftVerdict
from agentv_py.report.diff.slices import SliceShiftTable
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


@dataclass(slots=True)
class Diff:
    baseline: ResultColumns
    candidate: ResultColumns
    scores: tuple[CaseScores, CaseScores]
    """The score of every case, on each side; every format takes a case's score from here."""
    threshold: float = 0.0
    joined: list[str] = field(default_factory=list)
    """Sentences about names that differ on the two sides and were joined all the same."""
    has_several_targets: bool = False
    """Whether both sides hold several targets of one suite. Each has its own figures; they are never averaged."""
    suites: list[str] = field(default_factory=list)
    matched: Sequence[CasePair] = ()
    """The cases that both sides have, in the baseline's order."""
    only_baseline: list[CaseKey] = field(default_factory=list)
    only_candidate: list[CaseKey] = field(default_factory=list)
    errored: list[ErroredCase] = field(default_factory=list)
    broken: list[CaseChange] = field(default_factory=list)
    fixed: list[CaseChange] = field(default_factory=list)
    shifts: list[TargetShift] = field(default_factory=list)
    """One for each target that both sides hold; a single one where no suite has several targets."""
    evaluators: list[EvaluatorShift] = field(default_factory=list)
    attributes: list[AttributeShift] = field(default_factory=list)
    error_shifts: list[ErrorShift] = field(default_factory=list)
    """Kinds of error that became more or fewer in the compared cases."""
    cases_not_read: int = 0
    """Further compared cases with errors, whose kinds are not counted because they are very many."""
    slices: list[SliceShiftTable] = field(default_factory=list)
    scored_differently: int = 0
    """Matched cases that other options or evaluators scored on each side."""
    clusters: int | None = None
    """The number of clusters; None where cases are not clustered."""

    @property
    def cases(self) -> int:
        """Matched cases that have a score on both sides."""
        return sum(shift.cases for shift in self.shifts)

    @property
    def verdict(self) -> ShiftVerdict:
        """Worse where any target is worse, else better where any is better."""
        return find_worst(shift.verdict for shift in self.shifts)

    @property
    def changed_attributes(self) -> list[AttributeShift]:
        """Attributes whose F1 changed, or that one side alone has; the greatest fall comes first."""
        changed = [attribute for attribute in self.attributes if attribute.f1[0] != attribute.f1[1]]
        return sorted(changed, key=lambda attribute: (attribute.f1[1] or 0.0) - (attribute.f1[0] or 0.0))

    def name_evaluator(self, key: EvaluatorKey) -> str:
        """Return the evaluator's name; after its suite and its target where there are several."""
        suite, target = len(self.suites) > 1, self.has_several_targets
        return join_names(key.suite if suite else "", key.target if target else "", key.name)

    def name_result(self, row: Row, name: str) -> str:
        """Return the name of an evaluator of a row."""
        return self.name_evaluator(self.candidate.find_evaluator(row, name))

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
