"""Values, paths and rows → comparisons, hits, misses and counts: the functions for judge scripts.

Judges import these names from `agentv_py.comparison`, which loads this module when the first of them is used. The names
and their meaning stay the same when the modules behind them change.
"""

from collections.abc import Sequence
from typing import Any

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import Comparison, Outcome, build_full_match, is_empty
from agentv_py.comparison.compile import compile_leaf, compile_paths
from agentv_py.comparison.counts import count_outcomes, macro_average, summarize_counts
from agentv_py.comparison.leaf import compare_leaf
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.mismatch import describe_mismatches, split_hits_and_misses
from agentv_py.comparison.pairing.assignment import pair_greedily
from agentv_py.comparison.paths import ROOT, join_path, parse_path, write_suffix
from agentv_py.comparison.readers.date import read_date
from agentv_py.comparison.trace import Trace
from agentv_py.comparison.tree import Field
from agentv_py.comparison.unpaired import compare_to_nothing, compare_unpaired, count_values
from agentv_py.comparison.walk import walk

__all__ = [
    "Comparison", "compare_path", "compare_rows", "compare_value", "count_outcomes", "describe_mismatches", "is_empty",
    "join_path", "macro_average", "pair_by_similarity", "read_date", "split_hits_and_misses", "summarize_counts",
    "value_at",
]  # fmt: skip


def value_at(value: Any, path: str) -> Any:
    """Return the value at a path. Where no value is, return a marker for which `is_empty` is true."""
    return parse_path(path).build_getter()(value)


def compare_value(match: Match, expected: Any, actual: Any, path: str = ROOT) -> Comparison:
    """Compare two values. A list is one value, and an expected value that is not there counts as empty."""
    return compare_leaf(compile_leaf(match), None if expected is ABSENT else expected, actual, build_full_match(path))


def compare_path(match: Match, path: str, expected: Any, candidate: Any) -> list[Comparison]:
    """Compare the values at a path of two values; a path with `[*]` has one comparison for each element."""
    parsed = parse_path(path)
    if not any(step.each for step in parsed.steps or ()):
        return [compare_value(match, value_at(expected, path), value_at(candidate, path), path)]
    trace = Trace()
    walk(compile_paths([(parsed, match)]), expected, candidate, "", trace)
    return trace.comparisons


def pair_by_similarity(similarities: Any, threshold: float) -> list[tuple[int, int]]:
    """Pair rows greedily: return the expected and the actual index of each pair, the most similar ones taken first.

    `similarities` has a row for each expected row and a column for each actual row. A pair below the threshold or of
    similarity 0 is not made.
    """
    import numpy as np

    matrix = np.asarray(similarities, dtype=np.float64)
    return pair_greedily(matrix, threshold) if matrix.size else []


def compare_rows(
    match: Match,
    fields: Sequence[str],
    expected: Sequence[Any],
    actual: Sequence[Any],
    pairs: Sequence[tuple[int, int]],
    path: str,
) -> list[Comparison]:
    """Compare the fields of paired rows of the list at a path. A row without a partner is one miss."""
    row_field = compile_paths([(parse_path(field), match) for field in fields])
    partners, taken = dict(pairs), {right for _, right in pairs}
    comparisons: list[Comparison] = []
    for index, row in enumerate(expected):
        place = f"{path}[{index}]"
        if index not in partners:
            comparisons += _compare_alone("missing", "missing", row_field, row, place)
            continue
        for field in fields:
            left, right = value_at(row, field), value_at(actual[partners[index]], field)
            comparisons.append(compare_value(match, left, right, place + write_suffix(field)))
    for index, row in enumerate(actual):
        if index not in taken:
            comparisons += _compare_alone("extra", "unexpected", row_field, row, f"{path}[+{index}]")
    return comparisons


def _compare_alone(outcome: Outcome, note: str, row_field: Field, row: Any, path: str) -> list[Comparison]:
    """Compare a row without a partner. It is a miss even if it has none of the fields, unless all of it is blank."""
    comparisons = compare_unpaired(outcome, note, row_field, row, path)
    return comparisons or ([compare_to_nothing(outcome, note, path, row, "row")] if count_values(row) else [])
