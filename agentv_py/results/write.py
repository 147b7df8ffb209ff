"""Rows → a results file, standard output or a device; only whole rows are written."""

import os
import re
import sys
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from agentv_py.errors import IN_JSON, Unwritable, UserError, escape_commands
from agentv_py.results.file import ResultsFile
from agentv_py.results.locked_file import explain_failure, write_all
from agentv_py.results.read import ResultsSource
from agentv_py.state_folder import NAME, make_state_folder

STDOUT = "-"
FOLDER = Path(NAME, "results")

_LONGEST_STEM = 100
"""In bytes, as a file system counts; an encrypted one allows 143 for the whole name."""


class Writer:
    """Appends whole rows, each chunk at once, so that an interrupted run leaves no torn row."""

    def __init__(self, target: str, inputs: Sequence[Path] = (), spool: ResultsSource | None = None) -> None:
        self.target = target
        self._file = _open(target, inputs)
        is_file = isinstance(self._file, ResultsFile)
        self.source = spool if spool and not is_file else ResultsSource(Path(target), target)
        self._copy = spool.path.open("ab") if spool and not is_file else None

    @classmethod
    def in_folder(cls, suite: str) -> Self:
        """Create a file that no other run has, named after the suite."""
        stem = name_file(suite)
        with explain_failure(str(FOLDER)):
            make_state_folder(FOLDER)
            for number in count(1):
                suffix = "" if number == 1 else f"-{number}"
                path = FOLDER / f"{stem}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}{suffix}.jsonl"
                try:
                    path.touch(exist_ok=False)
                except FileExistsError:
                    continue
                return cls(str(path))
        raise AssertionError("there is always another number")

    def write(self, rows: bytes | memoryview) -> None:
        if self.target == STDOUT and b"##" in (whole := bytes(rows)):
            rows = escape_commands(whole.decode(), IN_JSON).encode()
        if isinstance(self._file, ResultsFile):
            self._file.append(rows)
        else:
            with explain_failure(self.target):
                write_all(self._file, rows)
                self._file.flush()
        if self._copy:
            self._copy.write(rows)

    def confirm(self) -> None:
        """Raise Unwritable if the rows are no longer in the file; the error says where they are."""
        if isinstance(self._file, ResultsFile) and not self._file.is_whole():
            raise self._file.save_beside()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if not isinstance(error, Unwritable):
                self.confirm()
        except Unwritable as lost:
            if isinstance(error, UserError):
                raise Unwritable(*error.problems, *lost.problems) from None
            raise
        finally:
            if self.target != STDOUT:
                self._file.close()
            if self._copy:
                self._copy.close()


def name_file(suite: str) -> str:
    """Return the stem of a file for the results of a suite, whatever characters its name has."""
    word = re.sub(r"[^\w.-]+", "-", suite).strip(".-").encode()[:_LONGEST_STEM]
    return word.decode(errors="ignore") or "suite"


def replace_results(target: str, lines: Iterable[bytes], inputs: Sequence[Path] = ()) -> None:
    """Write whole rows to a results file in one step, or to standard output or a device one by one."""
    if target == STDOUT or is_device(target):
        with Writer(target) as writer:
            for line in lines:
                writer.write(line)
    else:
        with ResultsFile.open(target, inputs) as file:
            file.replace(lines)


def _open(target: str, inputs: Sequence[Path]) -> ResultsFile | BinaryIO:
    if target == STDOUT:
        if sys.__stdout__ is None:
            raise Unwritable("-o -: standard output is closed; name a file with -o")
        return sys.stdout.buffer
    if not target:
        raise Unwritable("-o '': name a file")
    with explain_failure(target):
        if is_device(target):  # not opened for reading, because this process would then hold the other end of the pipe
            return os.fdopen(os.open(target, os.O_WRONLY), "wb", buffering=0)
    file = ResultsFile.open(target, inputs)
    with explain_failure(target):
        file.clear()
    return file


def is_device(target: str) -> bool:
    """Tell whether the rows cannot be read again after they are written, as in a pipe."""
    path = Path(target)
    return path.exists() and not path.is_file()
