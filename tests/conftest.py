"""What the tests share: files in a folder of their own, and the real command in a subprocess."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings
from models import Models, model_server

from agentv_py import jsontext

if TYPE_CHECKING:
    from browser import Browser

settings.register_profile("evalctl", deadline=None)  # a deadline would be a test that asserts a time
settings.load_profile("evalctl")

Evalctl = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def evalctl(tmp_path: Path) -> Evalctl:
    """Runs the command in the test's own folder."""

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "agentv_py", *arguments],
            cwd=tmp_path,
            env={k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"COLUMNS": "80"} | environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    return run


@pytest.fixture
def models() -> Iterator[Models]:
    """A model server of the test's own."""
    with model_server() as server:
        yield server


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, Any], Path]:
    """Writes a file of the test's own folder: text as it is, bytes as they are, anything else as JSON."""

    def write_file(name: str, content: Any) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str):
            path.write_text(content, encoding="utf-8")
        else:
            path.write_bytes(content if isinstance(content, bytes) else jsontext.dumps(content))
        return path

    return write_file


@pytest.fixture(scope="session")
def running(tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Browser]":
    """One browser for all tests of pages."""
    from browser import browser

    with browser(tmp_path_factory.mktemp("profile")) as one:
        yield one
