"""A path into the candidate, and perhaps another into the expected value → the values there."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from agentv_py.case import ABSENT, Case, NotStructured
from agentv_py.comparison.paths import ROOT, Get, parse
from agentv_py.comparison.scoring import nothing_labelled
from agentv_py.score import Score, not_structured


class Places(NamedTuple):
    path: str
    """The candidate's, by which hits and misses are called; empty where it is the whole answer."""
    actual: Get
    expected: Get
    told: dict[str, Any]
    """The part of `details` that says where the expected value is, if that is elsewhere."""

    def values(self, case: Case) -> tuple[Any, Any] | Score:
        """Expected and actual, or the score of a case that has none to compare."""
        try:
            expected, candidate = case.structured()
        except NotStructured:
            return not_structured()
        value = self.expected(expected)
        return nothing_labelled([self.path or ROOT]) if value is ABSENT else (value, self.actual(candidate))


def places(path: str, expected_path: str | None) -> Places:
    other = path if expected_path is None else expected_path
    told = {} if other == path else {"paths": {"expected": other, "actual": path}}
    return Places("" if path == ROOT else path, parse(path).getter(), parse(other).getter(), told)


def malformed(**given: str | None) -> Iterator[tuple[tuple[str], str]]:
    """The configured paths that reach nothing, each by its key."""
    for key, path in given.items():
        if path is not None and parse(path).steps is None:
            yield (key,), f"malformed path {path!r} reaches nothing"
