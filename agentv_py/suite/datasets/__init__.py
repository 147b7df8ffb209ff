"""Dataset file → rows with their lines. The suffix selects the reader."""

from collections.abc import Iterable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import TypeVar

from agentv_py.errors import InvalidSuite, Problem
from agentv_py.suite.datasets.object_file import RowKind, read_object_files
from agentv_py.suite.datasets.reader import FileNote, Reader
from agentv_py.suite.datasets.row import DatasetRow, DecodedRow, decode_rows

READERS = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".csv": "csv",
    ".xlsx": "xlsx",
    ".parquet": "parquet",
}
"""Suffix → the file in this folder; its class has the same name. A reader is loaded when a file needs it."""

_R = TypeVar("_R")


def find_reader(path: Path) -> Reader:
    # A suite may have any suffix and is YAML; a dataset's suffix is checked when its file is found.
    return _load_reader(READERS.get(path.suffix.lower(), "yaml"))


def read_rows(path: Path, display_name: str, kind: RowKind = "case") -> Iterator[DatasetRow | Problem]:
    """Yield every row. A row that cannot be read is a problem in the stream, and reading continues after it."""
    reader = find_reader(path)
    rows = reader.read_rows(path, display_name)
    if reader.may_hold_one_object:
        rows = read_object_files(rows, path, display_name, kind)
    return _end_with_problems(rows, display_name)


def read_decoded_rows(path: Path, display_name: str, kind: RowKind = "case") -> Iterator[DecodedRow | Problem]:
    """Yield every row as an object, with what a check before the run needs to know about it."""
    reader = find_reader(path)
    if reader.may_hold_one_object:
        return decode_rows(read_rows(path, display_name, kind), display_name)
    return _end_with_problems(reader.read_decoded_rows(path, display_name), display_name)


def describe_files(files: Iterable[tuple[Path, str]]) -> list[FileNote]:
    """Say what the readers found out about files that were read before. Raises OSError or InvalidSuite."""
    return [note for path, display_name in files for note in find_reader(path).describe(path, display_name)]


@cache
def _load_reader(name: str) -> Reader:
    reader: Reader = getattr(import_module(f"{__name__}.{name}"), name.capitalize())()
    return reader


def _end_with_problems(rows: Iterator[_R], display_name: str) -> Iterator[_R | Problem]:
    """Yield the rows, then the problem that keeps the rest of the file from being read."""
    try:
        yield from rows
    except OSError as error:
        yield describe_unreadable_file(error, display_name)
    except InvalidSuite as error:
        yield from error.problems


def describe_unreadable_file(error: OSError, display_name: str) -> Problem:
    return Problem(f"cannot be read: {error.strerror}", "", display_name)
