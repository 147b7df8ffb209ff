"""A case and a path → the value there, and its comparison with another value as a score."""

from collections.abc import Iterator
from typing import Any

from agentv_py import jsontext
from agentv_py.case import ABSENT, CandidateNotJson, Case
from agentv_py.comparison.comparison import Comparison
from agentv_py.comparison.paths import ROOT, parse_path
from agentv_py.comparison.scoring import score_from_trace
from agentv_py.comparison.trace import Trace
from agentv_py.score import Score


def read_part(case: Case, path: str) -> Any:
    """Return the whole candidate as it is, text as text; or the value at a path in it. Raises CandidateNotJson."""
    if path == ROOT:
        return case.candidate
    value = case.candidate
    if type(value) is str:
        try:
            value, case.parsed = jsontext.find(value)
        except jsontext.NotJson as error:
            raise CandidateNotJson(str(error)) from None
    return parse_path(path).build_getter()(value)


def write_text(value: Any) -> Any:
    """Return a text as it is, and the JSON of any other value; an absent value stays absent."""
    return value if type(value) is str or value is ABSENT else jsontext.dumps(value).decode()


def find_malformed(path: str) -> Iterator[tuple[tuple[str], str]]:
    """Yield the option and the problem if a path cannot be parsed, or names more than one value."""
    steps = parse_path(path).steps
    if steps is None:
        yield ("path",), f"malformed path {path!r} reaches nothing"
    elif any(step.each for step in steps):
        yield ("path",), f"path {path!r} names several values, and only one can be checked"


def score_comparison(comparison: Comparison) -> Score:
    """Return the score of a single comparison: 1 or 0."""
    trace = Trace()
    trace.comparisons = [comparison]
    return score_from_trace(comparison.score, trace)
