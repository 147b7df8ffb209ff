"""A folder that is named instead of a suite, or no name at all → the suites that are meant."""

import os
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path

from agentv_py.errors import UserError

_SUITE = re.compile(rb"^(cases|dataset|evalcases|tests)[ \t]*:", re.MULTILINE)
_BEGINNING = 2**16
_MOST_FILES = 1_000
_MOST_SHOWN = 5
_USUAL_NAMES = ("evalctl.yaml", "suite.yaml", "*.eval.yaml", "evals/*.yaml")


def expand_folders(names: Sequence[str]) -> list[str]:
    """Replace each folder by the suites in it. A folder without suites stays, and loading it is an error."""
    return [suite for name in names for suite in (_find_suites(name) if os.path.isdir(name) else []) or [name]]  # noqa: PTH112  the name may hold a NUL


def discover_suites() -> list[str]:
    """Return the suites of the working folder, else of the nearest folder above it that has any. Raises UserError."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if suites := _list_usual_suites(folder):
            return [os.path.relpath(suite) for suite in suites]
        if (folder / ".git").exists():  # what is above is another project
            break
    names = f"{', '.join(_USUAL_NAMES[:-1])} or {_USUAL_NAMES[-1]}"
    raise UserError(f"no suite is named, and there is no {names} here or above; `evalctl init` writes a suite")


def _find_suites(folder: str) -> list[str]:
    """Return the suites in a folder; if there are none, those with the usual names below it."""
    return [os.path.normpath(path) for path in list_suites(folder) or _list_usual_suites(Path(folder))]


def _list_usual_suites(folder: Path) -> list[Path]:
    try:
        return list(dict.fromkeys(path for name in _USUAL_NAMES for path in _keep_suites(folder.glob(name))))
    except OSError:
        return []


def _keep_suites(paths: Iterable[Path]) -> list[Path]:
    return [path for path in sorted(islice(paths, _MOST_FILES)) if _is_suite(path)]


def describe_folder(folder: str) -> str:
    """Return what a user may name instead of the folder."""
    found = list_suites(folder)
    if not found:
        return "is a folder without suites; name a suite file"
    if len(found) == 1:
        return f"is a folder; did you mean {str(found[0])!r}?"
    more = f" and {len(found) - _MOST_SHOWN:,} more" if len(found) > _MOST_SHOWN else ""
    return f"is a folder; name suites in it: {', '.join(map(str, found[:_MOST_SHOWN]))}{more}"


def list_suites(folder: str) -> list[Path]:
    """Return the suite files of a folder; none if there is no such folder."""
    path = Path(folder)
    return _keep_suites(path.iterdir()) if path.is_dir() else []


def _is_suite(path: Path) -> bool:
    if path.suffix.lower() in (".yaml", ".yml") and path.is_file():
        with suppress(OSError), path.open("rb") as file:
            return _SUITE.search(file.read(_BEGINNING)) is not None
    return False
