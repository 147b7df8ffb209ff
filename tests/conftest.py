"""What the tests share: files in a folder of their own, and the real command in a process of its own."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from commands import Commands, build_environment, command_server
from hypothesis import settings
from models import Models, model_server

from agentv_py import jsontext

if TYPE_CHECKING:
    from browser import Browser

# The tests start many interpreters. Without bytecode on disk, each of them would compile the package again.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A shell lets its background jobs ignore Ctrl-C, and so would the programs that the tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A deadline would be a test that asserts a time.
settings.register_profile("developer", deadline=None, max_examples=30)
settings.register_profile("thorough", deadline=None, max_examples=75)
settings.load_profile("thorough" if "CI" in os.environ else "developer")

_READ_AT_START = re.compile("PYTHON.*|LC_.*|LANG|LANGUAGE|TZ|MALLOC_.*")

# The last of the slowest tests must not begin when all others have ended.
_FIRST = ("tests/engines/test_ray.py", "tests/test_examples.py", "tests/test_cldr_tables.py")

Evalctl = Callable[..., subprocess.CompletedProcess[str]]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Begin with what takes longest; leave slow tests to CI, unless -m asks for them."""
    items.sort(key=lambda item: not item.nodeid.startswith(_FIRST))
    if "CI" in os.environ or config.getoption("-m"):
        return
    left_out = [item for item in items if item.get_closest_marker("slow")]
    items[:] = [item for item in items if not item.get_closest_marker("slow")]
    config.hook.pytest_deselected(items=left_out)


@pytest.fixture(scope="session")
def commands() -> Iterator[Commands]:
    """The loaded command, for fixtures that serve several tests; `commands.program` is an `evalctl` for shells."""
    with command_server() as server:
        yield server


@pytest.fixture
def evalctl(tmp_path: Path, commands: Commands) -> Evalctl:
    """Runs the command in the test's own folder, in a process of its own."""

    def run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
        if any(map(_READ_AT_START.fullmatch, environment)):
            return _start_interpreter(arguments, tmp_path, build_environment(environment))
        return commands.run(arguments, tmp_path, **environment)

    return run


def _start_interpreter(
    arguments: Sequence[str], folder: Path, environment: dict[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "agentv_py", *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip


@pytest.fixture(scope="session")
def all_models() -> Iterator[Iterator[Models]]:
    with model_server() as server:
        yield server


@pytest.fixture
def models(all_models: Iterator[Models]) -> Models:
    """A model of the test's own."""
    return next(all_models)


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
