"""What a run reached and what it must reach → which gates it met or missed, and the exit code."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from agentv_py.report.summary import SuiteSummary
from agentv_py.report.tally import Tally
from agentv_py.run.session import Session
from agentv_py.suite.plan import Plan
from agentv_py.suite.schema import Gates

if TYPE_CHECKING:
    from agentv_py.report.gate_result import GateResult

PASSED, FAILED, ERRORED = 0, 1, 3


def choose_gates(plan: Plan, mean_score: float | None, pass_rate: float | None) -> Gates:
    """Return the suite's gates; a given value replaces the suite's own."""
    given = {"mean_score": mean_score, "pass_rate": pass_rate}
    return plan.suite.gates.model_copy(update={name: least for name, least in given.items() if least is not None})


def check_gates(session: Session, plans: Sequence[Plan], gates: Sequence[Gates]) -> None:
    """Note beside the figures of each suite which gates it met or missed; each of several targets must meet them."""
    for plan, wanted in zip(plans, gates, strict=True):
        suite = session.whole.find_suite(plan.name)
        targets = [group for group in session.whole.groups.members.values() if group.suite == plan.name]
        tallies = {group.value: group for group in targets} if len(targets) > 1 else {"": suite}
        suite.gates = [gate for name, tally in tallies.items() for gate in _check_tally(tally, wanted, name)]


def choose_exit_code(session: Session, plans: Sequence[Plan]) -> int:
    """Return the worst of the suites' exit codes; a run that stopped early has erred."""
    if session.stopped:
        return ERRORED
    return max(_choose_suite_exit_code(session.whole.find_suite(plan.name)) for plan in plans)


def _check_tally(tally: Tally, gates: Gates, target: str) -> "Iterator[GateResult]":
    """Compare figures with the gates; a suite without cases, in a run of several, has nothing to reach."""
    if not tally.cases:
        return
    if gates.mean_score is None and gates.pass_rate is None:
        return
    from agentv_py.report.gate_result import GateResult

    if gates.mean_score is not None:
        yield GateResult("mean_score", tally.mean_score.value, gates.mean_score, target)
    if gates.pass_rate is not None:
        yield GateResult("pass_rate", tally.pass_rate.value, gates.pass_rate, target)


def _choose_suite_exit_code(suite: SuiteSummary) -> int:
    """Return the exit code of one suite: errors outrank failures, and gates alone decide between 0 and 1."""
    if suite.errors:
        return ERRORED
    passes = suite.meets_gates if suite.gates else suite.passed == suite.cases
    return PASSED if passes else FAILED
