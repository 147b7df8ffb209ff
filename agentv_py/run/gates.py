"""What a run reached and what it must reach → which gates it met or missed, and the exit code."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from agentv_py.report.suite_summary import SuiteSummary
from agentv_py.report.summary import Summary
from agentv_py.run.session import Session
from agentv_py.suite.plan import Plan
from agentv_py.suite.schema import Gates

if TYPE_CHECKING:
    from agentv_py.report.gate_result import GateResult

PASSED, FAILED, ERRORED = 0, 1, 3
_NO_GATES = Gates.model_construct()  # a check would make pydantic search for plugins, which most runs do not need


def choose_gates(plan: Plan, mean_score: float | None, pass_rate: float | None) -> Gates:
    """Return the suite's gates; a given value replaces the suite's own, also those of single targets."""
    given = {"mean_score": mean_score, "pass_rate": pass_rate}
    update = {name: least for name, least in given.items() if least is not None}
    gates = plan.suite.gates
    targets = {name: own.model_copy(update=update) for name, own in (gates.targets or {}).items()}
    return gates.model_copy(update=update | ({"targets": targets} if update and targets else {}))


def check_gates(session: Session, plans: Sequence[Plan], gates: Sequence[Gates]) -> None:
    """Note beside the figures of each suite which gates it met or missed; each of several targets must meet them."""
    for plan, wanted in zip(plans, gates, strict=True):
        suite = session.whole.find_suite(plan.name)
        if wanted == _NO_GATES:
            continue
        suite.gates = [gate for target in suite.answers for gate in _check_target(session.whole, suite, target, wanted)]


def _check_target(whole: Summary, suite: SuiteSummary, target: str, gates: Gates) -> "Iterator[GateResult]":
    """Compare the figures of one target with its gates; it is named where the suite has several."""
    from agentv_py.run.gate_figures import check_attributes, check_figures, check_slices, merge_gates

    label = target if suite.has_several_targets else ""
    tally = whole.groups.members[suite.name, target] if label else suite
    own = merge_gates(gates, target)
    evaluators = [evaluator for (name, _), evaluator in suite.evaluators.items() if name == target]
    yield from check_figures(tally, own, label)
    yield from check_attributes(evaluators, own, label)
    if gates.slices:
        tables = (
            table for table in whole.slices.tables.values() if (table.suite, table.target) == (suite.name, target)
        )
        yield from check_slices(tables, gates.slices, label)


def choose_exit_code(session: Session, plans: Sequence[Plan]) -> int:
    """Return the worst of the suites' exit codes; a run that stopped early has erred."""
    if session.stopped:
        return ERRORED
    return max(_choose_suite_exit_code(session.whole.find_suite(plan.name)) for plan in plans)


def _choose_suite_exit_code(suite: SuiteSummary) -> int:
    """Return the exit code of one suite: errors outrank failures, and gates alone decide between 0 and 1."""
    if suite.errors:
        return ERRORED
    passes = suite.meets_gates if suite.gates else suite.passed == suite.cases
    return PASSED if passes else FAILED
