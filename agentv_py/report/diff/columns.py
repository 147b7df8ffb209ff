"""A results file → columns of what a diff needs of each row, and where the row stands."""

from array import array
from collections.abc import Container, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, BinaryIO, NamedTuple

from agentv_py.comparison.counts import Counts
from agentv_py.errors import Problem
from agentv_py.report.summary import EvaluatorSummary
from agentv_py.results.read import Source, located, row_at
from agentv_py.results.row import Row

FAIL, PARTIAL, PASS, ERROR = range(4)
_STATES = {"fail": FAIL, "partial": PARTIAL, "pass": PASS}


class Key(NamedTuple):
    """Of a case, on either side."""

    suite: str
    case_id: str


@dataclass(slots=True)
class Column:
    """One evaluator's scores, each with the number of its row; errors are left out."""

    type: str
    rows: "array[int]" = field(default_factory=lambda: array("q"))
    scores: "array[float]" = field(default_factory=lambda: array("d"))
    counted: EvaluatorSummary = field(default_factory=lambda: EvaluatorSummary("", ""))


@dataclass(slots=True)
class Ledger:
    source: Source
    cluster: str | None = None
    cases: dict[Key, int] = field(default_factory=dict)
    """Each case with its number, in the order of the file."""
    offsets: "array[int]" = field(default_factory=lambda: array("q"))
    case_of: "array[int]" = field(default_factory=lambda: array("q"))
    scores: "array[float]" = field(default_factory=lambda: array("d"))
    states: bytearray = field(default_factory=bytearray)
    first: "array[int]" = field(default_factory=lambda: array("q"))
    """By case: its first row."""
    evaluators: dict[str, Column] = field(default_factory=dict)
    clusters: dict[int, str] = field(default_factory=dict)
    """By case: the value of the metadata key that cases are clustered by."""
    duplicates: int = 0
    """Rows beyond the first of a case that no `repeat` or `target` tells apart."""
    torn: Problem | None = None
    _marks: set[int] = field(default_factory=set)

    def read(self) -> None:
        for found in located(self.source):
            if isinstance(found, Problem):
                self.torn = found
            else:
                self._add(found.offset, found.row)
        self._marks.clear()

    @property
    def errors(self) -> int:
        return self.states.count(ERROR)

    def attributes(self, evaluator: str) -> dict[str, Counts]:
        column = self.evaluators.get(evaluator)
        found = column.counted.attributes if column else {}
        return {attribute: counts for attribute, counts in found.items() if any(counts.values())}

    def keep(self, cases: Container[int]) -> None:
        """Count the attributes of these cases only. Most are, so the rows of the others are read again."""
        others = [n for n, case in enumerate(self.case_of) if case not in cases and self.states[n] != ERROR]
        with self.opened() as file:
            for number in others:
                for result in self.row(file, number)["evaluator_results"]:
                    self.evaluators[result["name"]].counted.take_back(result)

    @contextmanager
    def opened(self) -> Iterator[BinaryIO]:
        with self.source.path.open("rb") as file:
            yield file

    def row(self, file: BinaryIO, number: int) -> Row:
        return row_at(self.source, file, self.offsets[number])

    def _add(self, offset: int, row: Row) -> None:
        number = len(self.offsets)
        key = Key(row["suite"], row["case_id"])
        case = self.cases.get(key)
        if case is None:
            case = self.cases[key] = len(self.cases)
            self.first.append(number)
            if self.cluster is not None:
                self._see_cluster(case, row)
        if self._is_duplicate(case, number, row):
            self.duplicates += 1
        self.offsets.append(offset)
        self.case_of.append(case)
        self.scores.append(row["score"])
        self.states.append(ERROR if row["status"] == "error" else _STATES[row["verdict"]])
        if row["status"] == "ok":
            for result in row["evaluator_results"]:
                self._see(number, result)

    def _see(self, number: int, result: Mapping[str, Any]) -> None:
        column = self.evaluators.get(result["name"])
        if column is None:
            column = self.evaluators[result["name"]] = Column(result["type"])
        column.rows.append(number)
        column.scores.append(result["score"])
        column.counted.add(result)

    def _is_duplicate(self, case: int, number: int, row: Row) -> bool:
        """Repeats and targets tell the rows of a case apart; what nothing tells apart is a duplicate."""
        if "repeat" not in row and "target" not in row:
            return self.first[case] != number
        mark = hash((case, str(row.get("repeat")), str(row.get("target"))))
        known = mark in self._marks
        self._marks.add(mark)
        return known

    def _see_cluster(self, case: int, row: Row) -> None:
        metadata = row.get("metadata")
        if self.cluster is not None and isinstance(metadata, dict) and metadata.get(self.cluster) is not None:
            self.clusters[case] = str(metadata[self.cluster])
