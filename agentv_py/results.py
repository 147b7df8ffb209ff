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

from agentv_py import jsontext
from agentv_py.agentv_rows import is_agentv, translate
from agentv_py.errors import Problem, Unwritable, UserError

Row = dict[str, Any]

STDOUT = "-"
FOLDER = Path(".evalctl", "results")

_ROW_START = b'{"timestamp":'


def encode(row: Row) -> bytes:
    return jsontext.dumps_line(row)


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
    return (found if isinstance(found, Problem) else found[1] for found in located(source))


def located(source: Source) -> Iterator[tuple[int, Row] | Problem]:
    """The same, each row with the place where it begins."""
    offset = 0
    with _reading(source.shown), source.path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not line.isspace():
                try:
                    yield offset, _row(jsontext.loads(line))
                except (jsontext.NotJson, _NotARow) as error:
                    if line.endswith(b"\n"):
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
        return _row(jsontext.loads(file.readline()))
    except (jsontext.NotJson, _NotARow):
        raise UserError(Problem("the file changed while it was read", "", source.shown)) from None


@contextmanager
def _reading(shown: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UserError(f"{shown}: cannot be read: {error.strerror}") from None


class _NotARow(ValueError):  # noqa: N818  a finding about a line
    pass


def _row(found: Any) -> Row:
    if not isinstance(found, dict):
        raise _NotARow("it is not an object")
    value: Row = translate(found) if is_agentv(found) else found
    if not _is_sound(value):
        _name_damage(value)
    return value


def _is_sound(value: Row) -> bool:
    """The same checks as below, in a form that costs little for a row that passes them all."""
    try:
        if not (
            value["status"] in _STATUSES
            and value["verdict"] in _VERDICTS
            and type(value["case_id"]) is type(value["suite"]) is str
            and type(score := value["score"]) in _NUMBERS
            and 0 <= score <= 1
        ):
            return False
        for result in value["evaluator_results"]:
            if not (
                result["verdict"] in _VERDICTS
                and type(result["name"]) is type(result["type"]) is str
                and type(result["misses"]) is type(value["evaluator_results"]) is list
                and type(score := result["score"]) in _NUMBERS
                and 0 <= score <= 1
                and type(result.get("details", _NONE)) is dict
            ):
                return False
    except (KeyError, TypeError):
        return False
    return True


_STATUSES = frozenset({"ok", "error"})
_VERDICTS = frozenset({"pass", "partial", "fail"})
_NUMBERS = frozenset({int, float})
_NONE: dict[str, Any] = {}


def _name_damage(value: Row) -> None:
    _need(value, {"case_id": str, "suite": str, "status": ("ok", "error"), **_RESULT, "evaluator_results": list})
    if "repeats" in value and not _are_scores(value["repeats"]):
        raise _NotARow("its repeats are not a list of scores")
    if not _is_score(value.get("consistency", 1.0)):
        raise _NotARow("its consistency is not a number from 0 to 1")
    for result in value["evaluator_results"]:
        if not isinstance(result, dict):
            raise _NotARow("an evaluator's result is not an object")
        _need(result, {"name": str, "type": str, **_RESULT, "misses": list})
        if not isinstance(result.get("details", {}), dict):
            raise _NotARow("an evaluator's details are not an object")


_RESULT: dict[str, Any] = {"score": float, "verdict": ("pass", "partial", "fail")}


def _need(value: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Each key with a value of its kind; a score is a number from 0 to 1."""
    for key, kind in wanted.items():
        found = value.get(key)
        if isinstance(kind, tuple):
            fits = found in kind
        elif kind is float:
            fits = _is_score(found)
        else:
            fits = isinstance(found, kind)
        if not fits:
            shown = jsontext.dumps(found).decode()[:60]
            raise _NotARow(f"it has no {key}" if found is None else f"its {key} cannot be {shown}")


def _is_score(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value <= 1


def _are_scores(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(map(_is_score, value))


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
    if path.exists() and any(one.exists() and path.samefile(one) for one in inputs):
        raise Unwritable(f"{target}: is an input of this run; name another file with -o")
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
