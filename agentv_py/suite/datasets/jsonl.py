"""JSONL: each line is a row. Many lines are decoded at once if all of them are plain JSON."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import accumulate, count
from pathlib import Path

from agentv_py import jsontext
from agentv_py.errors import Problem
from agentv_py.suite.datasets.lines import LineBlock, read_blocks
from agentv_py.suite.datasets.reader import Reader
from agentv_py.suite.datasets.row import DatasetRow, DecodedRow, PlainRows, decode_row

_BATCH = 2**15
# To decode lines together takes five times the memory of their text. Where a line is so long, each is decoded alone.
_LONG = 2**20

# The plain way to build a named tuple takes twice as long, and there are as many of these as lines.
_build_row: Callable[[tuple[int, bytes, int, None, None, bool]], DatasetRow] = partial(tuple.__new__, DatasetRow)


class Jsonl(Reader):
    rows_are_lines = True

    def read_rows(self, path: Path, display_name: str) -> Iterator[DatasetRow | Problem]:  # noqa: ARG002  as every reader
        return (row for block in read_blocks(path) for row in split_block(block))

    def read_decoded_rows(self, path: Path, display_name: str) -> Iterator[DecodedRow | Problem]:
        for block in read_blocks(path):
            for rows in decode_block(block, display_name):
                if isinstance(rows, PlainRows):
                    yield from rows.list_decoded()
                else:
                    yield rows


def split_block(block: LineBlock) -> list[DatasetRow]:
    """Return each line that is not blank, as the file holds it."""
    lines = [line for lines in block.split() for line in lines]
    offsets = accumulate(map(len, lines), initial=block.offset)
    numbered = zip(count(block.lines.first_line), lines, offsets, strict=False)  # the last offset is that of the end
    return [
        _build_row((number, line, offset, None, None, False)) for number, line, offset in numbered if not line.isspace()
    ]


def decode_block(block: LineBlock, display_name: str) -> Iterator[PlainRows | DecodedRow | Problem]:
    """Yield the rows as objects: many together if all of them are plain, else one by one."""
    first, offset = block.lines.first_line, block.offset
    for lines in block.split(_BATCH):
        size = sum(map(len, lines))
        values = jsontext.loads_many(lines) if size < _LONG else None
        if values is not None and set(map(type, values)) == {dict}:
            yield PlainRows(first, values, offset, lines)
        else:
            yield from _decode_lines(lines, first, offset, display_name)
        first += len(lines)
        offset += size


def _decode_lines(lines: list[bytes], first: int, offset: int, display_name: str) -> Iterator[DecodedRow | Problem]:
    for number, line in enumerate(lines, first):
        if not line.isspace():
            yield decode_row(DatasetRow(number, line, offset), display_name)
        offset += len(line)
