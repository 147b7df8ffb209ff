"""Two values under a leaf → their comparison: the one definition of match, mismatch, missing, extra and blank.

Three places compute the same faster: the first branch of `walk._walk_record`, `pairing/matrices.py` and
`pairing/unambiguous.py`. Their results must be the same: laws with random data (tests/comparison) compare them with
this module.
"""

from collections.abc import Callable
from typing import Any

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import Comparison, Incomparable, build_full_match, is_empty
from agentv_py.comparison.matchers.exact import is_same
from agentv_py.comparison.readers.text import compose_text
from agentv_py.comparison.tree import Leaf


def compare_leaf(leaf: Leaf, expected: Any, actual: Any, full_match: Comparison) -> Comparison:
    """Return the comparison of two values. If they match fully, it is `full_match`, which has the path.

    A match type sees composed text, so that canonically equivalent texts are the same text to every type. Equal values
    match even where the type cannot read them.
    """
    # This is is_empty of both sides, spelled out: much of the run's time is spent here.
    if expected is None or (type(expected) is str and (not expected or expected.isspace())):
        return _compare_empty(leaf, expected, actual, full_match)
    if actual is None or actual is ABSENT or (type(actual) is str and (not actual or actual.isspace())):
        return _compare_empty(leaf, expected, actual, full_match)
    left, right = expected, actual
    if type(left) is str and type(right) is str:
        if not (left.isascii() and right.isascii()):
            left, right = compose_text(left), compose_text(right)
        if left == right and leaf.equal_values_match:
            return full_match
    try:
        similarity = leaf.similarity(left, right)
    except Incomparable as why:
        if leaf.equal_values_match and is_same(left, right):
            return full_match
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
        values = [leaf.empty_as if is_empty(value) else value for value in (expected, actual)]
        comparison = compare_leaf(leaf, values[0], values[1], full_match)
        if comparison.outcome == "match":
            return comparison
    if is_empty(expected):
        return Comparison("extra", path, 0.0, 0.0, "unexpected", expected, actual)
    return Comparison("missing", path, 0.0, 0.0, explain_missing(actual), expected, actual)


def explain_missing(actual: Any) -> str:
    """Return the note of a miss whose actual value is empty."""
    return "null value" if actual is None else "required, missing"


def compare_readings(
    leaf_of: Callable[[Any], Leaf], readings: list[Any], actual: Any, path: str
) -> tuple[Comparison, int]:
    """Return the best comparison with any of the accepted readings, and the index of that reading."""
    tries = [compare_leaf(leaf_of(reading), reading, actual, build_full_match(path)) for reading in readings or [None]]
    best = max(range(len(tries)), key=lambda index: (tries[index].score, tries[index].similarity, -index))
    return tries[best], best
