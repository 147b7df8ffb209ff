"""Rows → a results file that nobody else writes, and that holds whole rows only."""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import BinaryIO, Self

from agentv_py.errors import IN_JSON, Unwritable, without_commands
from agentv_py.results import Source

STDOUT = "-"
FOLDER = Path(".evalctl", "results")

_ROW_START = b'{"timestamp":'
_LONGEST_STEM = 100
"""Bytes, because a file system counts these; the whole name has to stay below 143 on an encrypted one."""


class Writer:
    """Appends whole rows, each chunk in one go: a run that is interrupted leaves nothing torn."""

    def __init__(self, target: str, inputs: Sequence[Path] = (), spool: Source | None = None) -> None:
        self.target = target
        with _said_plainly(target):
            self._file = sys.stdout.buffer if target == STDOUT else _opened(target, inputs)
        lasting = target != STDOUT and Path(target).is_file()
        self.source = spool if spool and not lasting else Source(Path(target), target)
        self._copy = spool.path.open("ab") if spool and not lasting else None

    @classmethod
    def in_folder(cls, suite: str) -> Self:
        """A writer to a new file of the suite's, which no other run can have."""
        word = re.sub(r"[^\w.-]+", "-", suite).strip(".-").encode()[:_LONGEST_STEM]
        stem = word.decode(errors="ignore") or "suite"
        with _said_plainly(str(FOLDER)):
            FOLDER.mkdir(parents=True, exist_ok=True)
            for number in count(1):
                suffix = "" if number == 1 else f"-{number}"
                path = FOLDER / f"{stem}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}{suffix}.jsonl"
                try:
                    path.touch(exist_ok=False)
                except FileExistsError:
                    continue
                return cls(str(path))
        raise AssertionError("there is always another number")

    def write(self, rows: bytes) -> None:
        if self.target == STDOUT and b"##" in rows:
            rows = without_commands(rows.decode(), IN_JSON).encode()
        with _said_plainly(self.target):
            rest = memoryview(rows)
            while rest:
                rest = rest[self._file.write(rest) :]
            self._file.flush()
            if self._copy:
                self._copy.write(rows)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.target != STDOUT:
            self._file.close()
        if self._copy:
            self._copy.close()


@contextmanager
def _said_plainly(target: str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unwritable(f"{target}: cannot be written: {error.strerror}; name another file with -o") from None


def _opened(target: str, inputs: Sequence[Path]) -> BinaryIO:
    """The file, empty and locked, unless it is an input, another run holds it, or it is not a results file."""
    if not target:
        raise Unwritable("-o '': name a file")
    path = Path(target)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.exists() and not path.is_file():  # a device or a pipe: never read from it, or its reader's end is ours
        return os.fdopen(os.open(path, os.O_WRONLY), "wb", buffering=0)
    _check_input(path, target, inputs)
    file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b", buffering=0)
    try:
        _lock(file, target)
        _check_results(file, target)
    except Unwritable:
        file.close()
        raise
    file.seek(0)
    file.truncate()
    return file


def _check_input(path: Path, target: str, inputs: Sequence[Path]) -> None:
    if path.exists() and any(one.exists() and path.samefile(one) for one in inputs):
        raise Unwritable(f"{target}: is an input of this run; name another file with -o")


@contextmanager
def held(target: str, inputs: Sequence[Path]) -> Iterator[None]:
    """A results file that is to be gone on with, kept from other runs for a while."""
    with _said_plainly(target):
        path = Path(target)
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():
            raise Unwritable(f"{target}: is no file that could be resumed")
        if not path.exists():
            path.touch()
        file = path.open("rb")
    with file:
        _check_input(path, target, inputs)
        _lock(file, target)
        _check_results(file, target)
        yield


def _check_results(file: BinaryIO, target: str) -> None:
    start = file.read(len(_ROW_START))
    if start and start != _ROW_START:
        raise Unwritable(f"{target}: exists and is not a results file; name another file with -o")


def _lock(file: BinaryIO, target: str) -> None:
    try:
        import fcntl
    except ImportError:  # Windows has no advisory locks; two runs into one file are the user's to avoid there
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise Unwritable(f"{target}: another run is writing it; name another file with -o") from None
