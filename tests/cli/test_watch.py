"""A run that watches its files: again after each change, with only what changed."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

import pytest
from commands import build_environment
from conftest import Evalctl

from agentv_py.cli.run_display import RunDisplay
from agentv_py.cli.watch import WatchDisplay, WatchEnd, WatchFolder, WatchLoop
from agentv_py.errors import UserError
from agentv_py.run.execute import execute
from agentv_py.run.request import RunRequest

Write = Callable[[str, Any], Path]


def _suite(*answers: int) -> str:
    cases = "".join(
        f"- {{id: c{n}, expected: {{a: {n}}}, candidate: {{a: {answer}}}}}\n" for n, answer in enumerate(answers)
    )
    return f"evaluators: [{{type: field_accuracy, fields: [{{path: a}}]}}]\ncases:\n{cases}"


@pytest.fixture
def _signals() -> Iterator[None]:
    """A run of the command line has handlers of its own."""
    before = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("_signals")
def test_each_change_runs_again_and_shows_only_what_changed(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write("s.yaml", _suite(0, 1, 2))
    (tmp_path / "w").mkdir()
    folder = WatchFolder(tmp_path / "w")
    display = WatchDisplay(RunDisplay("console", (), annotate=False, quiet=False, err=False), folder)
    request = RunRequest(suites=["s.yaml"], output="r.jsonl")

    def start() -> int:
        try:
            return execute(request, display)
        except UserError as error:
            sys.stdout.write(f"error: {error}\n")
            return error.exit_code

    steps = iter(
        [_suite(0, 7, 2), "cases: [", _suite(0, 7, 2), _suite(0, 7, 2) + "# a remark\n", _suite(0, 1, 2, 3), None]
    )
    shown = []

    def wait() -> None:
        shown.append(capsys.readouterr().out)
        text = next(steps)
        if text is None:
            raise KeyboardInterrupt
        write("s.yaml", text)

    assert WatchLoop(request.suites, folder, start).run(wait) == 0
    assert "mean score" in shown[0]
    assert shown[1] == "✗ c1  pass 1.000 → fail 0.000\n    a  1 → 7, expected 1\n1 case changed; 2 of 3 cases pass\n"
    assert shown[2].startswith("error: s.yaml:2:1: not valid YAML")
    assert shown[3:5] == ["no case changed; 2 of 3 cases pass\n"] * 2
    assert shown[5] == (
        "✓ c1  fail 0.000 → pass 1.000\n    a  7 → 1, expected 1\nnew: 1 case (c3)\n1 case changed; 4 of 4 cases pass\n"
    )


def test_a_file_that_a_problem_names_is_watched_also_before_the_first_run(tmp_path: Path) -> None:
    folder, codes = WatchFolder(tmp_path), iter([2, 0])
    missing = tmp_path / "cases.jsonl"
    folder.write_states([str(missing)])
    looks = iter([True, False])

    def wait() -> None:
        if not next(looks):
            raise KeyboardInterrupt
        missing.touch()

    assert WatchLoop([], folder, lambda: next(codes)).run(wait) == 0


def test_ctrl_c_during_a_run_ends_with_the_code_of_that_run(tmp_path: Path) -> None:
    def start() -> int:
        raise WatchEnd(130)

    assert WatchLoop([], WatchFolder(tmp_path), start).run(lambda: None) == 130


def _read_until(stream: IO[str], word: str) -> str:
    text = ""
    while word not in text and (line := stream.readline()):
        text += line
    return text


def test_a_watching_command_ends_with_ctrl_c_and_the_code_of_its_last_run(write: Write, tmp_path: Path) -> None:
    write("judge.py", "import json\nprint(json.dumps({'score': 1}))\n")
    write("s.yaml", "evaluators: [{type: code_judge, script: judge.py}]\ncases: [{id: x, expected: 1, candidate: 1}]\n")
    command = [sys.executable, "-m", "agentv_py", "run", "s.yaml", "--watch"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=build_environment({}), text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as process:  # fmt: skip
        assert process.stdout
        assert "✓ 1 passed" in _read_until(process.stdout, "watching 2 files; Ctrl-C ends")
        write("judge.py", "import json\nprint(json.dumps({'score': 0.25}))\n")
        text = _read_until(process.stdout, "watching 2 files; Ctrl-C ends")
        assert "changed: judge.py\n✗ x  pass 1.000 → fail 0.250\n" in text
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 1


def test_what_cannot_be_watched_is_refused(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", _suite(0))
    for flags, other in ((["-o", "-"], "-o -"), (["-o", "r.jsonl", "--resume"], "--resume")):
        done = evalctl("run", "s.yaml", "--watch", *flags)
        assert (done.returncode, done.stderr) == (2, f"error: --watch and {other} exclude each other\n")
