"""A path → a file that is open for rows and that no other run writes; and rows → that file."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from agentv_py.errors import Unwritable

NEW = os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
_ROW_START = b'{"timestamp":'
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@contextmanager
def explain_failure(target: str) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        room = "make room and continue with --resume, or " if error.errno in _NO_ROOM and _is_kept(target) else ""
        raise Unwritable(f"{target}: cannot be written: {error.strerror}; {room}name another file with -o") from None


def open_file(path: str, flags: int) -> BinaryIO:
    return os.fdopen(os.open(path, os.O_RDWR | os.O_APPEND | flags, 0o666), "r+b", buffering=0)


def lock(file: BinaryIO, target: str) -> None:
    try:
        import fcntl
    except ImportError:  # Windows has no advisory locks; there the user must avoid two runs into one file
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise _in_use(target) from None


def check_results(file: BinaryIO, target: str) -> None:
    if not is_at(file, target):  # another run replaced it before it was locked
        raise _in_use(target)
    start = os.pread(file.fileno(), len(_ROW_START), 0)
    if start and start != _ROW_START:
        raise Unwritable(f"{target}: exists and is not a results file; name another file with -o")


def is_at(file: BinaryIO, target: str) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(target))  # noqa: PTH116  as the user spells it
    except OSError:
        return False


def write_all(file: BinaryIO, data: bytes | memoryview) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]


def _in_use(target: str) -> Unwritable:
    return Unwritable(f"{target}: another run is writing it; name another file with -o")


def _is_kept(target: str) -> bool:
    """Whether the rows that were written stay where they are."""
    return Path(target).is_file()
