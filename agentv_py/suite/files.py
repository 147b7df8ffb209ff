"""A path or glob that a suite names → its files, or what is wrong with it."""

import os
from glob import escape, glob, has_magic
from pathlib import Path

from agentv_py.suite.rows import SUFFIXES


def expand(folder: str, name: str) -> tuple[list[str], str]:
    """The files a path or glob names, and what is wrong with it."""
    literal = os.path.join(folder, name)  # noqa: PTH118  keeps the user's spelling
    try:
        if has_magic(name) and not os.path.exists(literal):  # noqa: PTH110  as above
            found = sorted(glob(os.path.join(escape(folder), name), recursive=True))  # noqa: PTH118, PTH207  as above
        else:
            found = [literal]
        for one in found:
            problem = _unusable(Path(one))
            if problem:
                return [], problem if one == literal else f"names {one!r}, which {problem}"
    except OSError as error:
        return [], f"cannot be read: {error.strerror}"
    return found, "" if found else "matches no file"


def _unusable(path: Path) -> str:
    if not path.exists():
        return "does not exist"
    if not path.is_file():
        return "is not a regular file"
    return "" if path.suffix.lower() in SUFFIXES else f"is none of {' '.join(SUFFIXES)}"
