"""Case results ⇄ JSONL."""

import os
import re
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from agentv_py import jsontext
from agentv_py.errors import Unwritable

Row = dict[str, Any]

STDOUT = "-"
FOLDER = Path(".evalctl", "results")


def encode(row: Row) -> bytes:
    return jsontext.dumps_line(row)


def default_path(suite: str) -> Path:
    name = re.sub(r"[^\w.-]+", "-", suite).strip(".-") or "suite"
    stem = f"{name}-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    path, number = FOLDER / f"{stem}.jsonl", 2
    while path.exists():
        path, number = FOLDER / f"{stem}-{number}.jsonl", number + 1
    return path


class Writer:
    """Appends whole rows, each chunk in one write, so that a killed run leaves nothing torn."""

    def __init__(self, target: str, inputs: Sequence[Path] = ()) -> None:
        self.target = target
        self._file = self._opened(inputs)

    def write(self, rows: bytes) -> None:
        try:
            self._file.write(rows)
            self._file.flush()
        except BrokenPipeError:
            raise
        except OSError as error:
            raise Unwritable(f"{self.target}: cannot be written: {error.strerror}") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.target != STDOUT:
            self._file.close()

    def _opened(self, inputs: Sequence[Path]) -> BinaryIO:
        if self.target == STDOUT:
            return sys.stdout.buffer
        path = Path(self.target)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if any(path.exists() and one.exists() and path.samefile(one) for one in inputs):
                raise Unwritable(f"{self.target}: is an input of this run; name another file with -o")
            file = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "r+b", buffering=0)
            return _claimed(file, self.target)
        except OSError as error:
            raise Unwritable(f"{self.target}: cannot be written: {error.strerror}") from None


def _claimed(file: BinaryIO, target: str) -> BinaryIO:
    """The file emptied and locked, unless another run holds it or it is not a results file."""
    if not Path(target).is_file():
        return file
    _lock(file, target)
    first = file.readline()
    if first and b'"case_id"' not in first:
        file.close()
        raise Unwritable(f"{target}: exists and is not a results file; name another file with -o")
    file.seek(0)
    file.truncate()
    return file


def _lock(file: BinaryIO, target: str) -> None:
    try:
        import fcntl
    except ImportError:  # Windows has no advisory locks; two runs into one file are the user's to avoid there
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        raise Unwritable(f"{target}: another run is writing it; name another file with -o") from None
