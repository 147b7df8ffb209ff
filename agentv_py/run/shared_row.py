"""A score that many cases of a chunk share → their rows, without making again what all of them have.

Most cases of a good system are wholly right, and an evaluator gives all of them one and the same score. Their rows
differ in their ids, values and times only. That makes a run a tenth faster.
"""

from typing import Any

from agentv_py import jsontext
from agentv_py.case import Case
from agentv_py.evaluators.grade import measure_milliseconds
from agentv_py.report.summary import Summary
from agentv_py.results.row import Row
from agentv_py.score import Score


class SharedRow:
    """A row of a chunk, and the number of further cases that have the same one but for their own values."""

    def __init__(self) -> None:
        self._score: Score | None = None
        self._row: Row | None = None
        self._line: dict[str, Any] = {}
        """The row as it is written. What all cases have is JSON already."""
        self._result: dict[str, Any] = {}
        """The evaluator's result in that line."""
        self._times = 0

    def encode(self, score: Score, case: Case, started: float) -> bytes | None:
        """Return the line of a case with this score, whose evaluation started at this time.

        None if its row differs from the shared one in more than its own values.
        """
        if self._row is None or score is not self._score or not _is_plain(case):
            return None
        line = self._line
        line["case_id"] = case.id
        line["expected"] = case.expected
        line["candidate"] = case.candidate
        line["fingerprint"] = case.fingerprint
        line["duration_ms"] = self._result["duration_ms"] = measure_milliseconds(started)
        encoded = jsontext.dumps_plain_line(line)
        self._times += encoded is not None
        return encoded

    def remember(self, score: Score, case: Case, row: Row) -> None:
        """Share the second row with the same score, if the case is wholly right."""
        if self._row is None and score is self._score and _is_plain(case) and _is_wholly_right(row):
            self._row = row
            [result] = row["evaluator_results"]
            hits = jsontext.encode_once(row["hits"])
            self._result = {**result, "hits": hits}
            if "details" in result:
                self._result["details"] = jsontext.encode_once(result["details"])
            self._line = {**row, "hits": hits, "evaluator_results": [self._result]}
        elif self._row is None:
            self._score = score

    def add_to(self, summary: Summary) -> None:
        """Count the rows of the further cases."""
        if self._row is not None and self._times:
            summary.add_alike(self._row, self._times)


def _is_plain(case: Case) -> bool:
    """Whether the row of a case holds no more than its id, its two objects and its fingerprint."""
    return (
        type(case.expected) is type(case.candidate) is dict
        and case.fingerprint is not None
        and case.input is None
        and case.facts is None
        and case.target is None
        and not case.metadata
        and not case.tags
    )


def _is_wholly_right(row: Row) -> bool:
    """Whether the row of a case counts as passed, and as nothing else."""
    results = row["evaluator_results"]
    return row["status"] == "ok" and row["verdict"] == "pass" and [result["misses"] for result in results] == [[]]
