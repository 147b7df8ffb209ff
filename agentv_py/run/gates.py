"""What a run reached and what it must reach → which gates it missed, and the exit code."""

from collections.abc import Iterator, Sequence

from agentv_py.report.summary import Summary
from agentv_py.run.session import Session
from agentv_py.score import SLACK
from agentv_py.suite.plan import Plan
from agentv_py.suite.schema import Gates

PASSED, FAILED, ERRORED = 0, 1, 3


def choose_gates(plan: Plan, mean_score: float | None, pass_rate: float | None) -> Gates:
    """Return the suite's gates; a given value replaces the suite's own."""
    given = {"mean_score": mean_score, "pass_rate": pass_rate}
    return plan.suite.gates.model_copy(update={name: least for name, least in given.items() if least is not None})


def choose_exit_code(session: Session, gates: Sequence[Gates]) -> int:
    """Return the worst of the suites' exit codes; a run that stopped early has erred."""
    if session.stopped:
        return ERRORED
    return max(
        _choose_suite_exit_code(summary, wanted) for summary, wanted in zip(session.summaries, gates, strict=True)
    )


def find_missed_gates(summary: Summary, gates: Gates) -> Iterator[str]:
    """Describe each gate that the suite missed."""
    if not summary.cases:
        return
    for name, value, least in (
        ("mean_score", summary.mean_score.value, gates.mean_score),
        ("pass_rate", summary.pass_rate.value, gates.pass_rate),
    ):
        if least is not None and value < least - SLACK:
            yield f"{name} {_show_below(value, least)} is below the gate of {least:.15g}"


def _show_below(value: float, least: float) -> str:
    """Show a value with as many digits as are needed to see that it is below."""
    return next(
        (text for text in (f"{value:.{digits}g}" for digits in range(4, 17)) if float(text) < least), f"{value}"
    )


def _choose_suite_exit_code(summary: Summary, gates: Gates) -> int:
    """Return the exit code of one suite: errors outrank failures, and gates alone decide between 0 and 1."""
    if not summary.cases:  # another suite of the same run has cases
        return PASSED
    if summary.errors:
        return ERRORED
    if gates != Gates():
        return FAILED if any(find_missed_gates(summary, gates)) else PASSED
    return PASSED if summary.passed == summary.cases else FAILED
