"""Results files → their rows, one at a time, any number of times."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from agentv_py.errors import Problem, UserError
from agentv_py.input_file import describe_failure, open_file_or_pipe, read_pieces
from agentv_py.results.row import NotARow, Row, TornRow, decode_row

_MOST_FROM_PIPE = 2**30
BUFFER = 2**18
"""Bytes that are read at once: Python's own 8 KiB hold only a few rows, and take twice the time."""


class ResultsSource(NamedTuple):
    """A results file: a path that can be read any number of times, and the user's name for it."""

    path: Path
    shown: str


@contextmanager
def open_sources(files: Sequence[str]) -> Iterator[list[ResultsSource]]:
    """Yield the files as sources. A pipe can be read only once, so it is copied to a temporary file meanwhile."""
    with ExitStack() as stack:
        yield [_open_source(file, stack) for file in files]


def _open_source(file: str, stack: ExitStack) -> ResultsSource:
    path = Path(file)
    with _explain_failure(file):
        if not path.exists() or path.is_file() or path.is_dir():
            return ResultsSource(path, file)
    copy = stack.enter_context(tempfile.NamedTemporaryFile(prefix="evalctl-"))  # noqa: SIM115  the stack closes it
    with _explain_failure(file), open_file_or_pipe(path) as pipe:
        copy.writelines(read_pieces(pipe, _MOST_FROM_PIPE))
    copy.flush()
    return ResultsSource(Path(copy.name), file)


class LocatedRow(NamedTuple):
    """A row, and the place of its line in the file."""

    offset: int
    length: int
    """With a line break, also where the file ends without one."""
    row: Row


def read_results(source: ResultsSource) -> Iterator[Row | Problem]:
    """Yield every row. A torn last line is a problem in the stream; any other damage raises a UserError."""
    with _explain_failure(source.shown), source.path.open("rb", BUFFER) as file:
        for number, line in enumerate(file, 1):
            if not line.isspace():
                try:
                    yield decode_row(line)
                except NotARow as error:
                    yield _describe_damage(error, line, source.shown, number)


def read_located_rows(source: ResultsSource) -> Iterator[LocatedRow | Problem]:
    """Yield the same as `read_results`, each row with its place in the file."""
    with _explain_failure(source.shown), source.path.open("rb", BUFFER) as file:
        yield from read_located_rows_from(file, source.shown)


def read_located_rows_from(file: BinaryIO, shown: str) -> Iterator[LocatedRow | Problem]:
    """Yield the same from the current position of an open file."""
    offset = file.tell()
    for number, line in enumerate(file, 1):
        if not line.isspace():
            try:
                yield LocatedRow(offset, len(line) + (not line.endswith(b"\n")), decode_row(line))
            except NotARow as error:
                yield _describe_damage(error, line, shown, number)
        offset += len(line)


def _describe_damage(error: NotARow, line: bytes, shown: str, number: int) -> Problem:
    """Return the problem of a torn last line. Raise a UserError for any other damage."""
    if line.endswith(b"\n") or not isinstance(error, TornRow):
        raise UserError(Problem(f"not a row of results: {error}", "", shown, number)) from None
    return Problem("the last line is torn, and left out", "", shown, number)


def reread_rows(sources: Sequence[ResultsSource], evaluator: str | None = None) -> Iterator[Row]:
    """Read the rows of several files again, without torn lines; optionally with the results of one evaluator only."""
    for source in sources:
        for row in read_results(source):
            if not isinstance(row, Problem):
                yield _keep_evaluator(row, evaluator)


def reread_rows_by_case(sources: Sequence[ResultsSource], evaluator: str | None = None) -> Iterator[Row]:
    """Read the same rows, with all rows of a case after each other, as one file of several targets holds them."""
    places: dict[tuple[str, str], list[tuple[int, int]]] = {}
    for number, source in enumerate(sources):
        for line in read_located_rows(source):
            if not isinstance(line, Problem):
                places.setdefault((line.row["suite"], line.row["case_id"]), []).append((number, line.offset))
    with ExitStack() as stack:
        files = [stack.enter_context(source.path.open("rb")) for source in sources]
        for number, offset in (place for case in places.values() for place in case):
            yield _keep_evaluator(row_at(sources[number], files[number], offset), evaluator)


def _keep_evaluator(row: Row, evaluator: str | None) -> Row:
    """Return the row with the results of this evaluator only; of all, if it is None."""
    if evaluator is not None:
        row["evaluator_results"] = [result for result in row["evaluator_results"] if result["name"] == evaluator]
    return row


def row_at(source: ResultsSource, file: BinaryIO, offset: int) -> Row:
    """Read the row that begins at an offset of a file that was read before."""
    file.seek(offset)
    try:
        return decode_row(file.readline())
    except NotARow:
        raise UserError(Problem("the file changed while it was read", "", source.shown)) from None


@contextmanager
def _explain_failure(shown: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise UserError(f"{shown}: cannot be read: {describe_failure(error, shown)}") from None
