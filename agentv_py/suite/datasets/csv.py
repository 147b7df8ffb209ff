"""CSV: each line is a row. A cell holds JSON or text, and a dotted column names a value inside an object."""

import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agentv_py import jsontext
from agentv_py.errors import Problem
from agentv_py.suite.datasets.reader import Reader
from agentv_py.suite.datasets.row import DatasetRow, find_key_repeated_in
from agentv_py.suite.text_file import read_text

_TEXT_COLUMNS = ("id",)
_OBJECT_COLUMNS = ("expected", "candidate", "input", "metadata")


class Csv(Reader):
    empty_cell_is_no_answer = True

    def read_rows(self, path: Path, display_name: str) -> Iterator[DatasetRow | Problem]:
        csv.field_size_limit(sys.maxsize)
        with path.open(encoding="utf-8-sig", newline="") as file:
            try:
                delimiter = _find_delimiter(file.readline())
                file.seek(0)
                reader = csv.reader(file, delimiter=delimiter, strict=True)
                columns = next(reader, [])
                if problems := list(check_columns(columns, display_name)):
                    yield from problems
                    return
                line = reader.line_num
                for cells in reader:
                    if cells and len(cells) != len(columns):
                        what = f"{len(cells)} cells under {len(columns)} columns"
                        yield Problem(what, "", display_name, line + 1)
                    elif cells:
                        yield _build_row(line + 1, columns, cells)
                    line = reader.line_num
            except csv.Error as error:
                yield Problem(f"not valid CSV: {error}", "", display_name, reader.line_num)
            except UnicodeDecodeError:
                read_text(path, display_name)  # raises InvalidSuite with the line and column of the byte


def check_columns(columns: list[str], display_name: str) -> Iterator[Problem]:
    earlier: set[str] = set()
    names = set(columns)
    lengths = set(map(len, names))
    for column in columns:
        if column in earlier:
            yield Problem(f"column {column!r} is listed twice", "", display_name, 1)
        earlier.add(column)
        # A column of a million dots has a million prefixes; only those as long as another column can be equal to it.
        for above in (column[:at] for at, mark in enumerate(column) if mark == "." and at in lengths):
            if above in names:
                yield Problem(f"columns {above!r} and {column!r} exclude each other", "", display_name, 1)


def _find_delimiter(header: str) -> str:
    return "," if "," in header else ";" if ";" in header else "\t" if "\t" in header else ","


def _build_row(line: int, columns: list[str], cells: list[str]) -> DatasetRow:
    row: dict[str, Any] = {}
    for column, cell in zip(columns, cells, strict=True):
        root, *steps = column.split(".")
        if column in _TEXT_COLUMNS:
            if cell:
                row[column] = cell
        elif column == "tags":
            row[column] = _read_tags(cell)
        elif steps and root in _OBJECT_COLUMNS:
            _set_value(row, [root, *steps], _read_cell(cell) if cell.strip() else None)
        elif cell.strip():
            row[column] = _read_cell(cell)
    repeated_key = next((key for cell in cells if (key := _find_repeated_key(cell)) is not None), None)
    return DatasetRow(line, row, repeated_key=repeated_key)


def _set_value(row: dict[str, Any], steps: list[str], value: Any) -> None:
    for step in steps[:-1]:
        row = row.setdefault(step, {})
    row[steps[-1]] = value


def _read_cell(text: str) -> Any:
    """Return the JSON value of a cell, or its text if it is not JSON. NaN in a cell is text."""
    if text.strip() in ("NaN", "Infinity", "-Infinity"):
        return text
    try:
        return jsontext.loads_text(text)
    except jsontext.NotJson:
        return text


def _find_repeated_key(cell: str) -> str | None:
    value = _read_cell(cell) if cell.count('"') > 3 else None  # two keys have four quotes
    return find_key_repeated_in(cell, value) if isinstance(value, dict | list) else None


def _read_tags(cell: str) -> Any:
    value = _read_cell(cell)
    if isinstance(value, list):
        return value
    return [tag.strip() for tag in cell.replace(";", ",").split(",") if tag.strip()]
