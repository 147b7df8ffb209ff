"""Cases and evaluators → rows, a chunk at a time."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from time import perf_counter
from typing import TYPE_CHECKING, Any

from agentv_py.case import ABSENT, Case
from agentv_py.errors import EvaluationError, InputChanged
from agentv_py.evaluators.grade import (
    combine,
    describe_grade,
    evaluate_safely,
    find_error,
    find_skip_error,
    grade,
    let_fail,
    measure_milliseconds,
    misses_required,
)
from agentv_py.jsontext import TooDeep
from agentv_py.report.slices.fold import Slices
from agentv_py.report.summary import Summary
from agentv_py.results.row import Row, encode_row, without_values
from agentv_py.run.chunk import ScoredChunk
from agentv_py.run.fingerprint import Fingerprints
from agentv_py.run.shared_row import SharedRow
from agentv_py.score import MEAN_RULE, EvaluatorResult, Score, Thresholds, verdict
from agentv_py.suite.evaluators import NamedEvaluators
from agentv_py.suite.raw_case import RawCase, build_case
from agentv_py.suite.schema import Verdicts
from agentv_py.suite.slice_key import SliceKey

if TYPE_CHECKING:
    from agentv_py.inference.suggestion import Suggestion
    from agentv_py.models.usage import Usage
    from agentv_py.process.persistent import Lifetime
    from agentv_py.targets.confidence import Confidence


class Scorer:
    """Scores chunks of one suite's cases, in the same way in every process."""

    def __init__(
        self,
        suite: str,
        evaluators: NamedEvaluators,
        verdicts: Verdicts,
        folder: str = "",
        *,
        plain: bool = False,
        data: bool = True,
        keys: Sequence[str] = (),
        fingerprints: Fingerprints | None = None,
        pass_rule: str = MEAN_RULE,
        learned: "Suggestion | None" = None,
        slices: Sequence[SliceKey] = (),
        about: Mapping[str, Any] | None = None,
        confidence: "Confidence | None" = None,
    ) -> None:
        self.suite = suite
        self.folder = folder
        self.evaluators = evaluators
        self.thresholds = Thresholds(verdicts.pass_, verdicts.partial)
        self.plain = plain
        self.data = data
        self.pass_rule = pass_rule
        self.keys = keys
        """Secrets that messages must not show."""
        self._fingerprints = fingerprints
        self._learned = learned
        self._slices = slices
        self._about = about or {}
        """What every row says about its run."""
        self._confidence = confidence
        self._awaits: dict[Lifetime, set[str]] = {}
        self.usage: Callable[[], Usage] | None = None
        """Tells what models used since its last call; None if the suite asks no model."""

    def __call__(self, chunk: Sequence[RawCase], failure: EvaluationError | None = None) -> ScoredChunk:
        """Score the cases. With a failure nothing is scored: every evaluator fails with it."""
        summary = Summary(slices=Slices.for_all_suites(self._slices))
        rows = list[bytes]()
        timestamp = format_now()
        self._awaits = {}
        changed = None
        can_share = failure is None and self._can_share_rows()
        shared = self._share_row() if can_share else SharedRow()
        for raw in chunk:
            value = shared.decode(raw)
            if value is not None and (line := shared.encode_certain(raw, value)) is not None:
                rows.append(line)
                continue
            try:
                case, own = self.build_case(raw, value)
            except InputChanged as change:
                changed = change
                break
            evaluators = own or self.evaluators
            if not can_share or own is not None or case.candidates is not None:
                row = self.score(case, evaluators if failure is None else let_fail(evaluators, failure), timestamp)
                rows.append(self._finish(row, summary))
                continue
            started = perf_counter()
            score, error = evaluate_safely(evaluators[0], case, self.thresholds, self.keys)
            line = shared.encode(score, case, started)
            if line is None:
                result = describe_grade(evaluators[0], case, score, error, self.thresholds, None, started)
                row = self._build_row(case, evaluators, [(result, score)], timestamp, started)
                line = self._finish(row, summary)
                shared.remember(score, case, row)
            rows.append(line)
        shared.add_to(summary)
        return ScoredChunk(b"".join(rows), summary, self._awaits, error=changed)

    def _can_share_rows(self) -> bool:
        """Whether two cases with the same score may have the same row but for their own values."""
        return len(self.evaluators) == 1 and self.data and not self._slices and self.usage is None

    def _share_row(self) -> SharedRow:
        """Return what makes the rows of wholly right cases; some of them are known before they are evaluated."""
        is_known = self.plain and self._confidence is None
        return SharedRow.build(self.evaluators[0], self._fingerprints) if is_known else SharedRow()

    def _finish(self, row: Row, summary: Summary) -> bytes:
        """Count a row; return its line."""
        if self._about:
            row |= self._about  # type: ignore[typeddict-item]  # the keys are those of a row
        try:
            line = encode_row(row)
        except TooDeep as error:
            row = without_values(row, str(error))
            line = encode_row(row)
        summary.add(row)
        return line

    def build_case(self, raw: RawCase, value: Any = None) -> tuple[Case, NamedEvaluators | None]:
        """Return the case, and evaluators of its own. Raise InputChanged if it is not the case that was checked.

        `value` is the decoded row, if it is known.
        """
        case, own = build_case(
            raw, self.folder, plain=self.plain, learned=self._learned, thresholds=self.thresholds, value=value
        )
        if self._confidence is not None:
            self._confidence.separate(case)
        if self._fingerprints is not None:
            case.fingerprint = self._fingerprints.compute(raw, has_own=own is not None)
        return case, own

    def score(self, case: Case, evaluators: NamedEvaluators, timestamp: str) -> Row:
        if case.candidates is not None:
            return self._score_repeats(case, evaluators, timestamp)
        started = perf_counter()
        graded = [grade(evaluator, case, self.thresholds, self.keys, self.usage) for evaluator in evaluators]
        return self._build_row(case, evaluators, graded, timestamp, started)

    def _build_row(
        self,
        case: Case,
        evaluators: NamedEvaluators,
        graded: Sequence[tuple[EvaluatorResult, Score]],
        timestamp: str,
        started: float,
    ) -> Row:
        results, skipped = [], []
        for evaluator, (result, score) in zip(evaluators, graded, strict=True):
            if score.skipped:
                skipped.append(evaluator.name)
                continue
            results.append(result if self.data or evaluator.remove_data is None else evaluator.remove_data(result))
            for lifetime in score.awaits:
                self._awaits.setdefault(lifetime, set()).add(evaluator.name)
        whole, error = combine(results, self.thresholds), find_error(results)
        if skipped:
            error = error or find_skip_error(skipped, results)
        row: Row = {
            "timestamp": timestamp,
            "suite": self.suite,
            "case_id": case.id,
            "status": "error" if error else "ok",
            "score": 0.0 if error else whole["score"],
            "verdict": "fail" if error or misses_required(evaluators, results) else whole["verdict"],
            "hits": whole["hits"],
            "misses": whole["misses"],
            "reasoning": whole["reasoning"],
        }  # type: ignore[typeddict-item]  # the other required keys follow the optional ones
        if error:
            row["error"] = error
        if skipped:
            row["skipped"] = skipped
        self._add_values(row, case)
        row["evaluator_results"] = results
        row["duration_ms"] = results[0]["duration_ms"] if len(results) == 1 else measure_milliseconds(started)
        if case.metadata:
            row["metadata"] = case.metadata
        if case.tags:
            row["tags"] = case.tags
        return row

    def _add_values(self, row: Row, case: Case) -> None:
        """Add the values of the case, and what is known about its answer."""
        if self.data and case.input is not None:
            row["input"] = case.input
        if self.data and case.expected is not ABSENT:
            row["expected"] = case.expected
        if self.data and case.candidate is not ABSENT:
            row["candidate"] = case.candidate
        if case.target is not None:
            row["target"] = case.target
        if case.facts:
            row |= case.facts  # type: ignore[typeddict-item]  # the keys are those of a row
            if not self.data:
                row.pop("trace", None)
                if case.confidence_tree is not None:  # the results have what figures need
                    row.pop("confidence", None)
        if case.fingerprint is not None:
            row["fingerprint"] = case.fingerprint

    def _score_repeats(self, case: Case, evaluators: NamedEvaluators, timestamp: str) -> Row:
        from agentv_py.run.repeats import score_repeats  # most cases have one answer

        return score_repeats(
            case,
            evaluators,
            lambda answer, by: self.score(answer, by, timestamp),
            lambda score: verdict(score, *self.thresholds),
            self.pass_rule,
        )


def format_now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
