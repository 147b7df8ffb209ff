"""What a test needs of the machine: without it a test is skipped with its reason, and in CI it fails."""

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
