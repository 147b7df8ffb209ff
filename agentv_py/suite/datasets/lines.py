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


def read_blocks(path: Path, after: LineBlock | None = None) -> Iterator[LineBlock]:
    """Yield the whole file, or what follows a block, block by block. Raises OSError."""
    start, line = (0, 1) if after is None else (after.lines.end, after.lines.first_line + after.data.count(b"\n"))
    with path.open("rb") as file:
        size = _choose_size(file)
        file.seek(start)
        while data := file.read(size):
            breaks = _count_line_breaks(data)
            if not data.endswith(b"\n"):
                data += file.readline()
                breaks += data.endswith(b"\n")
            yield LineBlock(LineRange(start, start + len(data), line), data)
            start += len(data)
            line += breaks


def _count_line_breaks(data: bytes) -> int:
    """Return the number of line breaks. With lines of some hundred bytes, `bytes.count` takes four times as long."""
    return len(BytesIO(data).readlines()) - (not data.endswith(b"\n"))


def _choose_size(file: BinaryIO) -> int:
    """Return about how many bytes a range of the file has."""
    return min(max(os.fstat(file.fileno()).st_size // _MOST_RANGES, _SMALLEST), _LARGEST)
