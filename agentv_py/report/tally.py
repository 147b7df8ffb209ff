"""Rows of results → how many pass, and their mean score, each with its interval."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agentv_py.report.statistics import Estimate


class Tally:
    """How many rows there are, how many of them pass, and the sums of their scores."""

    def __init__(self) -> None:
        self.cases = 0
        self.passed = 0
        self.partial = 0
        self.failed = 0
        self.errors = 0
        self.total = 0.0
        self.squares = 0.0
        """The sum of the scores, and the sum of their squares; an errored row counts as 0."""
        self.passed_with_misses = 0
        """How many of the rows that pass have misses: their score is high enough all the same."""
        self.lowest_pass = 1.0
        """The lowest score of a row that passes."""
        self.skipped: dict[str, int] = {}
        """By the name of an evaluator: the number of rows in which it is skipped."""

    @property
    def pass_rate(self) -> "Estimate":
        from agentv_py.report.statistics import estimate_share  # no worker needs an interval

        return estimate_share(self.passed, self.cases)

    @property
    def mean_score(self) -> "Estimate":
        from agentv_py.report.statistics import estimate_mean

        return estimate_mean(self.total, self.squares, self.cases)

    def count(self, row: Mapping[str, Any]) -> None:
        self.cases += 1
        if "skipped" in row:
            self._add_skipped(dict.fromkeys(map(str, row["skipped"]), 1))
        if row["status"] == "error":
            self.errors += 1
            return
        score, verdict = row["score"], row["verdict"]
        self.total += score
        self.squares += score * score
        if verdict == "pass":
            self.passed += 1
            if row.get("misses"):  # another tool may leave them out
                self.passed_with_misses += 1
            if score < self.lowest_pass:  # noqa: PLR1730  a call for each row takes longer
                self.lowest_pass = score
        elif verdict == "partial":
            self.partial += 1
        else:
            self.failed += 1

    def count_passed(self, score: float, times: int) -> None:
        """Count so many rows that pass with this score and have no misses."""
        self.cases += times
        self.passed += times
        self.total += score * times
        self.squares += score * score * times
        self.lowest_pass = min(self.lowest_pass, score)

    def add_counts(self, other: "Tally") -> None:
        self.cases += other.cases
        self.passed += other.passed
        self.passed_with_misses += other.passed_with_misses
        self.partial += other.partial
        self.failed += other.failed
        self.errors += other.errors
        self.total += other.total
        self.squares += other.squares
        self.lowest_pass = min(self.lowest_pass, other.lowest_pass)
        self._add_skipped(other.skipped)

    def _add_skipped(self, more: Mapping[str, int]) -> None:
        for name, number in more.items():
            self.skipped[name] = self.skipped.get(name, 0) + number
