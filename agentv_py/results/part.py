"""New rows of a resumed run → a part: a file beside the results file, which its first line identifies."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO, Self

from agentv_py.results.file import ResultsFile, remove_replacements
from agentv_py.results.read import BUFFER

# The first line of every part. A file with another first line is not a part.
_HEAD = b'{"evalctl":"rows of a resumed run; the next --resume takes them over"}\n'


class Part(ResultsFile):
    """A file of new rows. Only the run that has locked the results file opens its part."""

    @classmethod
    def create(cls, target: str) -> Self:
        """Create a part under the first free name."""
        part = super().create(str(next(path for path in _names(target) if not os.path.lexists(path))))
        try:
            part.append(_HEAD)
        except BaseException:  # such as a full disk: without its first line, nobody would know the part again
            part.close()
            Path(part.target).unlink()
            raise
        return part

    @classmethod
    def find(cls, target: str) -> Self | None:
        """Open the part that a killed run left, if there is one."""
        path = _find(target)
        return None if path is None else cls(str(path), path.open("r+b", buffering=0))

    @contextmanager
    def open_reader(self, buffer: int = BUFFER) -> Iterator[BinaryIO]:
        with super().open_reader(buffer) as reader:
            reader.seek(len(_HEAD))
            yield reader

    def remove(self) -> None:
        self.close()
        if _is_part(Path(self.target)):
            Path(self.target).unlink()


def remove_leftovers(target: str) -> None:
    """Remove what killed runs left beside the results file of a new run: unfinished replacements, and a part."""
    remove_replacements(target)
    path = _find(target)
    if path is not None:
        with suppress(OSError):
            path.unlink()


def _names(target: str) -> Iterator[Path]:
    real = Path(target).resolve()
    return (real.with_name(f"{real.name}.part{'' if number == 1 else f'-{number}'}") for number in count(1))


def _find(target: str) -> Path | None:
    for path in _names(target):
        if _is_part(path):
            return path
        if not os.path.lexists(path):
            return None
    return None


def _is_part(path: Path) -> bool:
    try:
        if path.is_symlink() or not path.is_file():
            return False
        with path.open("rb") as file:
            return file.read(len(_HEAD)) == _HEAD
    except OSError:
        return False
