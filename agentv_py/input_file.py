"""A file that a user names → its bytes, up to a bound."""

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

MOST_FROM_PIPE = 64 * 2**20

_PIECE = 2**20


def read_file_or_pipe(path: Path, most: int = MOST_FROM_PIPE) -> bytes:
    """Read a whole regular file, or a pipe up to a bound. Raises OSError, including for a device."""
    with open_file_or_pipe(path) as file:
        return file.read() if is_regular(file) else b"".join(read_pieces(file, most))


def read_regular_file(path: Path) -> bytes:
    """Read a whole file that can be read again. Raises OSError, including for a file that is not regular."""
    if not stat.S_ISREG(path.stat().st_mode):  # opening a pipe without a writer would wait forever
        raise OSError(errno.EINVAL, "it is not a regular file")
    return path.read_bytes()


def open_file_or_pipe(path: Path) -> BinaryIO:
    """Open a regular file or a pipe. Raises OSError, also for a device, which may never end."""
    mode = path.stat().st_mode
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise OSError(errno.ENODEV, "it is a device; name a file or a pipe")
    return path.open("rb")


def is_regular(file: BinaryIO) -> bool:
    return stat.S_ISREG(os.fstat(file.fileno()).st_mode)


def read_pieces(pipe: BinaryIO, most: int) -> Iterator[bytes]:
    """Yield what a pipe holds, piece by piece. Raises OSError after `most` bytes."""
    size = 0
    while piece := pipe.read(_PIECE):
        size += len(piece)
        if size > most:
            raise OSError(errno.EFBIG, f"it holds more than {most / 2**20:,.0f} MiB; name a file")
        yield piece
