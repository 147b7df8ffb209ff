"""Dataset file → rows with their lines: JSONL, JSON, YAML, CSV."""

import csv
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from agentv_py import jsontext
from agentv_py.errors import InvalidSuite, Problem
from agentv_py.jsontext.repeated_keys import find_repeated_key
from agentv_py.suite.yaml_document import read_text, read_yaml

SUFFIXES = (".jsonl", ".ndjson", ".json", ".yaml", ".yml", ".csv")

BOM = b"\xef\xbb\xbf"
_TEXT_COLUMNS = ("id",)
_OBJECT_COLUMNS = ("expected", "candidate", "input", "metadata")


class InvalidRow(ValueError):  # noqa: N818  a finding about a row, not a fault of the program
    """The row cannot be read; the message says why."""


class Row(NamedTuple):
    line: int
    raw: bytes | dict[str, Any]
    """A JSONL line is decoded by whoever needs it, once per process it passes through."""
    offset: int = 0
    column: int | None = None
    repeated: str | None = None
    """A key that one of its objects holds twice, where only the reader of the file can know."""


# The plain way to build a named tuple takes twice as long, and there are as many of these as lines.
_line_row: Callable[[tuple[int, bytes, int, None, None]], Row] = partial(tuple.__new__, Row)


def read_rows(path: Path, shown: str) -> Iterator[Row | Problem]:
    """Every row; one that cannot be read is a problem in the stream, and the rest goes on."""
    suffix = path.suffix.lower()
    with explain_failure(shown) as problems:
        if holds_lines(path):
            yield from _read_lines(path)
        elif suffix == ".csv":
            yield from _read_csv(path, shown)
        elif suffix == ".json":
            yield from _read_json(path, shown)
        else:
            yield from _read_yaml(path, shown)
    yield from problems


def holds_lines(path: Path) -> bool:
    """Whether each line of the file is a row."""
    return path.suffix.lower() in (".jsonl", ".ndjson")


@contextmanager
def explain_failure(shown: str) -> Iterator[list[Problem]]:
    """The problems that keep a file from being read; they are there at the end."""
    problems: list[Problem] = []
    try:
        yield problems
    except OSError as error:
        problems.append(Problem(f"cannot be read: {error.strerror}", "", shown))
    except InvalidSuite as error:
        problems.extend(error.problems)


def decode(row: Row) -> dict[str, Any]:
    """The row as an object. Raises InvalidRow."""
    return decode_examined(row)[0]


def decode_examined(row: Row) -> tuple[dict[str, Any], bool]:
    """The same, and whether it can be read again the fastest way."""
    try:
        value, plain = jsontext.loads_and_classify(row.raw) if isinstance(row.raw, bytes) else (row.raw, True)
    except jsontext.NotJson as error:
        raise InvalidRow(f"not valid JSON: {error}") from None
    if not isinstance(value, dict):
        raise InvalidRow(f"a row must be an object, not {_kind(value)}")
    return value, plain


def _read_lines(path: Path) -> Iterator[Row]:
    offset = 0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if number == 1:
                raw = line.removeprefix(BOM)
                offset, line = len(line) - len(raw), raw  # noqa: PLW2901  the mark is no part of the row
            if not line.isspace():
                yield _line_row((number, line, offset, None, None))
            offset += len(line)


def _read_json(path: Path, shown: str) -> Iterator[Row | Problem]:
    text = read_text(path, shown)
    try:
        for line, value, own_text in jsontext.iterate_elements(text):
            yield Row(line, value, repeated=_repeated_key(own_text, value))
    except jsontext.NotJson as error:
        what = f"not valid JSON: {error}; a file of rows holds one list of objects"
        yield Problem(what, "", shown, error.line, error.column)


def _read_yaml(path: Path, shown: str) -> Iterator[Row | Problem]:
    document = read_yaml(path, shown)
    if not isinstance(document.below, list) or not isinstance(document.value, list):
        yield Problem(f"must hold a list of rows, not {_kind(document.value)}", "", shown, 1)
        return
    for node in document.below:
        yield Row(node.line, node.value)


def _read_csv(path: Path, shown: str) -> Iterator[Row | Problem]:
    csv.field_size_limit(sys.maxsize)
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            delimiter = _delimiter(file.readline())
            file.seek(0)
            reader = csv.reader(file, delimiter=delimiter, strict=True)
            columns = next(reader, [])
            if problems := list(column_problems(columns, shown)):
                yield from problems
                return
            line = reader.line_num
            for cells in reader:
                if cells and len(cells) != len(columns):
                    what = f"{len(cells)} cells under {len(columns)} columns"
                    yield Problem(what, "", shown, line + 1)
                elif cells:
                    row = _csv_row(columns, cells)
                    repeated = next((key for cell in cells if (key := _repeated_in_cell(cell)) is not None), None)
                    yield Row(line + 1, row, repeated=repeated)
                line = reader.line_num
        except csv.Error as error:
            yield Problem(f"not valid CSV: {error}", "", shown, reader.line_num)
        except UnicodeDecodeError:
            read_text(path, shown)  # raises, naming the byte's line and column


def _delimiter(header: str) -> str:
    return "," if "," in header else ";" if ";" in header else "\t" if "\t" in header else ","


def column_problems(columns: list[str], shown: str) -> Iterator[Problem]:
    earlier: set[str] = set()
    names = set(columns)
    lengths = set(map(len, names))
    for column in columns:
        if column in earlier:
            yield Problem(f"column {column!r} stands twice", "", shown, 1)
        earlier.add(column)
        # A column of a million dots has a million columns above it, but few of them have a length that any column has.
        for above in (column[:at] for at, mark in enumerate(column) if mark == "." and at in lengths):
            if above in names:
                yield Problem(f"columns {above!r} and {column!r} exclude each other", "", shown, 1)


def _csv_row(columns: list[str], cells: list[str]) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for column, cell in zip(columns, cells, strict=True):
        root, *steps = column.split(".")
        if column in _TEXT_COLUMNS:
            if cell:
                row[column] = cell
        elif column == "tags":
            row[column] = _tags(cell)
        elif steps and root in _OBJECT_COLUMNS:
            _put(row, [root, *steps], _cell(cell) if cell.strip() else None)
        elif cell.strip():
            row[column] = _cell(cell)
    return row


def _put(row: dict[str, Any], steps: list[str], value: Any) -> None:
    for step in steps[:-1]:
        row = row.setdefault(step, {})
    row[steps[-1]] = value


def _cell(text: str) -> Any:
    """JSON where the cell parses as JSON. NaN does not: in a cell it is text."""
    if text.strip() in ("NaN", "Infinity", "-Infinity"):
        return text
    try:
        return jsontext.loads_text(text)
    except jsontext.NotJson:
        return text


def _repeated_in_cell(text: str) -> str | None:
    value = _cell(text) if text.count('"') > 3 else None  # two keys have four quotes
    return _repeated_key(text, value) if isinstance(value, dict | list) else None


def _repeated_key(text: str, value: Any) -> str | None:
    doubtful = jsontext.may_repeat_keys(text.encode("utf-8", "surrogatepass"), value)
    return find_repeated_key(text) if doubtful else None


def _tags(cell: str) -> Any:
    value = _cell(cell)
    if isinstance(value, list):
        return value
    return [tag.strip() for tag in cell.replace(";", ",").split(",") if tag.strip()]


def _kind(value: Any) -> str:
    return {dict: "an object", list: "a list", str: "text", type(None): "null", bool: "true or false"}.get(
        type(value), "a number"
    )
