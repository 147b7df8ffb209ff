"""A fork of the loaded command is to a test what a new process is."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
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
