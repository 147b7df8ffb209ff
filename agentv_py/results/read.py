"""Case results ⇄ JSONL."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple

from agentv_py import jsontext
from agentv_py.errors import Problem, UserError
from agentv_py.input_file import open_file_or_pipe, read_pieces
from agentv_py.results.row import NotARow, NotWhole, Row, row_of

_MOST_FROM_PIPE = 2**30


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
    with _reading(file):
        if not path.exists() or path.is_file() or path.is_dir():
            return Source(path, file)
    copy = stack.enter_context(tempfile.NamedTemporaryFile(prefix="evalctl-"))  # noqa: SIM115  the stack closes it
    with _reading(file), open_file_or_pipe(path) as pipe:
        copy.writelines(read_pieces(pipe, _MOST_FROM_PIPE))
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
    with _reading(source.shown), source.path.open("rb") as file:
        yield from located_in(file, source.shown)


def located_in(file: BinaryIO, shown: str) -> Iterator[Located | Problem]:
    """The same of an open file, from where it stands."""
    offset = file.tell()
    for number, line in enumerate(file, 1):
        if not line.isspace():
            try:
                yield Located(offset, len(line), row_of(line))
            except NotARow as error:
                if line.endswith(b"\n") or not isinstance(error, NotWhole):
                    raise UserError(Problem(f"not a row of results: {error}", "", shown, number)) from None
                yield Problem("the last line is torn, and left out", "", shown, number)
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
