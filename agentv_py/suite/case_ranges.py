"""Ranges of files of cases, and the positions of selected cases → the ranges that hold them."""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from agentv_py.suite.datasets.lines import LineRange

# The usual size of a row whose file does not tell it.
_USUAL_SIZE = 400


class CaseRange(NamedTuple):
    """Cases of one file that follow each other."""

    file: int
    """The number of the file among the suite's files of cases."""
    first: int
    """The position of the first case among all cases."""
    cases: int
    lines: LineRange | None = None
    """Where the cases are in the file; None if they are all cases of a file whose rows are not lines."""
    checksum: int = 0
    """The checksum that these lines had when they were checked."""


class SelectedRange(NamedTuple):
    """The selected cases of a range."""

    range: CaseRange
    cases: int
    chosen: Sequence[int] | None = None
    """Which cases of the range, counted from its first; None if all of them."""

    @property
    def size(self) -> int:
        """About how many bytes the cases have."""
        whole, lines = self.range, self.range.lines
        return self.cases * (_USUAL_SIZE if lines is None else (lines.end - lines.start) // whole.cases)


def select_ranges(ranges: Iterable[CaseRange], positions: "array[int]") -> Iterator[SelectedRange]:
    """Yield the ranges that hold cases at these positions, which are sorted."""
    start = 0
    for part in ranges:
        end = bisect_left(positions, part.first + part.cases, start)
        if end - start == part.cases > 0:
            yield SelectedRange(part, part.cases)
        elif end > start:
            yield SelectedRange(part, end - start, [position - part.first for position in positions[start:end]])
        start = end
