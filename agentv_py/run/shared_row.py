"""A score that many cases of a chunk share → their rows, without making again what all of them have.

Most cases of a good system are wholly right, and an evaluator gives all of them one and the same score. Their rows
differ in their ids, values and times only. That makes a run a tenth faster. If all values that are compared are equal,
a case is known to be wholly right without a walk, which saves a further twentieth.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any, Self

from agentv_py import jsontext
from agentv_py.case import ABSENT, Case
from agentv_py.comparison.scoring import FullScore
from agentv_py.evaluators.grade import NamedEvaluator, measure_milliseconds
from agentv_py.report.summary import Summary
from agentv_py.results.row import Row
from agentv_py.run.fingerprint import Fingerprints
from agentv_py.score import Score
from agentv_py.suite.raw_case import RawCase

_NUMBER_OF_KEYS = 3
"""Of a row that has an id, an expected value and a candidate, and nothing else."""


class SharedRow:
    """A row of a chunk, and the number of further cases that have the same one but for their own values."""

    def __init__(self, full: FullScore | None = None, fingerprint: Callable[[bytes], str] | None = None) -> None:
        self._full = full
        """The score of wholly right cases, if such cases can be known before they are evaluated."""
        self._fingerprint = fingerprint
        self._score: Score | None = None
        self._row: Row | None = None
        self._line: dict[str, Any] = {}
        """The row as it is written. What all cases have is JSON already."""
        self._result: dict[str, Any] = {}
        """The evaluator's result in that line."""
        self._times = 0

    @classmethod
    def build(cls, evaluator: NamedEvaluator, fingerprints: Fingerprints | None) -> Self:
        """Return a row for cases that may be known to be wholly right before this evaluator evaluates them."""
        if evaluator.get_full_score is None or fingerprints is None:
            return cls()
        return cls(evaluator.get_full_score(), fingerprints.compute_plain)

    def decode(self, raw: RawCase) -> dict[str, Any] | None:
        """Return what a dataset holds of a case that may be known to be wholly right; None if it must be evaluated."""
        _, _, row, prediction, target, _, _ = raw
        if self._row is None or self._full is None or self._score is not self._full.score:
            return None
        if type(row) is not bytes or prediction is not ABSENT or target is not None:
            return None
        try:
            value = jsontext.loads_plain(row)
        except jsontext.NotJson:  # the file has changed, which the scorer says
            return None
        return value if type(value) is dict else None

    def encode_certain(self, raw: RawCase, value: dict[str, Any]) -> bytes | None:
        """Return the line of a case with this row, if it is certain to be wholly right."""
        line = raw.row
        if len(value) != _NUMBER_OF_KEYS or self._full is None or self._fingerprint is None:
            return None
        started = perf_counter()
        id_, expected, candidate = value.get("id"), value.get("expected"), value.get("candidate")
        if not (type(id_) is str and type(expected) is type(candidate) is dict and type(line) is bytes):
            return None
        if not self._full.is_certain(expected, candidate):
            return None
        return self._encode(id_, expected, candidate, self._fingerprint(line), started)

    def encode(self, score: Score, case: Case, started: float) -> bytes | None:
        """Return the line of a case with this score, whose evaluation started at this time.

        None if its row differs from the shared one in more than its own values.
        """
        if self._row is None or score is not self._score or not _is_plain(case):
            return None
        return self._encode(case.id, case.expected, case.candidate, case.fingerprint, started)

    def _encode(self, id_: str, expected: Any, candidate: Any, fingerprint: str | None, started: float) -> bytes | None:
        line = self._line
        line["case_id"] = id_
        line["expected"] = expected
        line["candidate"] = candidate
        line["fingerprint"] = fingerprint
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
