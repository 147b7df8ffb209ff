"""Plans → rows in results files, and their sums."""

import tempfile
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from agentv_py.errors import InputChanged, Problem, UserError
from agentv_py.models.policy import CallPolicy
from agentv_py.report.slices.fold import Slices
from agentv_py.report.summary import Summary
from agentv_py.results.part import remove_leftovers
from agentv_py.results.read import ResultsSource, reread_rows
from agentv_py.results.write import STDOUT, Writer
from agentv_py.run.chunk import ScoredChunk
from agentv_py.run.engines import LOCAL, EngineChoice
from agentv_py.run.suite_run import SuiteRun
from agentv_py.suite.plan import Plan

if TYPE_CHECKING:
    from agentv_py.run.answer_stage import Record
    from agentv_py.run.resume import EarlierRun


@dataclass(slots=True, eq=False)
class Session:
    """The outcome of a run."""

    whole: Summary = field(default_factory=Summary)
    written: list[str] = field(default_factory=list)
    sources: list[ResultsSource] = field(default_factory=list)
    """Where the rows can be read again."""
    warnings: list[str] = field(default_factory=list)
    stopped: list[str] = field(default_factory=list)
    """For each suite that the budget stopped: how many of its cases ran."""
    notes: list[str] = field(default_factory=list)
    """For each target that was asked: how many answers it gave, and how many the cache had."""


def run_plans(
    plans: Sequence[Plan],
    output: str | None,
    jobs: int | None,
    advance: Callable[[int], None],
    *,
    data: bool = True,
    policy: CallPolicy | None = None,
    spool: ResultsSource | None = None,
    engine: EngineChoice = LOCAL,
    record: "Record | None" = None,
) -> Session:
    """Run every plan. Rows in a pipe cannot be read again, so a `spool` keeps a copy of them."""
    session, policy = Session(), policy or CallPolicy()
    with (
        _open_writers(plans, output, spool) as writers,
        _note_where_rows_are([writer.target for writer in writers]),
        check_inputs(plans, writers),
    ):
        _prepare_files(plans, writers)
        for plan, writer in zip(plans, writers, strict=True):
            suite_policy = policy.for_suite(plan.suite.budget)
            run = SuiteRun(plan, jobs, data=data, policy=suite_policy, engine=engine, record=record)
            results = run.score(advance)
            summary = _write_results(plan, results, writer.write)
            session.whole.merge(summary)
            session.stopped.extend(run.describe_stop(summary.cases))
            session.notes.extend(run.describe_answers())
        session.written.extend(dict.fromkeys(writer.target for writer in writers if writer.target != STDOUT))
        session.sources = list(dict.fromkeys(writer.source for writer in writers))
        session.whole.rows = partial(reread_rows, session.sources)
        session.whole.results = session.written[0] if len(session.written) == 1 else ""
    return session


def resume_plans(
    plans: Sequence[Plan],
    output: str,
    jobs: int | None,
    advance: Callable[[int], None],
    *,
    data: bool = True,
    policy: CallPolicy | None = None,
    force: bool = False,
    engine: EngineChoice = LOCAL,
    record: "Record | None" = None,
) -> Session:
    """Run the cases that a results file lacks and those that erred; the session covers the whole file."""
    from agentv_py.run.resume import open_for_resume  # most runs are new

    session, policy = Session(written=[output]), policy or CallPolicy()
    with (
        _note_where_rows_are([output]),
        open_for_resume(output, plans, data=data, force=force) as earlier,
        check_inputs(plans, [earlier]),
    ):
        session.warnings.extend(earlier.warnings)
        for plan in plans:
            plan.note_contents()
        for plan in plans:
            finished = earlier.count_finished(plan)
            advance(finished.cases)
            missing = plan.count_rows() - finished.cases
            suite_policy = policy.for_suite(plan.suite.budget)
            suite_policy.spending.record_earlier(finished.usage)
            if missing:
                run = SuiteRun(plan, jobs, data=data, policy=suite_policy, engine=engine, record=record)
                if plan.targets:
                    results = run.score_cases(earlier.list_missing(plan), missing, advance)
                else:
                    results = run.score(advance, earlier.list_missing_positions(plan))
                summary = _write_results(plan, results, earlier.write)
                session.stopped.extend(run.describe_stop(finished.cases + summary.cases))
                session.notes.extend(run.describe_answers())
    session.whole.slices = Slices({plan.name: plan.slices for plan in plans if plan.slices})
    for plan in plans:
        session.whole.find_suite(plan.name)
    session.sources = [ResultsSource(Path(output), output)]
    session.whole.rows = partial(reread_rows, session.sources)
    session.whole.results = output
    for row in session.whole.rows():
        session.whole.add(row)
    return session


def _prepare_files(plans: Sequence[Plan], writers: Sequence[Writer]) -> None:
    """Clear up what a killed run left beside each results file, and note the content of every input."""
    for plan in plans:
        plan.note_contents()
    for writer in dict.fromkeys(writers):
        if writer.target != STDOUT:
            remove_leftovers(writer.target)


def _write_results(
    plan: Plan, results: Generator[ScoredChunk, None, None], write: Callable[[bytes | memoryview], None]
) -> Summary:
    summary = Summary()
    summary.find_suite(plan.name)
    with closing(results):  # also if a row cannot be written
        for scored in results:
            write(scored.rows)
            summary.merge(scored.summary)
    return summary


@contextmanager
def spool_rows(*, wanted: bool) -> Iterator[ResultsSource | None]:
    """Yield a temporary file for rows that go to a pipe, if a report must read them again."""
    if not wanted:
        yield None
        return
    with tempfile.NamedTemporaryFile(prefix="evalctl-", suffix=".jsonl") as file:
        yield ResultsSource(Path(file.name), STDOUT)


@contextmanager
def _note_where_rows_are(targets: Sequence[str]) -> Iterator[None]:
    """Add the place of the finished rows to the message of an interrupt."""
    try:
        yield
    except KeyboardInterrupt as interrupt:
        for target in dict.fromkeys(targets):
            if target != STDOUT and Path(target).is_file() and Path(target).stat().st_size:
                interrupt.add_note(f"finished rows are in {target}; -o {target} --resume continues")
        raise


@contextmanager
def check_inputs(plans: Sequence[Plan], outputs: "Sequence[Writer | EarlierRun]" = ()) -> Iterator[None]:
    """Raise InputChanged if an input changes during the run."""
    problems: Sequence[Problem] = []
    try:
        yield
    except InputChanged as error:
        problems = error.problems
    except UserError:
        raise
    except Exception:
        if not any(plan.files.list_changed() for plan in plans):
            raise
    targets = list(dict.fromkeys(output.target for output in outputs))
    rows = f"the rows in {', '.join(targets)}" if targets else "its rows"
    what = f"changed during the run; {rows} may be of either version; run again"
    changed = dict.fromkeys(str(path) for plan in plans for path in plan.files.list_changed())
    problems = [Problem(what, "", path) for path in changed] or problems
    if problems:
        raise InputChanged(*problems)


@contextmanager
def _open_writers(plans: Sequence[Plan], output: str | None, spool: ResultsSource | None) -> Iterator[list[Writer]]:
    """Yield a writer for each plan: the same one if the user named a file, else one file each."""
    inputs = [path for plan in plans for path in plan.list_inputs()]
    with ExitStack() as stack:
        if output is not None:
            yield [stack.enter_context(Writer(output, inputs, spool))] * len(plans)
        else:
            yield [stack.enter_context(Writer.in_folder(plan.name)) for plan in plans]
