"""A diff → its cases for the page: both rows of each case, both scores, and how the case changed."""

from collections.abc import Iterator
from typing import BinaryIO

from agentv_py.formats.diff_sentence import describe_other_options, describe_other_selections
from agentv_py.formats.html.case_index import PageCase
from agentv_py.formats.html.sample import Sample
from agentv_py.report.diff.columns import ResultColumns
from agentv_py.report.diff.model import Diff
from agentv_py.results.row import Row
from agentv_py.score import SLACK

Numbers = tuple[int | None, int | None]
"""A case's number on each side, None on a side that does not have the case."""
Scores = tuple[float | None, float | None]


class DiffCases:
    def __init__(self, diff: Diff) -> None:
        self.diff = diff
        self._changes: dict[Numbers, str] = {
            case.numbers: change
            for change, cases in (("errored", diff.errored), ("broken", diff.broken), ("fixed", diff.fixed))
            for case in cases
        }
        self._numbers: list[Numbers] = [*diff.matched, *self._list_unmatched()]
        self.sample = Sample(len(self._numbers), sum(map(self._is_needed, self._numbers)))

    def __iter__(self) -> Iterator[PageCase]:
        """Yield the cases that a page can hold; each is read when its turn comes."""
        old, new = self.diff.baseline, self.diff.candidate
        with old.open() as before, new.open() as after:
            for numbers in self.sample.select(self._numbers, self._is_needed):
                rows = _read_row(old, before, numbers[0]), _read_row(new, after, numbers[1])
                scores = self._find_scores(numbers)
                yield PageCase(rows, scores, self._name_change(numbers, scores))

    def list_notices(self) -> Iterator[str]:
        yield from self.diff.joined
        yield from describe_other_options(self.diff)
        yield from describe_other_selections(self.diff)
        if any(len(side.scores) > len(side.cases) for side in (self.diff.baseline, self.diff.candidate)):
            yield (
                "Some cases have several rows: their score is the mean of the rows that did not err, "
                "and the first of those rows is shown."
            )

    def _list_unmatched(self) -> Iterator[Numbers]:
        yield from ((self.diff.baseline.cases[key], None) for key in self.diff.only_baseline)
        yield from ((None, self.diff.candidate.cases[key]) for key in self.diff.only_candidate)

    def _is_needed(self, numbers: Numbers) -> bool:
        """Return whether the case did not pass on both sides."""
        before, after = numbers
        if before is None or after is None or numbers in self._changes:
            return True
        old, new = self.diff.scores
        return not (old.passes[before] and new.passes[after])

    def _find_scores(self, numbers: Numbers) -> Scores:
        (old, new), (before, after) = self.diff.scores, numbers
        return None if before is None else old.score(before), None if after is None else new.score(after)

    def _name_change(self, numbers: Numbers, scores: Scores) -> str:
        if None in numbers:
            return "only_candidate" if numbers[0] is None else "only_baseline"
        before, after = scores
        if numbers in self._changes or before is None or after is None:
            return self._changes[numbers]
        delta = after - before
        if abs(delta) <= SLACK or abs(delta) < self.diff.threshold - SLACK:
            return "same"
        return "higher" if delta > 0 else "lower"


def _read_row(columns: ResultColumns, file: BinaryIO, case: int | None) -> Row | None:
    return None if case is None else columns.read_row(file, case)
