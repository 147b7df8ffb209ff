"""A file that a user names → its bytes, which have an end."""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

MOST_FROM_PIPE = 64 * 2**20

_PIECE = 2**20


def read_file_or_pipe(path: Path, most: int = MOST_FROM_PIPE) -> bytes:
    """The whole of a regular file, or of a pipe up to a bound. Raises OSError, also for a device."""
    with open_file_or_pipe(path) as file:
        return file.read() if is_regular(file) else b"".join(read_pieces(file, most))


def read_regular_file(path: Path) -> bytes:
    """The whole of a file that can be read again. Raises OSError, also for what is no regular file."""
    if not stat.S_ISREG(path.stat().st_mode):  # a pipe that nobody writes to could not even be opened
        raise OSError(errno.EINVAL, "it is not a regular file")
    return path.read_bytes()


def open_file_or_pipe(path: Path) -> BinaryIO:
    """Raises OSError, also for a device: nobody knows where one ends."""
    mode = path.stat().st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise OSError(errno.ENODEV, "it is a device; name a file or a pipe")
    return path.open("rb")


def is_regular(file: BinaryIO) -> bool:
    return stat.S_ISREG(os.fstat(file.fileno()).st_mode)


def read_pieces(pipe: BinaryIO, most: int) -> Iterator[bytes]:
    """What comes out of a pipe, piece by piece. Raises OSError where more comes than that."""
    size = 0
    while piece := pipe.read(_PIECE):
        size += len(piece)
        if size > most:
            raise OSError(errno.EFBIG, f"more than {most / 2**20:,.0f} MiB come out of it; name a file")
        yield piece
