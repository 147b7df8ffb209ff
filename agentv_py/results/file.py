"""A results file that one run has locked: rows are appended, or the file is replaced in one step."""

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import count
from pathlib import Path
from stat import S_IMODE
from types import TracebackType
from typing import BinaryIO, NamedTuple, Self
from zlib import crc32

from agentv_py.errors import Unwritable
from agentv_py.results.locked_file import NEW, check_results, explain_failure, is_at, lock, open_file, write_all
from agentv_py.results.read import BUFFER
from agentv_py.results.row import NotARow, decode_row

_PIECE = 2**20


class WrittenRows(NamedTuple):
    """What a file holds. It is replaced as a whole, because Ctrl-C may come between any two steps."""

    start: int
    """Where the rows of this run begin."""
    size: int
    checksum: int = 0
    """Of the rows of this run."""
    pending: int = 0
    """The size of the rows that are being written. They may already be in the file or not."""
    changed: int = 0
    """When the file last changed after a write of this run, by the clock of the file system."""
    is_doubtful: bool = True
    """Whether the file has changed between two writes of this run. Within one tick of that clock nobody can tell."""


class ResultsFile:
    """An open file that no other run writes. Another program can still replace the file of that name."""

    def __init__(self, target: str, file: BinaryIO) -> None:
        self.target = target
        self._file = file
        size = self._read_status().st_size
        self._written = WrittenRows(size, size)

    @property
    def size(self) -> int:
        return self._written.size

    @classmethod
    def open(cls, target: str, inputs: Sequence[Path] = ()) -> Self:
        """Open and lock a file. Raise Unwritable if it is an input, locked by another run, or not a results file."""
        path = Path(target)
        with explain_failure(target):
            path.parent.mkdir(parents=True, exist_ok=True)
            if path.exists() and any(source.exists() and path.samefile(source) for source in inputs):
                raise Unwritable(f"{target}: is an input of this run; name another file with -o")
            file = open_file(target, os.O_CREAT)
        try:
            lock(file, target)
            check_results(file, target)
            return cls(target, file)
        except BaseException:
            file.close()
            raise

    @classmethod
    def create(cls, target: str) -> Self:
        """Create a new file."""
        with explain_failure(target):
            return cls(target, open_file(target, NEW))

    def clear(self) -> None:
        if self.size:
            os.ftruncate(self._file.fileno(), 0)
            # When a file that was emptied is next closed, ext4 waits until it is on the disk. Now it is still empty.
            os.close(os.open(self.target, os.O_RDONLY))
        self._written = WrittenRows(0, 0)

    def append(self, rows: bytes | memoryview) -> None:
        before = self._written
        is_first = before.size == before.start
        is_doubtful = not is_first and (before.is_doubtful or self._read_status().st_ctime_ns != before.changed)
        self._written = before._replace(pending=len(rows), is_doubtful=True)
        with explain_failure(self.target):
            try:
                write_all(self._file, rows)
            except OSError:
                self._cut_off_torn_row(rows)
                raise
        size, checksum, changed = before.size + len(rows), crc32(rows, before.checksum), self._read_status().st_ctime_ns
        self._written = WrittenRows(before.start, size, checksum, changed=changed, is_doubtful=is_doubtful)

    def _cut_off_torn_row(self, rows: bytes | memoryview) -> None:
        """Remove the row of which only a part was written, because the disk had no room for all of these rows."""
        start = self._written.size
        with suppress(OSError):
            written = bytes(rows[: max(0, self._read_status().st_size - start)])
            os.ftruncate(self._file.fileno(), start + written.rfind(b"\n") + 1)

    def is_whole(self) -> bool:
        """Tell whether the file of that name is the open file, and still has the rows that were written."""
        return is_at(self._file, self.target) and self.has_its_rows()

    def has_its_rows(self) -> bool:
        """Tell whether the open file holds the rows that were written. It is read only if it changed between writes."""
        start, size, checksum, pending, changed, is_doubtful = self._written
        status = self._read_status()
        if not size <= status.st_size <= size + pending:
            return False
        is_same = not is_doubtful and status.st_ctime_ns == changed
        return is_same or self._compute_checksum(start, size) == checksum

    def _read_status(self) -> os.stat_result:
        return os.fstat(self._file.fileno())

    def _compute_checksum(self, start: int, end: int) -> int:
        checksum = 0
        while start < end and (piece := os.pread(self._file.fileno(), min(_PIECE, end - start), start)):
            checksum, start = crc32(piece, checksum), start + len(piece)
        return checksum

    @contextmanager
    def open_reader(self, buffer: int = BUFFER) -> Iterator[BinaryIO]:
        """Open the file at its start, even if it has no name any more. Without a buffer, seeking costs nothing."""
        with os.fdopen(os.dup(self._file.fileno()), "rb", buffer) as reader:
            reader.seek(0)
            yield reader

    def replace(self, lines: Iterable[bytes]) -> None:
        """Replace the content by these lines, in one step. At no time is the file of that name unlocked."""
        real = Path(self.target).resolve()
        remove_replacements(self.target)
        beside = real.parent / f"{_new_name(real)}{os.urandom(4).hex()}.new"
        with explain_failure(self.target):
            new = open_file(str(beside), NEW)
            try:
                lock(new, self.target)
                os.fchmod(new.fileno(), S_IMODE(os.fstat(self._file.fileno()).st_mode))
                size = _write_lines(new, lines)
                os.fsync(new.fileno())
                beside.replace(real)
            except BaseException:
                new.close()
                beside.unlink(missing_ok=True)
                raise
        self._file.close()
        self._file, self._written = new, WrittenRows(size, size)

    def save_beside(self, lines: Iterable[bytes] | None = None) -> Unwritable:
        """Write the remaining rows, or these lines, to a new file; return the error that names the file."""
        path = Path(self.target)
        for number in count(1):
            beside = path.with_name(f"{path.stem}.rescued{'' if number == 1 else f'-{number}'}{path.suffix}")
            try:
                with open_file(str(beside), NEW) as file, self.open_reader() as reader:
                    _write_lines(file, filter(_is_row, reader if lines is None else lines))
            except FileExistsError:
                continue
            except OSError as error:
                return Unwritable(f"{self.target}: {_TAKEN}, and {beside} cannot be written: {error.strerror}")
            return Unwritable(f"{self.target}: {_TAKEN}; the rows that are left are in {beside}")
        raise AssertionError("there is always another number")

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


_TAKEN = "was removed, replaced or overwritten during the run"


def remove_replacements(target: str) -> None:
    """Remove the files of runs that were killed while they replaced this file; the caller has its lock."""
    real = Path(target).resolve()
    beginning = _new_name(real)
    with suppress(PermissionError):  # a folder that may be written may still be unreadable
        for name in os.listdir(real.parent):  # noqa: PTH208  Python's glob would compile a pattern for each target
            if name.startswith(beginning) and name.endswith(".new"):
                with suppress(OSError):
                    (real.parent / name).unlink()


def _new_name(real: Path) -> str:
    """Return the beginning of the replacements' names: short, and unlike a name that a user chooses."""
    return f".evalctl-{sha256(os.fsencode(real.name)).hexdigest()[:12]}-"


def _is_row(line: bytes) -> bool:
    try:
        decode_row(line)
    except NotARow:
        return False
    return True


def _write_lines(file: BinaryIO, lines: Iterable[bytes]) -> int:
    size = 0
    for line in lines:
        write_all(file, line)
        size += len(line)
    return size
