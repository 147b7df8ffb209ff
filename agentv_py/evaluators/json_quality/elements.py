"""Two lists in any order, or two objects or lists that differ → what is missing, invented or different inside them."""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from typing import Any

from agentv_py.comparison.comparators import Fields, Unordered
from agentv_py.comparison.comparison import Comparison, build_full_match, is_empty
from agentv_py.comparison.compile import compile_anything, compile_comparators
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.matchers.numeric_tolerance import NumericTolerance
from agentv_py.comparison.mismatch import split_hits_and_misses
from agentv_py.comparison.trace import Trace
from agentv_py.comparison.tree import Field
from agentv_py.comparison.walk import walk
from agentv_py.evaluators.json_quality.same_text import SameJson, SameText

_MOST_SHAPES = 64
_Column = tuple[str, bool]
"""A key of the rows, and whether the values there are numbers."""


class InAnyOrder(SameText):
    """UNORDERED: the same elements in any order; a value that is no list is compared as EXACT does."""

    def describe_rule(self) -> str:
        return "the same elements, in any order"

    def explain_unreadable(self, value: Any) -> str:
        return "" if isinstance(value, list) else "not a list"


class ElementComparer:
    """Compares what is inside the values of a key; it is compiled once for all cases."""

    def __init__(self, numeric: NumericTolerance) -> None:
        self._matches: dict[bool, Match] = {True: numeric, False: SameText()}
        # Rows of many cases have the same keys. Data with other keys in each case must not make the cache grow.
        self._compile_rows = lru_cache(maxsize=_MOST_SHAPES)(self._compile_columns)

    def compare_in_any_order(self, expected: list[Any], actual: Any, path: str, trace: Trace) -> Comparison:
        """Pair the elements, and compare the pairs: numbers as numbers, anything else as EXACT does."""
        measure = walk(self._compile_list(expected, actual), expected, actual, path, trace)
        if not split_hits_and_misses(trace.comparisons)[2]:
            return build_full_match(path)
        similarity = 0.0 if measure is None else measure.similarity
        return Comparison("mismatch", path, 0.0, similarity, "", expected, actual)

    def list_parts(self, trace: Trace) -> Iterator[Comparison]:
        """Yield each comparison of a trace. Objects and lists that differ as one text are compared part by part."""
        for comparison in trace.comparisons:
            inside, left, right = Trace(), comparison.expected, comparison.actual
            if comparison.outcome == "mismatch" and type(left) is type(right) and isinstance(left, dict | list):
                walk(self._anything, left, right, comparison.path, inside)
            # Where only empty values differ, such as null and "", no part differs.
            yield from inside.comparisons if split_hits_and_misses(inside.comparisons)[2] else [comparison]

    @cached_property
    def _anything(self) -> Field:
        anything = compile_anything(SameJson(), penalize=True)
        assert anything is not None  # noqa: S101  it ignores nothing
        return anything

    def _compile_list(self, expected: list[Any], actual: Any) -> Field:
        elements = expected + actual if isinstance(actual, list) else expected
        keys = dict.fromkeys(key for element in elements if isinstance(element, dict) for key in element)
        if keys and all(isinstance(element, dict) for element in elements):
            return self._compile_rows(
                tuple((key, _are_numbers([row.get(key) for row in expected])) for key in sorted(keys))
            )
        return _compile_unordered(self._matches[_are_numbers(expected)])

    def _compile_columns(self, columns: tuple[_Column, ...]) -> Field:
        return _compile_unordered(Fields(fields={key: self._matches[is_number] for key, is_number in columns}))


def _compile_unordered(item: Any) -> Field:
    """An element's key that the other element does not have is a difference, on either side."""
    field = compile_comparators(Unordered(unordered=item), None, "ignore", "empty")
    assert field is not None  # noqa: S101  it ignores nothing
    return field


def _are_numbers(values: Sequence[Any]) -> bool:
    filled = [value for value in values if not is_empty(value)]
    return bool(filled) and all(type(value) in (int, float) for value in filled)
