"""Parquet: each record is a row. Values have types, and a dotted column names a value inside an object."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agentv_py.errors import InvalidSuite, Problem
from agentv_py.suite.datasets.cell_value import convert_cell
from agentv_py.suite.datasets.columns import build_row, check_columns, find_repeated_key, read_structure
from agentv_py.suite.datasets.reader import Reader
from agentv_py.suite.datasets.row import DatasetRow

if TYPE_CHECKING:
    from pyarrow.parquet import ParquetFile

_MISSING = "needs pyarrow, which is not installed; run: pip install 'agentv-py[parquet]'"
_BATCH = 256


class Parquet(Reader):
    empty_cell_is_no_answer = True

    def read_rows(self, path: Path, display_name: str) -> Iterator[DatasetRow | Problem]:
        with _open_file(path, display_name) as file:
            columns = file.schema_arrow.names
            if problems := list(check_columns(columns, display_name)):
                yield from problems
                return
            line = 0
            # One thread and small batches, so that memory does not grow with the file.
            for batch in file.iter_batches(_BATCH, use_threads=False):
                for record in batch.to_pylist():
                    line += 1
                    yield _read_record(line, columns, list(record.values()), display_name)


@contextmanager
def _open_file(path: Path, display_name: str) -> "Iterator[ParquetFile]":
    path.open("rb").close()  # raises OSError
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise InvalidSuite(Problem(_MISSING, "", display_name)) from None
    try:
        with ParquetFile(path, pre_buffer=False) as file:
            yield file
    except (ArrowException, OSError) as error:
        what = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InvalidSuite(Problem(f"not a valid Parquet file: {what}", "", display_name)) from None


def _read_record(line: int, columns: list[str], cells: list[Any], display_name: str) -> DatasetRow | Problem:
    values = []
    for column, cell in zip(columns, cells, strict=True):
        try:
            value = convert_cell(cell)
        except ValueError as error:
            return Problem(f"column {column!r}: {error}", "", display_name, line)
        values.append(read_structure(column, value) if isinstance(value, str) else value)
    return build_row(line, columns, values, find_repeated_key(cells, values))
