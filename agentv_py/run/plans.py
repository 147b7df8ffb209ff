"""Suite files → their plans, or the problems of all of them at once."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from agentv_py.errors import InvalidSuite, NothingSelected, Problem, UserError
from agentv_py.suite.answers import AnswerChoice
from agentv_py.suite.load import load
from agentv_py.suite.plan import Plan
from agentv_py.suite.selection import Selection
from agentv_py.suite.slice_key import NO_SLICES, SliceChoice

if TYPE_CHECKING:
    from agentv_py.suite.case_checker import CheckTask, Share, TaskFacts
    from agentv_py.targets.live import LiveTarget


def load_plans(
    files: Sequence[str],
    selection: Selection,
    answers: AnswerChoice | None = None,
    slices: SliceChoice = NO_SLICES,
    *,
    strict: bool = False,
    jobs: int | None = 1,
) -> list[Plan]:
    """Load every suite. Raise the problems of all suites at once; with `strict`, warnings are problems, too.

    Large datasets are checked in `jobs` processes; None means one for each processor.
    """
    share = _build_share(jobs)
    slices.check()
    plans: list[Plan] = []
    problems: list[Problem] = []
    omitted = 0
    for file in files:
        try:
            plan = load(file, selection, answers, slices, share)
        except UserError as error:
            problems.extend(error.problems)
            omitted += error.omitted
            continue
        if other := next((other for other in plans if other.name == plan.name), None):
            problems.append(Problem(_describe_clash(plan, other), "", file))
        plans.append(plan)
        problems.extend((*plan.warnings, *plan.remarks) if strict else ())
    problems.extend(_find_unknown_slices(plans, slices) if len(plans) == len(files) else ())
    if problems:
        raise InvalidSuite(*problems, omitted=omitted)
    return plans


def _build_share(jobs: int | None) -> "Share | None":
    """Return what lets other processes check cases; None if this process checks them alone."""
    jobs = jobs or os.cpu_count() or 1
    # Only a forked process has the same hashes of ids.
    return None if jobs == 1 or sys.platform != "linux" else partial(_check_in_processes, jobs)


def _check_in_processes(
    jobs: int, work: "Callable[[CheckTask], TaskFacts | None]", tasks: "Iterable[CheckTask]"
) -> "Iterator[TaskFacts | None]":
    from agentv_py.run.engines import Recovery, local  # most suites are checked in one process

    # A process that dies says nothing about its cases, so this process checks them.
    return local.run(
        work, tasks, jobs, recovery=Recovery(lambda task: [task], lambda _task, _how: None), sends_ahead=True
    )


def _find_unknown_slices(plans: Sequence[Plan], slices: SliceChoice) -> Iterator[Problem]:
    """Yield a problem for each key of the command line that no suite has."""
    for key in slices.keys:
        if all(key in plan.unknown_slices for plan in plans):
            yield from (Problem(plan.unknown_slices[key], "--slice", plan.file) for plan in plans[:1])


def check_selection(plans: Sequence[Plan], selection: Selection) -> None:
    """Raise a UserError if a flag names what no suite has, and NothingSelected if no suite has a case to run."""
    for flag in plans[0].selection.unknown:
        if all(flag in plan.selection.unknown for plan in plans):
            raise UserError(*(Problem(plan.selection.unknown[flag], flag, plan.file) for plan in plans))
    if not any(plan.selected for plan in plans):
        raise NothingSelected(*(_explain_nothing(plan, selection) for plan in plans))


def check_code(plans: Sequence[Plan]) -> None:
    """Load the user's code that targets call. Raise InvalidSuite if that fails."""
    problems = [problem for plan in plans for problem in _load_code(plan)]
    if problems:
        raise InvalidSuite(*problems)


def _load_code(plan: Plan) -> Iterator[Problem]:
    for name, target, predictions in plan.targets:
        if predictions is None:
            for key, what in cast("LiveTarget", target).problems_of_code():
                yield Problem(what, f"target {name}.{key}", plan.file)


def _describe_clash(plan: Plan, other: Plan) -> str:
    if os.path.samefile(other.file, plan.file):  # noqa: PTH121  keeps the user's spelling
        return "is listed twice"
    return f"is named {plan.name!r} like {other.file}; give one a name:"


def _explain_nothing(plan: Plan, selection: Selection) -> Problem:
    if flags := selection.describe():
        return Problem(f"no case fits {flags}, so nothing ran{plan.selection.hint}", "", plan.file)
    files = ", ".join(source.display_name for source in plan.case_files)
    return Problem("holds no case, so nothing ran", "", files or plan.file)
