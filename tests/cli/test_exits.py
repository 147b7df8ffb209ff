"""How the process ends: interrupts, streams nobody reads, limits of the system."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from pydantic_core import SchemaError
from requirements import environment_without_coverage

from agentv_py.cli.errors import catch_errors

Write = Callable[[str, Any], Path]

_SUITE = "evaluators: [{type: field_accuracy, fields: [{path: a}]}]\n"
_PASSING = _SUITE + "cases: [{id: good, expected: {a: 1}, candidate: {a: 1}}]\n"

# The command line, struck by Ctrl-C while it imports a module: in the import itself, or in an object's end, where
# Python shows an exception and goes on.
_INTERRUPTED = """
import os, signal, sys

class Ended:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)

class Finder:
    def find_spec(self, name, *_):
        if name == module:
            sys.meta_path.remove(self)
            Ended() if lost else os.kill(os.getpid(), signal.SIGINT)

module, lost = sys.argv.pop(1), sys.argv.pop(1) == "lost"
sys.meta_path.insert(0, Finder())
from agentv_py.cli import program
program()
"""


def _interrupt_import(folder: Path, module: str, how: str, **options: Any) -> tuple[int, str]:
    command = [sys.executable, "-c", _INTERRUPTED, module, how, "run", "s.yaml", "-q", "-o", "r.jsonl"]
    environment = environment_without_coverage()
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=60, **options
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("how", ["raised", "lost"])
@pytest.mark.parametrize("module", ["typer", "agentv_py.cli.run", "pydantic", "agentv_py.suite.load"])
def test_ctrl_c_while_modules_are_imported_is_one_line(write: Write, tmp_path: Path, module: str, how: str) -> None:
    write("s.yaml", _PASSING)
    assert _interrupt_import(tmp_path, module, how) == (130, "interrupted\n")
    assert not (tmp_path / "r.jsonl").exists()


def test_ctrl_c_that_the_parent_ignores_is_ignored(write: Write, tmp_path: Path) -> None:
    write("s.yaml", _PASSING)
    ignore = lambda: signal.signal(signal.SIGINT, signal.SIG_IGN)  # noqa: E731  it has no other name in a shell either
    assert _interrupt_import(tmp_path, "typer", "raised", preexec_fn=ignore) == (0, "")


def _run(folder: Path, script: str, **environment: str) -> tuple[int, str, str]:
    """Run a shell's line in which `$evalctl` is the command."""
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=environment_without_coverage() | {"evalctl": f"{sys.executable} -m agentv_py"} | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("arguments", ["--version", "--help", "run --help"])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_stdout_is_said_by_whatever_writes_to_it(tmp_path: Path, arguments: str, unbuffered: str) -> None:
    assert _run(tmp_path, f"$evalctl {arguments} > /dev/full", PYTHONUNBUFFERED=unbuffered) == (
        2,
        "",
        "error: standard output cannot be written: No space left on device\n",
    )


def _closed_pipe() -> int:
    """A pipe's end for writing that nobody reads."""
    ours, theirs = os.pipe()
    os.close(ours)
    return theirs


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["init", "d"]])
def test_nobody_who_reads_stdout_ends_the_command_quietly(tmp_path: Path, arguments: list[str]) -> None:
    command = [sys.executable, "-m", "agentv_py", *arguments]
    pipe = _closed_pipe()
    done = subprocess.run(command, cwd=tmp_path, stdout=pipe, stderr=subprocess.PIPE, check=False)
    os.close(pipe)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(
    ("arguments", "code"), [("run none.yaml", 2), ("nonsense", 2), ("run s.yaml -o r.jsonl", 1), ("--version", 0)]
)
def test_nobody_who_reads_stderr_changes_no_exit_code(write: Write, tmp_path: Path, arguments: str, code: int) -> None:
    write("s.yaml", _SUITE + "cases: [{id: bad, expected: {a: 1}, candidate: {a: 2}}]\n")
    command = [sys.executable, "-m", "agentv_py", *arguments.split()]
    pipe = _closed_pipe()
    done = subprocess.run(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=pipe, check=False)
    os.close(pipe)
    assert done.returncode == code


def test_stdout_and_stderr_that_are_closed_keep_the_exit_code(tmp_path: Path) -> None:
    assert _run(tmp_path, "$evalctl --version >&- 2>&-")[0] == 0
    assert _run(tmp_path, "$evalctl run none.yaml >&- 2>&-")[0] == 2


def test_too_many_open_files_are_said_of_the_place_that_was_to_be_opened(write: Write, tmp_path: Path) -> None:
    write("s.yaml", _SUITE + "dataset: d.jsonl\n")
    write("d.jsonl", {"id": "good", "expected": {"a": 1}, "candidate": {"a": 1}})
    # Python itself cannot start under so low a limit everywhere, so it comes later.
    limited = (
        "import resource, sys; from agentv_py.cli import program; sys.argv = ['evalctl', 'run', 's.yaml', '-o', 'r.jsonl'];"
        " resource.setrlimit(resource.RLIMIT_NOFILE, (4, 4)); program()"
    )
    done = subprocess.run(
        [sys.executable, "-c", limited],
        cwd=tmp_path,
        env=environment_without_coverage(),
        capture_output=True,
        text=True,
        check=False,
    )
    said = "error: s.yaml: the system refuses: Too many open files\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", said)


def test_too_little_memory_is_said_plainly(write: Write, tmp_path: Path) -> None:
    write("s.yaml", _SUITE + "dataset: d.json\n")
    with (tmp_path / "d.json").open("wb") as file:
        file.truncate(2**30)  # a hole, which takes no room on the disk
    assert _run(tmp_path, "ulimit -v 400000; $evalctl run s.yaml -o r.jsonl") == (
        2,
        "",
        "error: the memory is used up; raise the limit, or start fewer processes with -j\n",
    )


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(28, "No space left on device"), "the system refuses: No space left on device"),
        (OSError(24, "Too many open files", "f.txt"), "f.txt: the system refuses: Too many open files"),
        (ImportError("lib.so: cannot map"), "a library cannot be loaded: lib.so: cannot map; is the installation whole, "
         "and is there enough memory?"),
    ],
    ids=["no file", "a file", "a library"],
)  # fmt: skip
def test_what_the_system_refuses_is_not_blamed_on_stdout(
    capsys: pytest.CaptureFixture[str], error: Exception, words: str
) -> None:
    with pytest.raises(SystemExit) as end, catch_errors():
        raise error
    assert (end.value.code, capsys.readouterr().err) == (2, f"error: {words}\n")


@pytest.mark.parametrize("interrupt", ["KeyboardInterrupt: ", "Interruption: "])
def test_ctrl_c_while_pydantic_builds_a_model_is_one_line(capsys: pytest.CaptureFixture[str], interrupt: str) -> None:
    with pytest.raises(SystemExit) as end, catch_errors():
        raise SchemaError(f'Error building "model" validator:\n  {interrupt}')
    assert (end.value.code, capsys.readouterr().err) == (130, "interrupted\n")


@pytest.mark.parametrize("name", ["試" * 100, "𝔸" * 300, "é" * 254], ids=["3 bytes", "4 bytes", "2 bytes"])
def test_a_long_name_of_wide_characters_gets_a_results_file(
    evalctl: Evalctl, write: Write, tmp_path: Path, name: str
) -> None:
    write("s.yaml", f"name: {name}\n{_PASSING}")
    done = evalctl("run", "s.yaml")
    assert (done.returncode, [name[0] == path.name[0] for path in tmp_path.glob(".evalctl/results/*.jsonl")]) == (
        0,
        [True],
    )
