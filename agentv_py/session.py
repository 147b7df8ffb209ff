"""Plans → rows on disk, and what they add up to."""

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from agentv_py import orphans
from agentv_py.engines import local
from agentv_py.process import stop_persistent
from agentv_py.report.labels import Labels
from agentv_py.report.summary import Summary
from agentv_py.results import STDOUT, Source, Writer, rows
from agentv_py.runner import CHUNK, chunks, scorer_of
from agentv_py.suite.plan import Plan

# Below this a second process costs more to start than it saves.
_WORTH_A_PROCESS = 2_000


@dataclass(slots=True)
class Session:
    """What a run left behind, per suite and as a whole."""

    whole: Summary = field(default_factory=Summary)
    summaries: list[Summary] = field(default_factory=list)
    never_labelled: list[str] = field(default_factory=list)
    written: list[str] = field(default_factory=list)


def run_plans(
    plans: Sequence[Plan],
    output: str | None,
    jobs: int | None,
    advance: Callable[[int], None],
    *,
    data: bool = True,
    spool: Source | None = None,
) -> Session:
    """Run them all. A `spool` keeps rows that go where they cannot be read again."""
    session = Session()
    with _writers(plans, output, spool) as writers:
        for plan, writer in zip(plans, writers, strict=True):
            summary, labels = _run_plan(plan, writer, jobs, advance, data=data)
            session.summaries.append(summary)
            session.whole.merge(summary)
            session.never_labelled.extend(
                f"{plan.shown}: {evaluator}: {path!r} is in no case's expected value; is it a typo?"
                for evaluator, path in labels.never(summary)
            )
        session.written.extend(dict.fromkeys(writer.target for writer in writers if writer.target != STDOUT))
        session.whole.rows = partial(rows, list(dict.fromkeys(writer.source for writer in writers)))
    return session


@contextmanager
def spooling(*, wanted: bool) -> Iterator[Source | None]:
    """A temporary file for the rows of a run that writes its results to a pipe, and shows them in a report as well."""
    if not wanted:
        yield None
        return
    with tempfile.NamedTemporaryFile(prefix="evalctl-", suffix=".jsonl") as file:
        yield Source(Path(file.name), STDOUT)


def _run_plan(
    plan: Plan, writer: Writer, jobs: int | None, advance: Callable[[int], None], *, data: bool
) -> tuple[Summary, Labels]:
    summary, labels = Summary([plan.name]), Labels()
    size, worth = (1, 2) if plan.outside else (CHUNK, _WORTH_A_PROCESS)
    if plan.outside:
        orphans.adopt()  # so that what a dying worker leaves behind comes to this process
    if jobs is None:
        jobs = (os.cpu_count() or 1) if len(plan.selected) >= worth else 1
    jobs = max(1, min(jobs, -(-len(plan.selected) // size)))
    for scored in local.run(scorer_of(plan, data=data), chunks(plan.raw_cases(), size), jobs, stop_persistent):
        writer.write(scored.rows)
        summary.merge(scored.summary)
        labels.merge(scored.labels)
        advance(scored.summary.cases)
    return summary, labels


@contextmanager
def _writers(plans: Sequence[Plan], output: str | None, spool: Source | None) -> Iterator[list[Writer]]:
    """A writer for each plan: all of them one file where it was named, else one file each."""
    inputs = [path for plan in plans for path in plan.inputs()]
    with ExitStack() as stack:
        if output is not None:
            yield [stack.enter_context(Writer(output, inputs, spool))] * len(plans)
        else:
            yield [stack.enter_context(Writer.in_folder(plan.name)) for plan in plans]
