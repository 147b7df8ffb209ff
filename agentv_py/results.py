"""Case results ⇄ JSONL."""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from agentv_py import jsontext
from agentv_py.errors import Problem, Unwritable, UserError

Row = dict[str, Any]

STDOUT = "-"
FOLDER = Path(".evalctl", "results")

_ROW_START = b'{"timestamp":'


def encode(row: Row) -> bytes:
    return jsontext.dumps_line(row)


def read(path: str) -> Iterator[Row | Problem]:
    """Every row, one at a time. A torn last line is a problem in the stream; any other damage raises."""
    for found in read_lines(path):
        yield found if isinstance(found, Problem) else found[2]


def read_lines(path: str) -> Iterator[tuple[int, bytes, Row] | Problem]:
    """The same, each row with where its line begins, and the line."""
    try:
        file = Path(path).open("rb")  # noqa: SIM115  closed below
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}") from None
    with file:
        start = 0
        for number, line in enumerate(file, 1):
            begins, start = start, start + len(line)
            if line.isspace():
                continue
            try:
                yield begins, line, _row(jsontext.loads(line))
            except (jsontext.NotJson, _NotARow) as error:
                if line.endswith(b"\n"):
                    raise UserError(Problem(f"not a row of results: {error}", "", path, number)) from None
                yield Problem("the last line is torn, and left out", "", path, number)


class _NotARow(ValueError):  # noqa: N818  a finding about a line
    pass


def _row(value: Any) -> Row:
    if not isinstance(value, dict):
        raise _NotARow("it is not an object")
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
    return value


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

    def __init__(self, target: str, inputs: Sequence[Path] = ()) -> None:
        self.target = target
        with _said_plainly(target):
            self._file = sys.stdout.buffer if target == STDOUT else _opened(target, inputs)

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

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.target != STDOUT:
            self._file.close()


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
