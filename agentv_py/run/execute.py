"""A request → rows on disk, reports, an exit code: the whole run, step by step."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from agentv_py.errors import Problem, UserError
from agentv_py.models.budget import UNKNOWN_COST_MESSAGE, Budget, Spending
from agentv_py.models.policy import CallPolicy
from agentv_py.results.read import ResultsSource
from agentv_py.run.gates import check_gates, choose_exit_code, choose_gates
from agentv_py.run.plans import check_code, check_selection, load_plans
from agentv_py.run.request import RunRequest
from agentv_py.run.select import build_selection
from agentv_py.run.session import Session, resume_plans, run_plans, spool_rows
from agentv_py.suite.plan import Plan

if TYPE_CHECKING:
    from agentv_py.run.against import Comparison, Earlier


class Display:
    """What a run shows. This one shows nothing; the command line has one that writes to its terminal."""

    def needs_rows(self) -> bool:
        """Tell whether `show` or `write_reports` reads every row again."""
        return False

    def show_warnings(self, plans: Sequence[Plan]) -> None:
        """Show the warnings about the suites."""

    def show_selection(self, plans: Sequence[Plan]) -> None:
        """Show how many cases of each suite run, and why; and what was found out about their files."""

    def prepare(self, plans: Sequence[Plan]) -> None:
        """Check what can be checked before the first case is scored."""

    @contextmanager
    def show_progress(self, _plans: Sequence[Plan]) -> Iterator[Callable[[int], None]]:
        """Yield a function; call it with the number of newly finished cases."""
        yield lambda _cases: None

    def show(self, session: Session) -> None:
        """Show the summary."""

    def write_reports(self, plans: Sequence[Plan], session: Session) -> list[Problem]:
        """Write further reports; return a problem for each report that cannot be written."""
        del plans, session
        return []

    def show_comparison(self, comparison: "Comparison") -> list[Problem]:
        """Show what changed since earlier results; return a problem for each report that cannot be written."""
        del comparison
        return []

    def narrate(self, session: Session) -> None:
        """Show what the reports leave out: warnings, missed gates, and the place of the results."""


def execute(request: RunRequest, display: Display | None = None) -> int:
    """Run the suites of a request, and return the exit code."""
    display = display or Display()
    request.check()
    selection = build_selection(request)
    plans = load_plans(
        request.suites, selection, request.answers, request.slices, strict=request.strict, jobs=request.jobs
    )
    if request.label:
        label_plans(plans, request.label)
    display.show_warnings(plans)
    check_selection(plans, selection)
    check_code(plans)
    display.show_selection(plans)
    policy = choose_policy(plans, request)
    gates = [choose_gates(plan, request.mean_score, request.pass_rate) for plan in plans]
    display.prepare(plans)
    with ExitStack() as stack:
        earlier = find_earlier(request, plans, stack)
        spool = stack.enter_context(spool_rows(wanted=display.needs_rows() or earlier is not None))
        with display.show_progress(plans) as advance:
            session = score_plans(plans, request, policy, advance, spool)
        check_gates(session, plans, gates)
        display.show(session)
        problems = display.write_reports(plans, session)
        is_worse = earlier is not None and compare_runs(earlier, session, display, problems)
    display.narrate(session)
    if problems:
        raise UserError(*problems)
    return 0 if request.exit_zero else max(choose_exit_code(session, plans), int(is_worse))


def find_earlier(request: RunRequest, plans: Sequence[Plan], stack: ExitStack) -> "Earlier | None":
    """Find the results that the run is compared with; None if it is compared with nothing."""
    if request.against is None:
        return None
    from agentv_py.run.against import open_earlier  # most runs are compared with nothing

    return stack.enter_context(open_earlier(request, plans))


def compare_runs(earlier: "Earlier", session: Session, display: Display, problems: list[Problem]) -> bool:
    """Show what changed since the earlier results, note problems, and return whether a gate is violated."""
    from agentv_py.run.against import compare

    try:
        with compare(earlier, session) as comparison:
            problems += display.show_comparison(comparison)
            return bool(comparison.violations)
    except UserError as error:
        problems += error.problems
        return False


def label_plans(plans: Sequence[Plan], label: str) -> None:
    """Let every row of the run say its label, and the commit that is checked out."""
    from agentv_py.run.commit import read_commit  # most runs have no label

    commit = read_commit(Path())
    for plan in plans:
        plan.label = {"label": label} | ({"commit": commit} if commit else {})


def choose_policy(plans: Sequence[Plan], request: RunRequest) -> CallPolicy:
    """Return the cache and the budget with which models are asked."""
    if request.budget is not None and (unpriced := next((plan for plan in plans if plan.has_unknown_cost), None)):
        raise UserError(Problem(UNKNOWN_COST_MESSAGE, "--budget", unpriced.file))
    return CallPolicy(request.cache, Spending(Budget(cost=request.budget)))


def score_plans(
    plans: Sequence[Plan],
    request: RunRequest,
    policy: CallPolicy,
    advance: Callable[[int], None],
    spool: ResultsSource | None,
) -> Session:
    """Score the cases into a new results file, or the missing ones into the file that is resumed."""
    from agentv_py.run.recorder import open_recorder

    with open_recorder(request.record, plans, resume=request.resume) as record:
        if request.resume and request.output is not None:
            return resume_plans(
                plans,
                request.output,
                request.jobs,
                advance,
                data=request.data,
                policy=policy,
                force=request.force,
                engine=request.engine,
                record=record,
            )
        return run_plans(
            plans,
            request.output,
            request.jobs,
            advance,
            data=request.data,
            policy=policy,
            spool=spool,
            engine=request.engine,
            record=record,
        )
