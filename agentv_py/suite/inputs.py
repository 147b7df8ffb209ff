"""Input files → their state before they are read, and which of them have changed since."""

from pathlib import Path
from stat import S_ISREG
from typing import NamedTuple
from zlib import crc32

_PIECE = 2**20


class Checksum(NamedTuple):
    """A checksum that is cheap enough for every run: it detects accidents, but not forgery."""

    size: int
    crc: int


class _State(NamedTuple):
    size: int
    modified: int
    changed: int
    """Links and permissions change this time, too. So a new time is only a reason to read the content again."""


class Inputs:
    """The files that a run reads. `note` records the state of a file before it is read for the first time."""

    def __init__(self) -> None:
        self._states: dict[Path, _State | None] = {}
        self._checksums: dict[Path, Checksum] = {}

    def note(self, *paths: Path) -> None:
        for path in paths:
            if path not in self._states:
                self._states[path] = _read_state(path)

    def list_paths(self) -> list[Path]:
        return list(self._states)

    def checksum(self, path: Path) -> Checksum:
        """Return the checksum that the file had at the first call."""
        if path not in self._checksums:
            self._checksums[path] = _compute_checksum(path)
        return self._checksums[path]

    def list_changed(self) -> list[Path]:
        """Return the files that have changed. A pipe has no state to compare."""
        return [path for path, state in self._states.items() if state is not None and self._has_changed(path, state)]

    def _has_changed(self, path: Path, before: _State) -> bool:
        now = _read_state(path)
        if now is None or now[:2] != before[:2]:
            return True
        if now == before or path not in self._checksums:
            return False
        try:
            return _compute_checksum(path) != self._checksums[path]
        except OSError:
            return True


def _read_state(path: Path) -> _State | None:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return None
    return _State(status.st_size, status.st_mtime_ns, status.st_ctime_ns) if S_ISREG(status.st_mode) else None


def _compute_checksum(path: Path) -> Checksum:
    size = crc = 0
    with path.open("rb") as file:
        while piece := file.read(_PIECE):
            size += len(piece)
            crc = crc32(piece, crc)
    return Checksum(size, crc)
