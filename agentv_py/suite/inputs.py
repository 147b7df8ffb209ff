"""Input files → what they are when they are first looked at, and which of them are something else later."""

from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple
from zlib import crc32

_PIECE = 2**20


class Checksum(NamedTuple):
    """It is made in every run, and guards against oversight, not against forgery."""

    size: int
    crc: int


class _State(NamedTuple):
    size: int
    modified: int
    changed: int
    """This time also moves with links and permissions, so that it gives a reason to look at the content."""


class Inputs:
    """The files that a run reads. Each is noted before it is read for the first time."""

    def __init__(self) -> None:
        self._states: dict[Path, _State | None] = {}
        self._checksums: dict[Path, Checksum] = {}

    def note(self, *paths: Path) -> None:
        for path in paths:
            if path not in self._states:
                self._states[path] = _state_of(path)

    def checksum(self, path: Path) -> Checksum:
        """The checksum of a file as it is at the first call."""
        if path not in self._checksums:
            self._checksums[path] = _sum_up(path)
        return self._checksums[path]

    def changed(self) -> list[Path]:
        """The files that are no longer what they were; a pipe has no state that could be compared."""
        return [path for path, state in self._states.items() if state is not None and self._is_other(path, state)]

    def _is_other(self, path: Path, before: _State) -> bool:
        now = _state_of(path)
        if now is None or now[:2] != before[:2]:
            return True
        if now == before or path not in self._checksums:
            return False
        try:
            return _sum_up(path) != self._checksums[path]
        except OSError:
            return True


def _state_of(path: Path) -> _State | None:
    try:
        found = path.stat()
    except (OSError, ValueError):
        return None
    return _State(found.st_size, found.st_mtime_ns, found.st_ctime_ns) if S_ISREG(found.st_mode) else None


def _sum_up(path: Path) -> Checksum:
    size = crc = 0
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            size += len(piece)
            crc = crc32(piece, crc)
    return Checksum(size, crc)
