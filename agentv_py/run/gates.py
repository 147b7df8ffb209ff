"""A summary and what the run must reach → what was missed, and the exit code."""

from collections.abc import Iterator

from agentv_py.report.summary import Summary
from agentv_py.score import SLACK
from agentv_py.suite.schema import Gates

PASSED, FAILED, ERRORED = 0, 1, 3


def missed(summary: Summary, gates: Gates) -> Iterator[str]:
    if not summary.cases:
        return
    for name, value, least in (
        ("mean_score", summary.mean_score.value, gates.mean_score),
        ("pass_rate", summary.pass_rate.value, gates.pass_rate),
    ):
        if least is not None and value < least - SLACK:
            yield f"{name} {_short_of(value, least)} is below the gate of {least:.15g}"


def _short_of(value: float, least: float) -> str:
    """A value with as many digits as show that it is below."""
    return next(
        (text for text in (f"{value:.{digits}g}" for digits in range(4, 17)) if float(text) < least), f"{value}"
    )


def exit_code(summary: Summary, gates: Gates) -> int:
    """Errors outrank failures; where there are gates, they alone decide between 0 and 1."""
    if not summary.cases:  # another suite of the same run had some
        return PASSED
    if summary.errors:
        return ERRORED
    if gates != Gates():
        return FAILED if any(missed(summary, gates)) else PASSED
    return PASSED if summary.passed == summary.cases else FAILED
