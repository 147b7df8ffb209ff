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

    def open(self) -> tuple[BinaryIO, int]:
        """Return the lines to read, and the offset of the first. A byte order mark at the start is not part of it."""
        start = self.lines.start
        skipped = len(_BOM) if not start and self.data.startswith(_BOM) else 0
        lines = BytesIO(self.data)
        lines.seek(skipped)
        return lines, start + skipped


def read_blocks(path: Path) -> Iterator[LineBlock]:
    """Yield the whole file, block by block. Raises OSError."""
    with path.open("rb") as file:
        size = min(max(os.fstat(file.fileno()).st_size // _MOST_RANGES, _SMALLEST), _LARGEST)
        start, line = 0, 1
        while data := file.read(size):
            data += b"" if data.endswith(b"\n") else file.readline()
            yield LineBlock(LineRange(start, start + len(data), line), data)
            start += len(data)
            line += data.count(b"\n")
