"""A row → the comparisons that its evaluators made, as far as the row stores them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import is_empty
from agentv_py.comparison.mismatch import cut_value
from agentv_py.comparison.observations import read_confidence
from agentv_py.report.differences import read_error
from agentv_py.report.misses import read_misses
from agentv_py.report.result_errors import ResultErrors
from agentv_py.report.row_values import RowValues, find_partner, list_hits
from agentv_py.results.row import Row


@dataclass(frozen=True, slots=True)
class RowComparison:
    evaluator: str
    type: str
    path: str
    outcome: str
    expected: Any = ABSENT
    actual: Any = ABSENT
    similarity: float | None = None
    note: str = ""
    kind: str = ""
    """The kind of error; empty if the values match, or if the row does not tell the kind."""
    pattern: str = ""
    """The name of a usual error that explains the difference."""
    confidence: float | None = None


def list_comparisons(row: Row) -> Iterator[RowComparison]:
    """List hits, then misses. An evaluator without either has one comparison, whose outcome is its verdict."""
    values = RowValues(row)
    for result in row["evaluator_results"]:
        evaluator = result["name"], result["type"]
        if "error" in result:
            yield RowComparison(*evaluator, "", "error", note=read_error(result).message)
            continue
        comparisons = [*_list_hits(values, result), *_list_misses(row, result)]
        if isinstance(row.get("confidence"), dict | list):
            comparisons = [_add_confidence(row, result, comparison) for comparison in comparisons]
        yield from comparisons or [RowComparison(*evaluator, "", result["verdict"])]


def _list_hits(values: RowValues, result: Mapping[str, Any]) -> Iterator[RowComparison]:
    misses = values.misses(result["name"])
    for path in list_hits(result):
        expected, actual = values.expected_at(path), values.answer_at(path, result["name"], misses)
        outcome = "blank" if expected is not ABSENT and is_empty(expected) else "match"
        yield RowComparison(result["name"], result["type"], path, outcome, cut_value(expected), cut_value(actual))


def _add_confidence(row: Row, result: Mapping[str, Any], comparison: RowComparison) -> RowComparison:
    path = find_partner(comparison.path, result)
    confidence: Any = None if path is None else read_confidence(row.get("confidence"), path)
    return replace(comparison, confidence=confidence) if type(confidence) in (int, float) else comparison


def _list_misses(row: Row, result: Mapping[str, Any]) -> Iterator[RowComparison]:
    errors = ResultErrors(result, row)
    patterns = {pattern.path: pattern.name for pattern in errors.list_patterns()}
    for path, mismatch in read_misses(result):
        yield RowComparison(
            result["name"],
            result["type"],
            path,
            mismatch.get("outcome") or "mismatch",
            mismatch.get("expected", ABSENT),
            mismatch.get("actual", ABSENT),
            mismatch.get("similarity"),
            mismatch.get("note", ""),
            errors.find_kind(path),
            patterns.get(path, ""),
        )
