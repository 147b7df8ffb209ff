"""Excel: each row of the first sheet is a row. Cells have types, and a dotted column names a value inside an object."""

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agentv_py.errors import InvalidSuite, Problem
from agentv_py.suite.datasets.cell_value import convert_cell
from agentv_py.suite.datasets.columns import build_row, check_columns, find_repeated_key, read_structure
from agentv_py.suite.datasets.reader import FileNote, Reader
from agentv_py.suite.datasets.row import DatasetRow

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

_MISSING = "needs python-calamine, which is not installed; run: pip install 'agentv-py[xlsx]'"


class Xlsx(Reader):
    empty_cell_is_no_answer = True

    def read_rows(self, path: Path, display_name: str) -> Iterator[DatasetRow | Problem]:
        with _open_workbook(path, display_name) as workbook:
            if not workbook.sheet_names:
                yield Problem("has no sheet", "", display_name)
                return
            rows = _read_cells(workbook, display_name)
            _, head = next(rows, (0, []))
            columns = [str(convert_cell(cell) if cell != "" else "") for cell in head]
            while columns and not columns[-1]:
                columns.pop()
            if problems := list(check_columns(columns, display_name)):
                yield from problems
                return
            for line, cells in rows:
                yield from _read_line(line, columns, cells, display_name)

    def describe(self, path: Path, display_name: str) -> Iterator[FileNote]:
        if importlib.util.find_spec("python_calamine") is None:
            return
        with _open_workbook(path, display_name) as workbook:
            names = workbook.sheet_names
        if len(names) > 1:
            yield FileNote(f"{display_name}: the cases are in its first sheet {names[0]!r} of {len(names):,}", False)


def _open_workbook(path: Path, display_name: str) -> "CalamineWorkbook":
    path.open("rb").close()  # raises OSError
    try:
        from python_calamine import CalamineWorkbook
    except ImportError:
        raise InvalidSuite(Problem(_MISSING, "", display_name)) from None
    with _refuse_damage(display_name):
        return CalamineWorkbook.from_path(path)


def _read_cells(workbook: "CalamineWorkbook", display_name: str) -> Iterator[tuple[int, list[Any]]]:
    """Yield the cells of each row of the first sheet, with its line."""
    with _refuse_damage(display_name):
        sheet = workbook.get_sheet_by_index(0)
        yield from enumerate(sheet.iter_rows(), (sheet.start or (0, 0))[0] + 1)


@contextmanager
def _refuse_damage(display_name: str) -> Iterator[None]:
    from python_calamine import CalamineError

    try:
        yield
    except (CalamineError, OSError) as error:
        raise InvalidSuite(Problem(f"not a valid .xlsx file: {error}", "", display_name)) from None


def _read_line(line: int, columns: list[str], cells: list[Any], display_name: str) -> Iterator[DatasetRow | Problem]:
    width = len(columns)
    if all(cell == "" for cell in cells):
        return
    if any(cell != "" for cell in cells[width:]):
        yield Problem(f"a cell beyond the {width} columns of the first row", "", display_name, line)
        return
    cells = [*cells[:width], *[""] * (width - len(cells))]
    values = [_read_cell(column, cell) for column, cell in zip(columns, cells, strict=True)]
    yield build_row(line, columns, values, find_repeated_key(cells, values))


def _read_cell(column: str, cell: Any) -> Any:
    if isinstance(cell, str):
        return read_structure(column, cell) if cell.strip() else None
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)  # Excel has one type of numbers
    if isinstance(cell, datetime) and cell.time() == time():
        return cell.date().isoformat()  # as Excel shows a date
    return convert_cell(cell)
