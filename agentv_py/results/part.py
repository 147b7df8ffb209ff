"""New rows of a resumed run → a part beside the results file, which no file of the user's is mistaken for."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import BinaryIO, Self

from agentv_py.results.file import ResultsFile

# The first line of every part: what has another one belongs to somebody else.
_HEAD = b'{"evalctl":"rows of a resumed run; the next --resume takes them over"}\n'


class Part(ResultsFile):
    """Only the run that holds the results file's lock looks at its part."""

    @classmethod
    def create(cls, target: str) -> Self:
        """A new part, under the first name that is free."""
        part = super().create(str(next(path for path in _names(target) if not os.path.lexists(path))))
        part.append(_HEAD)
        return part

    @classmethod
    def find(cls, target: str) -> Self | None:
        """The part that a killed run left."""
        path = _find(target)
        return None if path is None else cls(str(path), path.open("r+b", buffering=0))

    @contextmanager
    def reading(self) -> Iterator[BinaryIO]:
        with super().reading() as reader:
            reader.seek(len(_HEAD))
            yield reader

    def remove(self) -> None:
        self.close()
        if _is_part(Path(self.target)):
            Path(self.target).unlink()


def remove_part(target: str) -> None:
    """Remove the part that a killed run left."""
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
