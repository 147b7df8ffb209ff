"""A path into the candidate, and perhaps another into the expected value → the values there."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from agentv_py.case import ABSENT, CandidateNotJson, Case
from agentv_py.comparison.paths import ROOT, Get, parse_path
from agentv_py.comparison.scoring import score_unlabelled
from agentv_py.score import Score, score_not_json


class PathPair(NamedTuple):
    """Where a value is in the candidate, and where in the expected value."""

    path: str
    """The path in the candidate, which hits and misses show; empty if it is the whole candidate."""
    actual: Get
    expected: Get
    details: dict[str, Any]
    """The part of `details` that names both paths, if they differ."""

    expected_path: str
    is_same: bool
    """Whether one option names both paths."""

    def expected_option(self, option: str) -> tuple[tuple[str], str]:
        """Return the option that names the path in the expected value, and that path."""
        return ((option,) if self.is_same else (f"expected_{option}",)), self.expected_path

    def values(self, case: Case) -> tuple[Any, Any] | Score:
        """Return the expected and the actual value, or the score of a case that has nothing to compare."""
        try:
            expected, candidate = case.parsed_values()
        except CandidateNotJson:
            return score_not_json()
        value = self.expected(expected)
        return score_unlabelled() if value is ABSENT else (value, self.actual(candidate))


def pair_paths(path: str, expected_path: str | None) -> PathPair:
    other = path if expected_path is None else expected_path
    details = {} if other == path else {"paths": {"expected": other, "actual": path}}
    actual, expected = parse_path(path).build_getter(), parse_path(other).build_getter()
    return PathPair("" if path == ROOT else path, actual, expected, details, other, expected_path is None)


def find_malformed_paths(**paths: str | None) -> Iterator[tuple[tuple[str], str]]:
    """Yield the option and the problem of each path that cannot be parsed."""
    for key, path in paths.items():
        if path is not None and parse_path(path).steps is None:
            yield (key,), f"malformed path {path!r} reaches nothing"
