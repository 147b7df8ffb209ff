"""Results with misses → their kinds of error: per attribute, per list, and as named patterns with an example."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from agentv_py.report.result_errors import Kind, ResultErrors, RowKind
from agentv_py.score import NOT_JSON


class Example(NamedTuple):
    case_id: str
    path: str
    expected: Any
    actual: Any


class ErrorKinds:
    """The kinds of error of one evaluator."""

    def __init__(self) -> None:
        self.attributes: dict[str, dict[Kind, int]] = {}
        self.lists: dict[str, dict[RowKind, int]] = {}
        self.patterns: dict[tuple[str, str], int] = {}
        """By name and attribute."""
        self.examples: dict[str, Example] = {}
        """By name of the pattern: the first case that has it."""
        self.unreadable_answers = 0
        self.without_values = 0
        """The number of results whose values are not in the results file, so that no pattern can be seen."""

    def add(self, result: Mapping[str, Any], row: Mapping[str, Any]) -> None:
        """Add a result that has misses."""
        if NOT_JSON in result["misses"]:
            self.unreadable_answers += 1
            return
        errors = ResultErrors(result, row)
        for attribute, kind, number in errors.list_kinds():
            own = self.attributes.setdefault(attribute, {})
            own[kind] = own.get(kind, 0) + number
        for path, row_kind in errors.list_rows():
            rows = self.lists.setdefault(path, {})
            rows[row_kind] = rows.get(row_kind, 0) + 1
        for pattern in errors.list_patterns():
            key = pattern.name, pattern.attribute
            self.patterns[key] = self.patterns.get(key, 0) + 1
            if pattern.name not in self.examples:
                example = Example(str(row["case_id"]), pattern.path, pattern.expected, pattern.actual)
                self.examples[pattern.name] = example
        self.without_values += errors.lacks_values

    def merge(self, other: "ErrorKinds") -> None:
        for own, more in ((self.attributes, other.attributes), (self.lists, other.lists)):
            for name, counts in more.items():
                mine: dict[Any, int] = own.setdefault(name, {})
                for kind, number in counts.items():
                    mine[kind] = mine.get(kind, 0) + number
        for key, number in other.patterns.items():
            self.patterns[key] = self.patterns.get(key, 0) + number
        self.examples = other.examples | self.examples
        self.unreadable_answers += other.unreadable_answers
        self.without_values += other.without_values


def list_error_words(row: Mapping[str, Any]) -> list[str]:
    """List the kinds and patterns of a row's errors, each once, for filters."""
    words: dict[str, None] = {}
    for result in row["evaluator_results"]:
        if "error" in result or not result["misses"]:
            continue
        if NOT_JSON in result["misses"]:
            words["unreadable"] = None
            continue
        errors = ResultErrors(result, row)
        words |= dict.fromkeys(kind for _, kind, _ in errors.list_kinds())
        words |= {f"{kind} rows": None for _, kind in errors.list_rows()}
        words |= dict.fromkeys(pattern.name for pattern in errors.list_patterns())
    return list(words)
