"""A folder that is named instead of a suite → the suites in it."""

import re
from contextlib import suppress
from itertools import islice
from pathlib import Path

_SUITE = re.compile(rb"^(cases|dataset)[ \t]*:", re.MULTILINE)
_BEGINNING = 2**16
_MOST_FILES = 1_000
_MOST_SHOWN = 5


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
    return [file for file in sorted(islice(path.iterdir(), _MOST_FILES)) if _is_suite(file)] if path.is_dir() else []


def _is_suite(path: Path) -> bool:
    if path.suffix.lower() in (".yaml", ".yml") and path.is_file():
        with suppress(OSError), path.open("rb") as file:
            return _SUITE.search(file.read(_BEGINNING)) is not None
    return False
