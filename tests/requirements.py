"""What a test needs of the machine and of its environment. Without it a test is skipped with a reason; in CI it fails."""

import os
import shutil
from typing import NoReturn

import pytest


def require_program(*names: str, install: str) -> str:
    """Returns the path of the first of the programs that is installed."""
    path = next(filter(None, map(shutil.which, names)), None)
    if path is None:
        skip_or_fail(f"needs {names[0]}, which is not installed: {install}")
    return path


def skip_or_fail(reason: str) -> NoReturn:
    if "CI" in os.environ:
        pytest.fail(f"{reason}; in CI nothing is skipped")
    pytest.skip(reason)


def environment_without_coverage() -> dict[str, str]:
    """Return the environment of a command that must not be measured.

    Coverage loads modules of its own, and a signal that comes while it holds its lock ends in a deadlock.
    """
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}
