"""CSV text, a record of it and changes → the text with other cells there. Every other cell keeps its characters."""

import csv
import io
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from agentv_py import jsontext
from agentv_py.suite.datasets.csv import read_cell
from agentv_py.suite.datasets.csv_dialect import Dialect
from agentv_py.suite.edit.span import Change, Steps, set_value


class Cell(NamedTuple):
    """The characters of a cell, with its quotes."""

    start: int
    end: int


def edit_csv(text: str, record: int, changes: Sequence[Change], dialect: Dialect) -> str:
    """Change values of a record, counted from 0 after the head. Raises LookupError if no column holds a value."""
    lines = (cells for cells in _split(text, dialect) if cells != [Cell(cells[0].start, cells[0].start)])
    head, *records = list(lines)[int(dialect.has_separator_line) :]
    cells = records[record]
    columns = [_read(text, cell, dialect) for cell in head]
    new: dict[int, Any] = {}
    for steps, value in changes:
        at, rest = _find_column(columns, steps)
        held = new.get(at, read_cell(columns[at], _read(text, cells[at], dialect)) if rest else None)
        new[at] = set_value(held, rest, value)
    for at, value in sorted(new.items(), reverse=True):
        text = text[: cells[at].start] + _write(value, columns[at], dialect) + text[cells[at].end :]
    return text


def _find_column(columns: Sequence[str], steps: Steps) -> tuple[int, Steps]:
    """Return the column that holds a value, and the steps inside its cell."""
    for length in range(len(steps), 0, -1):
        name = ".".join(map(str, steps[:length]))
        if name in columns:
            return columns.index(name), steps[length:]
    raise LookupError(".".join(map(str, steps)))


def _read(text: str, cell: Cell, dialect: Dialect) -> str:
    lines = io.StringIO(text[cell.start : cell.end], newline="")
    row = next(dialect._replace(has_separator_line=False).parse(lines), [])
    return row[0] if row else ""


def _write(value: Any, column: str, dialect: Dialect) -> str:
    """Write a value so that it is read again with its type: text that reads as JSON is written as JSON."""
    if value is None and "." in column:
        content = ""  # an empty cell below a dotted column is null
    elif isinstance(value, str) and value.strip() and read_cell(column, value) == value:
        content = value
    else:
        content = jsontext.dumps(value).decode()
    line = io.StringIO()
    writer = csv.writer(
        line,
        delimiter=dialect.delimiter,
        quotechar=dialect.quotechar,
        escapechar=dialect.escapechar,
        doublequote=dialect.escapechar is None,
        lineterminator="",
    )
    writer.writerow([content, "x"])  # a lone empty cell would get quotes
    return line.getvalue()[: -len(dialect.delimiter) - 1]


def _split(text: str, dialect: Dialect) -> Iterator[list[Cell]]:
    """Yield the cells of each record. A line may end with any line break, which may also be inside quotes."""
    cells: list[Cell] = []
    start, position, is_quoted = 0, 0, False
    while position <= len(text):
        mark = text[position : position + 1]
        if mark and mark == dialect.escapechar:
            position += 1
        elif mark == dialect.quotechar:
            is_quoted = not is_quoted
        elif not is_quoted and mark in (dialect.delimiter, "\n", "\r", ""):
            cells.append(Cell(start, position))
            start = position + 1
            if mark != dialect.delimiter:
                yield cells
                cells = []
                if mark == "\r" and text[position + 1 : position + 2] == "\n":
                    position, start = position + 1, start + 1
        position += 1
