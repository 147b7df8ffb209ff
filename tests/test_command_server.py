"""A fork of the loaded command is to a test what a new process is."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import Commands
from conftest import Evalctl

Write = Callable[[str, Any], Path]

_SUITE = (
    "evaluators: [{type: field_accuracy, fields: [{path: a}]}]\ncases: [{id: ü, expected: {a: 1}, candidate: {a: 2}}]\n"
)


@pytest.mark.parametrize(
    "arguments",
    [
        ("--version",), ("--help",), (), ("nonsense",), ("validate", "s.yaml"), ("validate", "none.yaml"),
        ("run", "s.yaml", "-o", "r.jsonl"), ("run", "s.yaml", "-q", "-o", "r.jsonl"), ("run", "s.yaml", "-o", "/dev/full"),
        ("run", "s.yaml", "-o", "r.jsonl", "--format", "markdown", "-j", "2"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_it_ends_and_says_as_a_new_process_does(
    evalctl: Evalctl, write: Write, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    write("s.yaml", _SUITE)
    environment = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"COLUMNS": "80"}
    command = [sys.executable, "-m", "agentv_py", *arguments]
    new = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, encoding="utf-8", check=False
    )
    forked = evalctl(*arguments)
    name = new.stderr.replace("python -m agentv_py", "evalctl")  # what a usage error calls the program
    assert (forked.returncode, forked.stdout.replace("python -m agentv_py", "evalctl"), forked.stderr) == (
        new.returncode, new.stdout.replace("python -m agentv_py", "evalctl"), name,
    )  # fmt: skip


def test_one_run_leaves_nothing_to_the_next(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", _SUITE)
    plain = evalctl("run", "s.yaml", "-o", "r.jsonl").stdout
    assert "\x1b[" in evalctl("run", "s.yaml", "-o", "r.jsonl", FORCE_COLOR="1", TERM="xterm").stdout
    assert evalctl("run", "s.yaml", "-o", "r.jsonl").stdout == plain


def test_its_judges_see_the_environment_of_the_run_alone(evalctl: Evalctl, write: Write) -> None:
    write("judge.py", "import json, os; print(json.dumps({'score': 1, 'reasoning': ' '.join(sorted(os.environ))}))\n")
    write("s.yaml", "evaluators: [{type: code_judge, script: judge.py}]\ncases: [{id: a, candidate: 1}]\n")
    seen = evalctl("run", "s.yaml", "-o", "-", "-q", ONLY_HERE="1").stdout
    assert ("ONLY_HERE" in seen, "OPENBLAS_NUM_THREADS" in seen) == (True, "OPENBLAS_NUM_THREADS" in os.environ)
    assert "ONLY_HERE" not in evalctl("run", "s.yaml", "-o", "-", "-q").stdout


def test_what_the_interpreter_reads_is_read_by_a_new_one(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    write("fake/agentv_py/__init__.py", "")
    write("fake/agentv_py/__main__.py", "print('another program')")
    assert evalctl("--version", PYTHONPATH=str(tmp_path / "fake")).stdout == "another program\n"


def test_a_shell_s_command_has_the_streams_the_folder_and_the_end_of_its_own(
    commands: Commands, write: Write, tmp_path: Path
) -> None:
    write("deep/s.yaml", _SUITE)
    path = f"{commands.program.parent}{os.pathsep}{os.environ['PATH']}"
    script = "cd deep; evalctl run s.yaml -q -o - 2>said | cut -c 1-14; echo ${PIPESTATUS[0]}; evalctl nonsense 2>&1 | tail -1"
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == ['{"timestamp":"', "1", "Error: No such command 'nonsense'."]
    assert (done.stderr, (tmp_path / "deep/said").read_text(encoding="utf-8")) == ("", "")


def test_runs_at_once_do_not_wait_for_each_other(commands: Commands, write: Write, tmp_path: Path) -> None:
    """The judge of the first waits until the second has ended."""
    os.mkfifo(tmp_path / "gate")
    write("judge.py", """open("gate").read(); print('{"score": 1}')\n""")
    write("s.yaml", "evaluators: [{type: code_judge, script: judge.py}]\ncases: [{id: a, candidate: 1}]\n")
    first = subprocess.Popen([commands.program, "run", "s.yaml", "-q", "-o", "r.jsonl"], cwd=tmp_path)
    assert commands.run(["--version"], tmp_path).returncode == 0
    (tmp_path / "gate").write_text("", encoding="utf-8")
    assert first.wait() == 0
