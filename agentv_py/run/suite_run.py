"""One suite's cases → their rows in order, scored in this process or in several."""

import os
from array import array
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeVar

from agentv_py.errors import EvaluationError, InputChanged, Problem, UserError
from agentv_py.models.policy import CallPolicy
from agentv_py.process import orphans
from agentv_py.report.summary import Summary
from agentv_py.run.chunk import CHUNK, ScoredChunk, split_into_chunks
from agentv_py.run.engines import LOCAL, EngineChoice, Recovery, Unread
from agentv_py.run.plan_scorer import make_scorer
from agentv_py.run.range_scorer import Piece, RangeScorer
from agentv_py.run.scorer import Scorer
from agentv_py.suite.case_ranges import SelectedRange
from agentv_py.suite.plan import Plan
from agentv_py.suite.raw_case import RawCase

if TYPE_CHECKING:
    from agentv_py.run.answer_stage import AnswerStage, Record
    from agentv_py.run.holdback import Holdback
    from agentv_py.run.prefetch import Prefetch

# With fewer cases or bytes of cases, the start of a second process costs more than it saves.
_WORTH_A_PROCESS = 2_000
_BYTES_WORTH_A_PROCESS = 2**20

AnyPiece = TypeVar("AnyPiece")


class SuiteRun:
    """Scores the cases of one plan, in as many processes as are worth their start."""

    def __init__(
        self,
        plan: Plan,
        jobs: int | None,
        *,
        policy: CallPolicy,
        data: bool = True,
        engine: EngineChoice = LOCAL,
        record: "Record | None" = None,
    ) -> None:
        self.plan = plan
        self.jobs = jobs
        self.stage = _make_stage(plan, policy, record) if plan.has_live_targets else None
        self.size, self.worth = (1, 2) if plan.runs_subprocess else (CHUNK, _WORTH_A_PROCESS)
        self.scorer = make_scorer(plan, data=data)
        self.prefetch = _make_prefetch(self.scorer, policy, self.size) if plan.uses_model else None
        self.holdback = _make_holdback() if plan.runs_subprocess else None
        self._reader = plan.build_reader()
        self._recovery = Recovery(self._split, self._give_up, ship=self._read_here)
        self.engine = engine.load()
        self._is_local = engine.name == "local"
        self._error: UserError | None = None
        """The reason why the run ends early. It is raised after all earlier rows are yielded."""

    @property
    def budget_spent(self) -> str:
        """The budget that stopped the run, and the amount spent; empty if no budget stopped it."""
        stopped = "" if self.stage is None else self.stage.stopped
        return stopped or ("" if self.prefetch is None else self.prefetch.stopped)

    def score(
        self, advance: Callable[[int], None] = lambda _cases: None, positions: "array[int] | None" = None
    ) -> Generator[ScoredChunk, None, None]:
        """Yield the scored cases in order, all that are selected or those at these positions.

        Raise InputChanged if they are not those that were checked.
        """
        positions = self.plan.selected if positions is None else positions
        count = len(positions) * max(1, len(self.plan.targets))
        if not self._can_read_ranges:
            return self.score_cases(self.plan.read_raw_cases(positions), count, advance)
        ranges = list(self.plan.list_ranges(positions))
        work = RangeScorer(self._reader, self.scorer)
        pieces: Iterator[Any] = self._read(self._list_pieces(ranges))
        jobs = self._choose_jobs_by_size(ranges)
        results = self.engine(work, pieces, jobs, recovery=self._recovery, sends_ahead=True)
        return self._collect(results, count, advance)

    def score_cases(
        self, cases: Iterator[RawCase], count: int, advance: Callable[[int], None] = lambda _cases: None
    ) -> Generator[ScoredChunk, None, None]:
        """Yield the scored cases in order. Raise InputChanged if there are not `count` of them."""
        return self._collect(self._score_rows(cases, self._choose_jobs(count)), count, advance)

    def _collect(
        self, results: Iterable[ScoredChunk | Unread], count: int, advance: Callable[[int], None]
    ) -> Generator[ScoredChunk, None, None]:
        done = 0
        if self.plan.runs_subprocess:
            orphans.adopt()  # so that this process adopts the children of a worker that dies
        try:
            for result in results:
                scored = self._score_here(result.chunk) if isinstance(result, Unread) else result
                self._error = self._error or scored.error
                advance(scored.summary.cases)
                for ready in [scored] if self.holdback is None else self.holdback.take(scored):
                    done += ready.summary.cases
                    yield ready
        finally:
            self._reader.close()
            if self.stage is not None:
                self.stage.close()
        if self._error is not None:
            raise self._error
        if done != count and not self.budget_spent:
            what = f"{done:,} rows were written for {count:,} selected cases"
            raise InputChanged(Problem(what, "", self.plan.file))

    def describe_stop(self, cases: int) -> Iterator[str]:
        """Return how many cases ran, if the budget stopped the run."""
        if self.budget_spent:
            whole = self.plan.count_rows()
            yield f"{self.plan.name}: the budget is spent ({self.budget_spent}) after {cases:,} of {whole:,} cases"

    def describe_answers(self) -> Iterator[str]:
        """Tell how many answers each target gave, and how many the cache had."""
        if self.stage is not None:
            yield from self.stage.describe_counts()

    @property
    def _can_read_ranges(self) -> bool:
        """Whether a process that has a range needs nothing else: no answer, no reply and no order of its cases."""
        return self.stage is None and self.prefetch is None and self.holdback is None

    def _score_rows(self, cases: Iterator[RawCase], jobs: int) -> Iterator[ScoredChunk]:
        """Read the cases in this process, and send them to others together with what they need."""
        work: Callable[[Any], ScoredChunk] = self.scorer
        pieces: Iterable[Any] = split_into_chunks(cases, self.size)
        if self.stage is not None:
            pieces = self.stage.fill(cases, self.size)
            cases = chain.from_iterable(pieces)
        if self.prefetch is not None:
            work, pieces = self.prefetch.score, self.prefetch.prepare(cases)
        if self.holdback is not None:
            return self.holdback.run_engine(self.engine, work, self._read(pieces), jobs, self._recovery)
        return self.engine(work, self._read(pieces), jobs, recovery=self._recovery)

    def _list_pieces(self, ranges: Iterable[SelectedRange]) -> Iterator[Piece]:
        """Yield ranges of lines as they are, and the cases of other files as chunks of rows."""
        for part in ranges:
            if part.range.lines is None:
                yield from split_into_chunks(self._reader.read(part))
            else:
                yield part

    def _read_here(self, piece: Piece) -> list[RawCase]:
        """Return the cases of a piece. Raises InputChanged."""
        try:
            return list(self._reader.read(piece)) if isinstance(piece, SelectedRange) else piece
        finally:
            self._reader.close()  # a process that is forked later must not share the open files

    def _score_here(self, piece: Piece) -> ScoredChunk:
        """Score a range that another process could not read."""
        try:
            return self.scorer(self._read_here(piece))
        except InputChanged as error:
            return ScoredChunk(b"", Summary(), error=error)

    def _split(self, piece: Any) -> Sequence[Any]:
        return [[raw] for raw in self._read_here(piece)] if self.prefetch is None else self.prefetch.split(piece)

    def _give_up(self, piece: Any, how: str) -> ScoredChunk:
        """Return the rows of cases whose process died while it scored them."""
        failure = EvaluationError("worker_died", f"the process that scored this case {how}, and others before it")
        return self.scorer(piece if self.prefetch is None else piece.cases, failure)

    def _read(self, pieces: Iterable[AnyPiece]) -> Iterator[AnyPiece]:
        """Yield pieces up to the first error: then the judges of those before it can end, and their rows are kept."""
        try:
            for piece in pieces:
                if self._error is not None:
                    return
                yield piece
        except UserError as error:
            self._error = error

    def _choose_jobs_by_size(self, ranges: Sequence[SelectedRange]) -> int:
        """Return the number of processes for ranges. Rows say little about the time that they take, bytes say more."""
        size = sum(part.size for part in ranges)
        if self._is_local and size < _BYTES_WORTH_A_PROCESS:
            return 1
        chunks = sum(1 if part.range.lines else -(-part.cases // CHUNK) for part in ranges)
        return self._limit_jobs(self.jobs or (os.cpu_count() if self._is_local else None), chunks)

    def _choose_jobs(self, count: int) -> int:
        jobs = self.jobs
        if jobs is None and self._is_local:
            jobs = os.cpu_count() if count >= self.worth else 1
        return self._limit_jobs(jobs, -(-count // self.size))

    @staticmethod
    def _limit_jobs(jobs: int | None, chunks: int) -> int:
        # The engine of a cluster starts no more workers than the cluster has processors.
        return max(1, chunks if jobs is None else min(jobs, chunks))


def _make_holdback() -> "Holdback":
    from agentv_py.run.holdback import Holdback  # most suites start no program

    return Holdback()


def _make_prefetch(scorer: Scorer, policy: CallPolicy, size: int) -> "Prefetch":
    from agentv_py.run.prefetch import Prefetch  # most suites ask no model

    return Prefetch(scorer, policy, size)


def _make_stage(plan: Plan, policy: CallPolicy, record: "Record | None") -> "AnswerStage":
    from agentv_py.run.answer_stage import AnswerStage  # most suites have recorded answers

    return AnswerStage(plan, policy, record)
