"""Two values under a leaf → their comparison."""

from typing import Any

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import Comparison, is_empty, matched
from agentv_py.comparison.matchers.base import Incomparable
from agentv_py.comparison.tree import Leaf


def compare(leaf: Leaf, expected: Any, actual: Any, full_match: Comparison) -> Comparison:
    # This is is_empty of both sides, spelled out: much of the run's time is spent here.
    if expected is None or (type(expected) is str and (not expected or expected.isspace())):
        return _compare_empty(leaf, expected, actual, full_match)
    if actual is None or actual is ABSENT or (type(actual) is str and (not actual or actual.isspace())):
        return _compare_empty(leaf, expected, actual, full_match)
    try:
        similarity = leaf.similarity(expected, actual)
    except Incomparable as why:
        return Comparison("mismatch", full_match.path, 0.0, 0.0, why.note, expected, actual)
    if similarity == 1.0:
        return full_match
    if similarity >= leaf.passes_at:
        score = similarity if leaf.graded else 1.0
        return Comparison("match", full_match.path, score, similarity, "", expected, actual)
    return Comparison("mismatch", full_match.path, 0.0, similarity, "", expected, actual)


def _compare_empty(leaf: Leaf, expected: Any, actual: Any, full_match: Comparison) -> Comparison:
    path = full_match.path
    if is_empty(expected) and is_empty(actual):
        return Comparison("blank", path, 1.0, 1.0, "", expected, actual)
    if leaf.empty_as is not None:
        sides = [leaf.empty_as if is_empty(value) else value for value in (expected, actual)]
        read = compare(leaf, sides[0], sides[1], full_match)
        if read.outcome == "match":
            return read
    if is_empty(expected):
        return Comparison("extra", path, 0.0, 0.0, "unexpected", expected, actual)
    return Comparison("missing", path, 0.0, 0.0, why_missing(actual), expected, actual)


def why_missing(actual: Any) -> str:
    return "null value" if actual is None else "required, missing"


def best_reading(leaf: Leaf, readings: list[Any], actual: Any, path: str) -> tuple[Comparison, int]:
    tries = [compare(leaf, reading, actual, matched(path)) for reading in readings or [None]]
    best = max(range(len(tries)), key=lambda index: (tries[index].score, tries[index].similarity, -index))
    return tries[best], best
