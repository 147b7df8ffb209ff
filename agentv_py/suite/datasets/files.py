"""A path or glob as a suite spells it → the files it names, or what is wrong with it."""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from fnmatch import filter as fitting
from glob import has_magic
from pathlib import Path

from agentv_py.suite.datasets import READERS

_ANY_DEPTH = "**"


def expand(folder: str, name: str) -> tuple[list[str], str]:
    """The files a path or glob names, and what is wrong with it."""
    literal = os.path.join(folder, name)  # noqa: PTH118  keeps the user's spelling
    try:
        is_glob = has_magic(name) and not os.path.exists(literal)  # noqa: PTH110  as above
        found = sorted(glob(folder, name)) if is_glob else [literal]
        for one in found:
            problem = _unusable(Path(one))
            if problem:
                return [], problem if one == literal else f"names {one!r}, which {problem}"
    except OSError as error:
        return [], f"cannot be read: {error.strerror}"
    except ValueError:  # a NUL, or half a character
        return [], "is not the name of a file"
    return found, "" if found else "matches no file"


def _unusable(path: Path) -> str:
    if not path.exists():
        return "does not exist"
    if not path.is_file():
        return "is not a regular file"
    return "" if path.suffix.lower() in READERS else f"has an unknown suffix; valid: {' '.join(READERS)}"


def glob(folder: str, pattern: str) -> list[str]:
    """As Python's own, but each step enters a folder once, whatever the number of links to it."""
    *steps, last = pattern.replace(os.sep, "/").split("/")
    folders = ["/" if pattern.startswith("/") else folder]
    if last == _ANY_DEPTH:
        steps, last = [*steps, last], "*"
    for step in filter(None, steps):
        folders = list(_distinct(_below(folders) if step == _ANY_DEPTH else _entries(folders, step)))
    return list(_entries(folders, last))


def _entries(folders: Iterable[str], step: str) -> Iterator[str]:
    for folder in folders:
        names = fitting(_names(folder, hidden=step.startswith(".")), step) if has_magic(step) else [step]
        paths = (os.path.join(folder, name) for name in names)  # noqa: PTH118  keeps the user's spelling
        yield from filter(os.path.lexists, paths)


def _below(folders: Iterable[str]) -> Iterator[str]:
    """The folders and all below them; those behind links last, so that a folder goes by its own name."""
    own, linked, seen = deque(folders), deque[str](), set[tuple[int, int]]()
    while own or linked:
        folder = own.popleft() if own else linked.popleft()
        identity = _identity(folder)
        if identity is None or identity in seen:
            continue
        seen.add(identity)
        yield folder
        for name in _names(folder, hidden=False):
            path = os.path.join(folder, name)  # noqa: PTH118  as above
            (linked if os.path.islink(path) else own).append(path)  # noqa: PTH114  as above


def _distinct(folders: Iterable[str]) -> Iterator[str]:
    seen = set[tuple[int, int]]()
    for folder in folders:
        identity = _identity(folder)
        if identity is not None and identity not in seen:
            seen.add(identity)
            yield folder


def _identity(folder: str) -> tuple[int, int] | None:
    """Of a folder, under whatever name; None for anything else."""
    try:
        found = os.stat(folder or os.curdir)  # noqa: PTH116  as above
    except OSError:
        return None
    return (found.st_dev, found.st_ino) if os.path.isdir(folder or os.curdir) else None  # noqa: PTH112  as above


def _names(folder: str, *, hidden: bool) -> list[str]:
    try:
        names = sorted(os.listdir(folder or os.curdir))  # noqa: PTH208  as above
    except OSError:
        return []
    return names if hidden else [name for name in names if not name.startswith(".")]
