"""Plans → rows on disk, and what they add up to."""

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from agentv_py.errors import InputChanged, Problem, UserError
from agentv_py.models.policy import Terms
from agentv_py.process import orphans
from agentv_py.process.persistent import stop_persistent
from agentv_py.report.summary import Summary
from agentv_py.results.read import Source, rows
from agentv_py.results.write import STDOUT, Writer
from agentv_py.run import fingerprint
from agentv_py.run.engines import local
from agentv_py.run.holdback import Holdback
from agentv_py.run.resume import Earlier, forget, resumed
from agentv_py.run.scorer import CHUNK, Scored, Scorer, chunks, scorer_of, verify
from agentv_py.run.unlabelled import Labels
from agentv_py.suite.plan import Plan, RawCase

if TYPE_CHECKING:
    from agentv_py.run.prefetch import Prefetch

# Below this a second process costs more to start than it saves.
_WORTH_A_PROCESS = 2_000


@dataclass(slots=True)
class Session:
    """What a run left behind, per suite and as a whole."""

    whole: Summary = field(default_factory=Summary)
    summaries: list[Summary] = field(default_factory=list)
    never_labelled: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)
    """How far each suite came whose budget was spent before its end."""


def run_plans(
    plans: Sequence[Plan],
    output: str | None,
    jobs: int | None,
    advance: Callable[[int], None],
    *,
    data: bool = True,
    terms: Terms | None = None,
    spool: Source | None = None,
) -> Session:
    """Run them all. A `spool` keeps rows that go where they cannot be read again."""
    session, terms = Session(), terms or Terms()
    with _writers(plans, output, spool) as writers, _told_where(writers), _checking_inputs(plans, writers):
        for writer in dict.fromkeys(writers):
            if writer.target != STDOUT:
                forget(writer.target)
            its = [plan for plan, one in zip(plans, writers, strict=True) if one is writer]
            fingerprint.note(writer.target, its, data=data)
        for plan, writer in zip(plans, writers, strict=True):
            work = _Work(plan, jobs, data=data, terms=terms.within(plan.suite.budget))
            summary, labels = work.run(plan.raw_cases(), len(plan.selected), writer.write, advance)
            session.summaries.append(summary)
            session.whole.merge(summary)
            session.stopped.extend(work.stopped(summary.cases))
            session.never_labelled.extend(
                f"{plan.shown}: {evaluator}: {path!r} is in no case's expected value; is it a typo?"
                for evaluator, path in labels.never(summary)
            )
        session.written.extend(dict.fromkeys(writer.target for writer in writers if writer.target != STDOUT))
        session.whole.rows = partial(rows, list(dict.fromkeys(writer.source for writer in writers)))
    return session


def resume_plans(
    plans: Sequence[Plan],
    output: str,
    jobs: int | None,
    advance: Callable[[int], None],
    *,
    data: bool = True,
    terms: Terms | None = None,
    force: bool = False,
) -> Session:
    """Run what a results file lacks, errored cases among it; the session is of the whole file."""
    session, terms = Session(written=[output]), terms or Terms()
    with resumed(output, plans, data=data, force=force) as earlier, _checking_inputs(plans, [earlier]):
        session.warnings.extend(earlier.warnings)
        for plan in plans:
            kept = earlier.kept(plan)
            suite_terms = terms.within(plan.suite.budget)
            suite_terms.ledger.record_earlier(kept.usage)
            work = _Work(plan, jobs, data=data, terms=suite_terms)
            advance(kept.cases)
            todo = len(plan.selected) - kept.cases
            summary, _ = work.run(earlier.missing(plan), todo, earlier.write, advance) if todo else (Summary(), None)
            session.stopped.extend(work.stopped(kept.cases + summary.cases))
    summaries = {plan.name: Summary([plan.name]) for plan in plans}
    session.whole.rows = partial(rows, [Source(Path(output), output)])
    for row in session.whole.rows():
        summaries.setdefault(row["suite"], Summary()).add(row)
    for summary in summaries.values():
        session.whole.merge(summary)
    session.summaries.extend(summaries[plan.name] for plan in plans)
    return session


