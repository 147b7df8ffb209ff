"""CSV: each line is a row. A cell holds JSON or text, and a dotted column names a value inside an object."""

import csv
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agentv_py import jsontext
from agentv_py.errors import Problem
from agentv_py.suite.datasets.columns import build_row, check_columns, find_repeated_key
from agentv_py.suite.datasets.csv_dialect import Dialect, find_dialect
from agentv_py.suite.datasets.reader import FileNote, Reader
from agentv_py.suite.datasets.row import DatasetRow
from agentv_py.suite.text_file import read_text


class Csv(Reader):
    empty_cell_is_no_answer = True

    def read_rows(self, path: Path, display_name: str) -> Iterator[DatasetRow | Problem]:
        csv.field_size_limit(sys.maxsize)
        dialect = find_dialect(path)
        with path.open(encoding=dialect.encoding, newline="") as file:
            try:
                yield from _read_table(dialect, file, display_name)
            except UnicodeDecodeError:
                # Raises InvalidSuite with the line and column of the byte.
                read_text(path, display_name, dialect.encoding)

    def describe(self, path: Path, display_name: str) -> Iterator[FileNote]:
        dialect = find_dialect(path)
        yield FileNote(f"{display_name}: {dialect}", is_usual=dialect.is_usual)


def _read_table(dialect: Dialect, file: Iterator[str], display_name: str) -> Iterator[DatasetRow | Problem]:
    skipped = int(dialect.has_separator_line)
    reader = dialect.parse(file)
    try:
        columns = next(reader, [])
        if problems := list(check_columns(columns, display_name)):
            yield from problems
            return
        line = reader.line_num
        for cells in reader:
            if cells and len(cells) != len(columns):
                yield Problem(f"{len(cells)} cells under {len(columns)} columns", "", display_name, line + skipped + 1)
            elif cells:
                yield _build_row(line + skipped + 1, columns, cells)
            line = reader.line_num
    except csv.Error as error:
        yield Problem(f"not valid CSV ({dialect}): {error}", "", display_name, reader.line_num + skipped)


def _build_row(line: int, columns: list[str], cells: list[str]) -> DatasetRow:
    values = [read_cell(column, cell) for column, cell in zip(columns, cells, strict=True)]
    return build_row(line, columns, values, find_repeated_key(cells, values))


def read_cell(column: str, text: str) -> Any:
    """Return the JSON value of a cell, or its text if it is not JSON; None if it is empty. NaN in a cell is text."""
    if column == "id":
        return text or None
    if not (stripped := text.strip()):
        return None
    if stripped in ("NaN", "Infinity", "-Infinity"):
        return text
    try:
        value = jsontext.loads_text(text)
    except jsontext.NotJson:
        return text
    return text if column == "tags" and not isinstance(value, list) else value
