"""JSONL: each line is a row. Many lines are decoded at once if all of them are plain JSON."""

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from agentv_py import jsontext
from agentv_py.errors import Problem
from agentv_py.suite.datasets.reader import Reader
from agentv_py.suite.datasets.row import DatasetRow, DecodedRow, decode_row

_BOM = b"\xef\xbb\xbf"
_BATCH = 2**13

# The plain way to build a named tuple takes twice as long, and there are as many of these as lines.
_build_row: Callable[[tuple[int, bytes, int, None, None, bool]], DatasetRow] = partial(tuple.__new__, DatasetRow)
_build_decoded_row: Callable[[tuple[int, dict[str, Any], bool, None, int, None]], DecodedRow] = partial(
    tuple.__new__, DecodedRow
)


class Jsonl(Reader):
    rows_are_lines = True

    def read_rows(self, path: Path, display_name: str) -> Iterator[DatasetRow | Problem]:  # noqa: ARG002  as every reader
        offset = 0
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                if number == 1:
                    raw = line.removeprefix(_BOM)
                    offset, line = len(line) - len(raw), raw  # noqa: PLW2901  the mark is not part of the row
                if not line.isspace():
                    yield _build_row((number, line, offset, None, None, False))
                offset += len(line)

    def read_decoded_rows(self, path: Path, display_name: str) -> Iterator[DecodedRow | Problem]:
        count = offset = 0
        with path.open("rb") as file:
            while lines := file.readlines(_BATCH):
                if not count and lines[0].startswith(_BOM):
                    lines[0], offset = lines[0].removeprefix(_BOM), len(_BOM)
                values = jsontext.loads_many(lines)
                for number, (line, value) in enumerate(zip(lines, values or lines, strict=True), count + 1):
                    if type(value) is dict:
                        yield _build_decoded_row((number, value, True, None, offset, None))
                    elif not line.isspace():
                        yield decode_row(DatasetRow(number, line, offset), display_name)
                    offset += len(line)
                count += len(lines)
