"""A file that a user names → its bytes, up to a bound."""

import errno
import os
import stat
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

from agentv_py.errors import find_nearest

MOST_FROM_PIPE = 64 * 2**20

_PIECE = 2**20
_MOST_NAMES = 1_000


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


def describe_failure(error: OSError, name: str, folder: str = "") -> str:
    """Return why a file cannot be read; if it does not exist, with a file nearby that the user may have meant."""
    return f"{error.strerror}{suggest_file(name, folder) if isinstance(error, FileNotFoundError) else ''}"


def suggest_file(name: str, folder: str = "") -> str:
    """Suggest a file for a name that no file has: one beside it with a similar name, or one of this name nearby.

    The name is relative to the folder, and so is the suggestion.
    """
    above, last = os.path.split(name)
    names = _list_names(Path(folder, above))
    # Equal suffixes alone do not make two names alike.
    if near := find_nearest(last, [other for other in names if find_nearest(Path(last).stem, [Path(other).stem])]):
        return f"; did you mean {os.path.join(above, near)!r}?"  # noqa: PTH118  keeps the user's spelling
    places = [os.pardir, *(place for place in names if Path(folder, above, place).is_dir())]
    nearby = [os.path.normpath(os.path.join(above, place, last)) for place in places]  # noqa: PTH118  as above
    # os.path.isfile is false for a name that is too long, and Path.is_file raises.
    found = next((path for path in nearby if os.path.isfile(Path(folder, path))), None)  # noqa: PTH113
    return "" if found is None else f"; did you mean {found!r}?"


def _list_names(folder: Path) -> list[str]:
    try:
        return sorted(path.name for path in islice(folder.iterdir(), _MOST_NAMES) if not path.name.startswith("."))
    except OSError:
        return []
