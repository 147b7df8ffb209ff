"""What a dataset reader is: a way to turn one kind of file into rows."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, NamedTuple

from agentv_py.errors import Problem
from agentv_py.suite.datasets.row import DatasetRow, DecodedRow, decode_rows


class FileNote(NamedTuple):
    """What a reader found out about a file."""

    text: str
    is_usual: bool
    """Whether only a user who checks a suite wants to know it."""


class Reader(ABC):
    """Reads one kind of file. It may raise OSError or InvalidSuite where a file cannot be read further."""

    rows_are_lines: ClassVar[bool] = False
    """True: a row is a line of JSON, and can be read again from its offset. False: its value stays in memory."""
    may_hold_one_object: ClassVar[bool] = False
    """True: a file may hold one object, which is one case or one answer."""
    empty_cell_is_no_answer: ClassVar[bool] = False
    """True: every row has every column, so that a row of predictions without a candidate is not a mistake."""

    @abstractmethod
    def read_rows(self, path: Path, display_name: str) -> Iterator[DatasetRow | Problem]:
        """Yield each row with its line. Yield a Problem for a row that cannot be read."""

    def read_decoded_rows(self, path: Path, display_name: str) -> Iterator[DecodedRow | Problem]:
        return decode_rows(self.read_rows(path, display_name), display_name)

    def describe(self, path: Path, display_name: str) -> Iterator[FileNote]:  # noqa: ARG002  most files need no words
        """Say what the reader found out about the file. Raises OSError."""
        return iter(())

    def holds_rows(self, path: Path, display_name: str) -> bool:  # noqa: ARG002  a reader of suites looks into the file
        """Return False if the file is not a list of rows, but a suite."""
        return True
