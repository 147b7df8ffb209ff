"""Case results ⇄ JSONL."""

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, NamedTuple, Self

from agentv_py import jsontext, soundness
from agentv_py.errors import Problem, Unwritable, UserError
from agentv_py.soundness import NotARow, NotWhole, row_of

Row = soundness.Row

STDOUT = "-"
FOLDER = Path(".evalctl", "results")

_ROW_START = b'{"timestamp":'


def encode(row: Row) -> bytes:
    return jsontext.dumps_line(row)


class Encoder:
    """Rows → lines, for those who need the rows no more: cases that are wholly right share their hits and details."""

    def __init__(self) -> None:
        self._last: Any = None
        self._shared: Any = None
        self._spelled: dict[str, Any] = {}

    def __call__(self, row: Row) -> bytes:
        result = row["evaluator_results"][0]
        details = result.get("details")
        kept = row["verdict"] != "pass"  # by the summary, which shows it
        if kept or details is None or details is not self._shared or row["hits"] is not result["hits"]:
            self._learn(result)
            return encode(row)
        plain = {"hits": result["hits"], "details": details}
        row["hits"] = self._spelled["hits"]
        result.update(self._spelled)
        try:
            return encode(row)
        except TypeError:  # something else in it has to be spelled by another writer
            row["hits"] = plain["hits"]
            result.update(plain)
            return encode(row)

    def _learn(self, result: dict[str, Any]) -> None:
        """Details that came before are shared by many cases, so they will come again."""
        details = result.get("details")
        if details is not None and details is self._last:
            self._shared = details
            self._spelled = {key: jsontext.spelled(result[key]) for key in ("hits", "details")}
        self._last = details


class Source(NamedTuple):
    """A results file: where it can be read any number of times, and what the user called it."""

    path: Path
    shown: str


@contextmanager
def rereadable(files: Sequence[str]) -> Iterator[list[Source]]:
    """The files; a pipe, which can be read once only, is kept in a temporary file for as long as this lasts."""
    with ExitStack() as stack:
        yield [_kept(file, stack) for file in files]


def _kept(file: str, stack: ExitStack) -> Source:
    path = Path(file)
    if not path.exists() or path.is_file() or path.is_dir():
        return Source(path, file)
    copy = stack.enter_context(tempfile.NamedTemporaryFile(prefix="evalctl-"))  # noqa: SIM115  the stack closes it
    with _reading(file), path.open("rb") as pipe:
        shutil.copyfileobj(pipe, copy)
    copy.flush()
    return Source(Path(copy.name), file)


def read(source: Source) -> Iterator[Row | Problem]:
    """Every row, one at a time. A torn last line is a problem in the stream; any other damage raises."""
    return (found if isinstance(found, Problem) else found.row for found in located(source))


class Located(NamedTuple):
    """A row, and the line that it is."""

    offset: int
    length: int
    row: Row


def located(source: Source) -> Iterator[Located | Problem]:
    """The same, each row with its place in the file."""
    offset = 0
    with _reading(source.shown), source.path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.isspace():
                try:
                    yield Located(offset, len(line), row_of(line))
                except NotARow as error:
                    if line.endswith(b"\n") or not isinstance(error, NotWhole):
                        raise UserError(Problem(f"not a row of results: {error}", "", source.shown, number)) from None
                    yield Problem("the last line is torn, and left out", "", source.shown, number)
            offset += len(line)


def rows(sources: Sequence[Source], evaluator: str | None = None) -> Iterator[Row]:
    """The rows of several files once more, whose damage was told the first time; of one evaluator's results alone."""
    for source in sources:
        for row in read(source):
            if isinstance(row, Problem):
                continue
            if evaluator is not None:
                row["evaluator_results"] = [one for one in row["evaluator_results"] if one["name"] == evaluator]
            yield row


def row_at(source: Source, file: BinaryIO, offset: int) -> Row:
    """The row that begins there, in a file that was read before."""
    file.seek(offset)
    try:
        return row_of(file.readline())
    except NotARow:
        raise UserError(Problem("the file changed while it was read", "", source.shown)) from None


@contextmanager
def _reading(shown: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UserError(f"{shown}: cannot be read: {error.strerror}") from None


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
        stem = re.sub(r"[^\w.-]+", "-", suite).strip(".-")[:100] or "suite"
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