class _Work:
    """One suite's cases, scored in this process or in several."""

    def __init__(self, plan: Plan, jobs: int | None, *, data: bool, terms: Terms) -> None:
        self.plan = plan
        self.jobs = jobs
        self.size, self.worth = (1, 2) if plan.outside else (CHUNK, _WORTH_A_PROCESS)
        self.scorer = scorer_of(plan, data=data)
        self.prefetch = _prefetch(self.scorer, terms, self.size) if plan.asks else None
        self.holdback = Holdback()

    def run(
        self, cases: Iterator[RawCase], count: int, write: Callable[[bytes], None], advance: Callable[[int], None]
    ) -> tuple[Summary, Labels]:
        summary, labels = Summary([self.plan.name]), Labels()
        if self.plan.outside:
            orphans.adopt()  # so that what a dying worker leaves behind comes to this process
        for scored in self._scored(cases, count):
            advance(scored.summary.cases)
            for ready in self.holdback.take(scored) if self.plan.outside else [scored]:
                write(ready.rows)
                summary.merge(ready.summary)
                labels.merge(ready.labels)
        if summary.cases != count and not (self.prefetch and self.prefetch.stopped):
            what = f"{summary.cases:,} rows were written for {count:,} selected cases"
            raise InputChanged(Problem(what, "", self.plan.shown))
        return summary, labels

    def stopped(self, cases: int) -> Iterator[str]:
        if self.prefetch is not None and self.prefetch.stopped:
            whole = len(self.plan.selected)
            yield f"{self.plan.name}: the budget is spent ({self.prefetch.stopped}) after {cases:,} of {whole:,} cases"

    def _scored(self, cases: Iterator[RawCase], count: int) -> Iterator[Scored]:
        jobs = self._jobs(count)
        pause, pieces = (verify, self.holdback.pause_when_full) if self.plan.outside else (None, iter)
        if self.prefetch is not None:
            return local.run(self.prefetch.score, pieces(self.prefetch.pieces(cases)), jobs, stop_persistent, pause)
        return local.run(self.scorer, pieces(chunks(cases, self.size)), jobs, stop_persistent, pause)

    def _jobs(self, count: int) -> int:
        jobs = self.jobs
        if jobs is None:
            jobs = (os.cpu_count() or 1) if count >= self.worth else 1
        return max(1, min(jobs, -(-count // self.size)))


def _prefetch(scorer: Scorer, terms: Terms, size: int) -> "Prefetch":
    from agentv_py.run.prefetch import Prefetch  # most suites ask no model

    return Prefetch(scorer, terms, size)


@contextmanager
def spooling(*, wanted: bool) -> Iterator[Source | None]:
    """A temporary file for the rows of a run that writes its results to a pipe, and shows them in a report as well."""
    if not wanted:
        yield None
        return
    with tempfile.NamedTemporaryFile(prefix="evalctl-", suffix=".jsonl") as file:
        yield Source(Path(file.name), STDOUT)


@contextmanager
def _told_where(writers: Sequence[Writer]) -> Iterator[None]:
    """Whoever interrupts the run is told where its rows are."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        for target in dict.fromkeys(writer.target for writer in writers):
            if target != STDOUT and Path(target).is_file() and Path(target).stat().st_size:
                interrupt.add_note(f"finished rows are in {target}; -o {target} --resume goes on")
        raise


@contextmanager
def _checking_inputs(plans: Sequence[Plan], keepers: Sequence[Writer | Earlier]) -> Iterator[None]:
    """A run whose inputs change meanwhile ends as an error, and no other run goes on with its rows unasked."""
    found: Sequence[Problem] = []
    try:
        yield
    except InputChanged as error:
        found = error.problems
    except UserError:
        raise
    except Exception:
        if not any(plan.files.changed() for plan in plans):
            raise
    targets = list(dict.fromkeys(keeper.target for keeper in keepers))
    rows = f"the rows in {', '.join(targets)} may be of either version; run again"
    changed = dict.fromkeys(str(path) for plan in plans for path in plan.files.changed())
    found = [Problem(f"changed during the run; {rows}", "", path) for path in changed] or found
    if found:
        for target in targets:
            fingerprint.discard(target)
        raise InputChanged(*found)


@contextmanager
def _writers(plans: Sequence[Plan], output: str | None, spool: Source | None) -> Iterator[list[Writer]]:
    """A writer for each plan: all of them one file where it was named, else one file each."""
    inputs = [path for plan in plans for path in plan.inputs()]
    with ExitStack() as stack:
        if output is not None:
            yield [stack.enter_context(Writer(output, inputs, spool))] * len(plans)
        else:
            yield [stack.enter_context(Writer.in_folder(plan.name)) for plan in plans]
