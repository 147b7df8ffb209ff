"""Where the row of each case is, in a results file or in its part → the rows of both in suite order; in flat memory."""

from array import array
from collections.abc import Iterator
from itertools import islice
from typing import BinaryIO, Literal, NamedTuple

from agentv_py.run.case_index import CaseKey

Rules = Literal["same", "other", "unknown"]
_RULES: tuple[Rules, ...] = ("same", "other", "unknown")
# So many bytes are copied at once.
_PIECE = 2**20
_IN_PART, _OK, _HAS_DATA, _FIRST_RULES = 1, 2, 4, 8


class RowPlace(NamedTuple):
    """The line of a row: its place, and the facts that a resumed run needs."""

    in_part: bool
    start: int
    length: int
    """With a line break, also where a file ends without one."""
    ok: bool
    """Whether the case need not be run again: it did not err, and it has not changed since."""
    has_data: bool
    rules: Rules
    """Whether the evaluators and options that scored the row are those of this run."""


class Stretch(NamedTuple):
    """Lines that follow each other in a file."""

    in_part: bool
    start: int
    length: int

    def read(self, file: BinaryIO) -> Iterator[bytes]:
        """Yield the lines in pieces, and a last line break that the file lacks. Raises EOFError if it lacks more."""
        rest = self.length
        file.seek(self.start)
        while rest and (piece := file.read(min(rest, _PIECE))):
            rest -= len(piece)
            yield piece
        if rest > 1:
            raise EOFError
        if rest:
            yield b"\n"


class RowPlaces:
    """The row of each case of a run, in 17 bytes a case; and other rows, which no case of the run has."""

    def __init__(self, cases: int) -> None:
        self.others: dict[CaseKey, RowPlace] = {}
        self._starts = array("q", [-1]) * cases
        self._lengths = array("q", [0]) * cases
        self._marks = bytearray(cases)

    def __bool__(self) -> bool:
        return bool(self.others) or any(start >= 0 for start in self._starts)

    def get(self, number: int) -> RowPlace | None:
        start, marks = self._starts[number], self._marks[number]
        if start < 0:
            return None
        rules = _RULES[marks // _FIRST_RULES]
        in_part, ok, has_data = (bool(marks & mark) for mark in (_IN_PART, _OK, _HAS_DATA))
        return RowPlace(in_part, start, self._lengths[number], ok, has_data, rules)

    def set(self, number: int, place: RowPlace) -> None:
        in_part, start, length, ok, has_data, rules = place
        self._starts[number], self._lengths[number] = start, length
        self._marks[number] = _IN_PART * in_part + _OK * ok + _HAS_DATA * has_data + _FIRST_RULES * _RULES.index(rules)

    def is_ok(self, number: int) -> bool:
        return bool(self._marks[number] & _OK)

    def are_in_place(self, size: int) -> bool:
        """Tell whether a results file of this size already consists of the rows in order."""
        whole = [Stretch(in_part=False, start=0, length=size)] if size else []
        return list(islice(self.list_stretches(), 2)) == whole

    def list_stretches(self) -> Iterator[Stretch]:
        """Yield where the rows are, in suite order, the other rows last. Rows that follow each other are joined."""
        last: Stretch | None = None
        for line in self.list_lines():
            if last is not None and last.in_part == line.in_part and last.start + last.length == line.start:
                last = last._replace(length=last.length + line.length)
                continue
            if last is not None:
                yield last
            last = line
        if last is not None:
            yield last

    def list_lines(self) -> Iterator[Stretch]:
        """Yield where each row is, in the same order."""
        for marks, start, length in zip(self._marks, self._starts, self._lengths, strict=True):
            if start >= 0:
                yield Stretch(bool(marks & _IN_PART), start, length)
        for place in self.others.values():
            yield Stretch(*place[:3])

    def locate_in_order(self) -> None:
        """Note that one file has the rows now, in this order."""
        end = 0
        for number, length in enumerate(self._lengths):
            if self._starts[number] >= 0:
                self._starts[number], end = end, end + length
                self._marks[number] &= ~_IN_PART
        for key, place in self.others.items():
            self.others[key] = place._replace(in_part=False, start=end)
            end += place.length
