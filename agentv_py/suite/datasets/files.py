"""A path or a glob of a suite → the files that it names, or what is wrong with it."""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from fnmatch import filter as filter_names
from glob import has_magic
from pathlib import Path

from agentv_py.input_file import suggest_file
from agentv_py.suite.datasets import READERS

_ANY_DEPTH = "**"
_MISSING = "does not exist"
_FILES_OF_FOLDER = "*.json"


def find_files(folder: str, name: str) -> tuple[list[str], str]:
    """Return the files that a path or a glob names, and the problem with it; one of the two is empty."""
    literal = os.path.join(folder, name)  # noqa: PTH118  keeps the user's spelling
    try:
        is_glob = has_magic(name) and not os.path.exists(literal)  # noqa: PTH110  as above
        if os.path.isdir(literal):  # noqa: PTH112  as above
            files = sorted(expand_glob(literal, _FILES_OF_FOLDER))
            return files, "" if files else "is a folder without .json files"
        files = sorted(expand_glob(folder, name)) if is_glob else [literal]
        for file in files:
            problem = _find_problem(Path(file))
            if problem == _MISSING and not is_glob:
                problem += suggest_file(name, folder)
            if problem:
                return [], problem if file == literal else f"names {file!r}, which {problem}"
    except OSError as error:
        return [], f"cannot be read: {error.strerror}"
    except ValueError:  # a NUL, or half a character
        return [], "is not the name of a file"
    return files, "" if files else "matches no file"


def _find_problem(path: Path) -> str:
    if not path.exists():
        return _MISSING
    if not path.is_file():
        return "is not a regular file"
    return "" if path.suffix.lower() in READERS else f"has an unknown suffix; valid: {' '.join(READERS)}"


def expand_glob(folder: str, pattern: str) -> list[str]:
    """Work like Python's glob, but enter a folder only once per step, even if several links lead to it."""
    *steps, last = pattern.replace(os.sep, "/").split("/")
    folders = ["/" if pattern.startswith("/") else folder]
    if last == _ANY_DEPTH:
        steps, last = [*steps, last], "*"
    for step in filter(None, steps):
        folders = list(_drop_repeats(_walk_below(folders) if step == _ANY_DEPTH else _list_entries(folders, step)))
    return list(_list_entries(folders, last))


def _list_entries(folders: Iterable[str], step: str) -> Iterator[str]:
    for folder in folders:
        names = filter_names(_list_names(folder, hidden=step.startswith(".")), step) if has_magic(step) else [step]
        paths = (os.path.join(folder, name) for name in names)  # noqa: PTH118  keeps the user's spelling
        yield from filter(os.path.lexists, paths)


def _walk_below(folders: Iterable[str]) -> Iterator[str]:
    """Yield the folders and all folders below them; links come last, so that a folder has its own name."""
    own, linked, seen = deque(folders), deque[str](), set[tuple[int, int]]()
    while own or linked:
        folder = own.popleft() if own else linked.popleft()
        identity = _identify(folder)
        if identity is None or identity in seen:
            continue
        seen.add(identity)
        yield folder
        for name in _list_names(folder, hidden=False):
            path = os.path.join(folder, name)  # noqa: PTH118  as above
            (linked if os.path.islink(path) else own).append(path)  # noqa: PTH114  as above


def _drop_repeats(folders: Iterable[str]) -> Iterator[str]:
    seen = set[tuple[int, int]]()
    for folder in folders:
        identity = _identify(folder)
        if identity is not None and identity not in seen:
            seen.add(identity)
            yield folder


def _identify(folder: str) -> tuple[int, int] | None:
    """Return what identifies a folder under any of its names; None if it is not a folder."""
    try:
        status = os.stat(folder or os.curdir)  # noqa: PTH116  as above
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if os.path.isdir(folder or os.curdir) else None  # noqa: PTH112  as above


def _list_names(folder: str, *, hidden: bool) -> list[str]:
    try:
        names = sorted(os.listdir(folder or os.curdir))  # noqa: PTH208  as above
    except OSError:
        return []
    return names if hidden else [name for name in names if not name.startswith(".")]
