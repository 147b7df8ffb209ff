"""Figures that an answer tells about itself, and their limits → a score: 1 if no figure is above its limit, else 0."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from agentv_py.case import Case
from agentv_py.comparison.comparison import Comparison, build_full_match
from agentv_py.comparison.scoring import score_from_trace
from agentv_py.comparison.trace import Trace
from agentv_py.errors import EvaluationError
from agentv_py.score import SLACK, Score


class Limit(NamedTuple):
    """The largest value that a figure may have."""

    name: str
    """The name of the figure in the results."""
    most: float


def score_limits(limits: Sequence[Limit], figures: Mapping[str, float]) -> Score:
    """Return the score of an answer. A figure at its limit is within it. Raises EvaluationError if one is unknown."""
    trace = Trace()
    for name, most in limits:
        if name not in figures:
            raise EvaluationError("no_data", f"the answer does not tell its {name}")
        trace.comparisons.append(_compare(name, most, figures[name]))
    misses = [comparison for comparison in trace.comparisons if comparison.outcome != "match"]
    score = score_from_trace(0.0 if misses else 1.0, trace)
    said = ", ".join(f"{name} {figures[name]:g} of at most {most:g}" for name, most in limits)
    return score._replace(reasoning=said, verdict="fail" if misses else "pass")


def get_fact(case: Case, name: str) -> Any:
    """Return what the answer tells about itself under this name; None if it tells nothing."""
    return (case.facts or {}).get(name)


def _compare(name: str, most: float, figure: float) -> Comparison:
    if figure <= most + SLACK * abs(most):
        return build_full_match(name)
    return Comparison("mismatch", name, 0.0, 0.0, f"above {most:g}", most, figure)
