"""A file of lines → ranges of whole lines. Any process can read one of them without the lines before it."""

import os
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, NamedTuple
from zlib import crc32

_BOM = b"\xef\xbb\xbf"
# A file has many ranges, so that all processes have work until the end; but a range is worth the way to a process.
_MOST_RANGES = 64
_SMALLEST, _LARGEST = 2**15, 2**18


class LineRange(NamedTuple):
    """Where some whole lines of a file are."""

    start: int
    end: int
    first_line: int

    def read(self, path: Path) -> "LineBlock":
        """Read the lines; fewer bytes if the file has become shorter. Raises OSError."""
        with path.open("rb") as file:
            file.seek(self.start)
            return LineBlock(self, file.read(self.end - self.start))


class LineBlock(NamedTuple):
    """A range, and what the file holds there."""

    lines: LineRange
    data: bytes

    @property
    def checksum(self) -> int:
        return crc32(self.data)

    @property
    def offset(self) -> int:
        """The offset of the first line. A byte order mark at the start of a file is not part of the line."""
        return self.lines.start + (len(_BOM) if not self.lines.start and self.data.startswith(_BOM) else 0)

    def split(self, size: int = -1) -> Iterator[list[bytes]]:
        """Yield the lines: all of them together, or about so many bytes at a time."""
        data = self.data[self.offset - self.lines.start :]
        if data.find(b"\n", 0, -1) < 0:  # a line of many megabytes is not copied
            yield [data] if data else []
            return
        source = BytesIO(data)
        while lines := source.readlines(size):
            yield lines


def read_blocks(path: Path) -> Iterator[LineBlock]:
    """Yield the whole file, block by block. Raises OSError."""
    for lines, pieces in _read_ranges(path, 0, 1):
        data = pieces[0] if len(pieces) == 1 else b"".join(pieces)
        pieces.clear()  # a line may have many megabytes, and one copy of it is enough
        yield LineBlock(lines, data)


def find_ranges(path: Path, after: LineBlock) -> Iterator[LineRange]:
    """Yield the ranges that follow a block. Raises OSError."""
    for lines, _ in _read_ranges(path, after.lines.end, after.lines.first_line + after.data.count(b"\n")):
        yield lines


def _read_ranges(path: Path, start: int, line: int) -> Iterator[tuple[LineRange, list[bytes]]]:
    """Yield each range from an offset and a line on, with one or two pieces that make up its bytes."""
    with path.open("rb") as file:
        size = _choose_size(file)
        file.seek(start)
        while data := file.read(size):
            pieces, breaks = [data], _count_line_breaks(data)
            if not data.endswith(b"\n"):
                pieces.append(file.readline())
                breaks += pieces[1].endswith(b"\n")
            end = start + sum(map(len, pieces))
            yield LineRange(start, end, line), pieces
            start, line = end, line + breaks


def _count_line_breaks(data: bytes) -> int:
    """Return the number of line breaks. With lines of some hundred bytes, `bytes.count` takes four times as long."""
    return len(BytesIO(data).readlines()) - (not data.endswith(b"\n"))


def _choose_size(file: BinaryIO) -> int:
    """Return about how many bytes a range of the file has."""
    return min(max(os.fstat(file.fileno()).st_size // _MOST_RANGES, _SMALLEST), _LARGEST)
