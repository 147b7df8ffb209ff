"""Processes: nothing that a judge started outlives the run, and nothing else is touched."""

import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from pipeline import rows_of

from agentv_py import run_suite
from agentv_py.process import orphans
from agentv_py.process.persistent import stop_persistent

Write = Callable[[str, Any], Path]

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="other systems cannot list what a process left behind")

_ANSWER = """
for line in sys.stdin:
    print('{"score": 1}', flush=True)
"""
# Three generations, each in a session of its own and without an environment; how long they sleep tells whose they are.
_NEST = """
import subprocess, sys
third = "echo up; exec sleep TOKEN >/dev/null"
second = f"setsid env -i sh -c '{third}' & exec sleep TOKEN >/dev/null"
first = f'setsid env -i sh -c "{second}" & exec sleep TOKEN >/dev/null'
nest = subprocess.Popen(["env", "-i", "PATH=/usr/bin:/bin", "setsid", "sh", "-c", first],
                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
nest.stdout.readline()
"""
_LEAVE = """
import subprocess, sys
subprocess.Popen(["setsid", "sleep", "TOKEN"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
subprocess.Popen(["env", "-i", "sleep", "TOKEN"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
"""
_HANG = """
import subprocess, sys, time
subprocess.Popen(["sh", "-c", "sleep TOKEN; :"])
open("started", "a").close()
time.sleep(600)
"""


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("persistent", [True, False])
def test_what_clears_its_environment_and_nests_sessions_is_ended(
    evalctl: Evalctl, write: Write, jobs: str, persistent: bool
) -> None:
    token = _write_suite(write, _NEST + _ANSWER, persistent=persistent)
    done = evalctl("run", "s.yaml", "-q", "-o", "r.jsonl", "-j", jobs)
    assert (done.returncode, done.stderr) == (0, "")
    assert _bearing(token) == []


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("persistent", [True, False])
def test_a_killed_run_takes_its_judges_and_workers_along(
    write: Write, tmp_path: Path, jobs: str, persistent: bool
) -> None:
    token = _write_suite(write, _HANG, persistent=persistent)
    command = [sys.executable, "-m", "agentv_py", "run", "s.yaml", "-q", "-o", "r.jsonl", "-j", jobs]
    process = subprocess.Popen(command, cwd=tmp_path, start_new_session=True)
    while not (tmp_path / "started").exists():
        assert process.poll() is None
        os.sched_yield()
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert _wait_for_end(token) == []
    assert _wait_for_end(f"{tmp_path}", "cwd") == []


def test_children_that_are_not_a_judge_s_are_left_alone(write: Write, tmp_path: Path) -> None:
    _write_suite(write, _NEST + _ANSWER, persistent=False)
    token = _new_token()
    shell = f"setsid sleep {token} & sleep {token} & exec {sys.executable} -m agentv_py run s.yaml -q"
    done = subprocess.run(["sh", "-c", shell], cwd=tmp_path, check=False, timeout=60)
    assert (done.returncode, len(_end(token))) == (0, 2)


def test_a_python_caller_s_own_children_are_left_alone(write: Write, tmp_path: Path) -> None:
    token = _write_suite(write, _LEAVE + _ANSWER, persistent=True)
    others = [subprocess.Popen(["sleep", "600"], start_new_session=apart) for apart in (True, False)]
    try:
        rows = rows_of(tmp_path / "s.yaml")
        stop_persistent()
        assert [row["status"] for row in rows] == ["ok"] * 4
        assert ([other.poll() for other in others], _bearing(token)) == ([None, None], [])
    finally:
        for other in others:
            other.kill()
            other.wait()


def test_a_caller_that_is_a_judge_itself_keeps_its_children(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(orphans.MARK, "1")
    _write_suite(write, "import sys" + _ANSWER, persistent=False)
    other = subprocess.Popen(["sleep", "600"], start_new_session=True)
    try:
        assert [row["status"] for row in rows_of(tmp_path / "s.yaml")] == ["ok"] * 4
        assert Path(f"/proc/{other.pid}/cmdline").read_bytes().startswith(b"sleep")
    finally:
        other.kill()
        other.wait()


# It answers 1 while the process that it started behind a shell is there.
_WITH_HELPER = """
import os, subprocess, sys
run = subprocess.run("sleep TOKEN >/dev/null & echo $!", shell=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
for line in sys.stdin:
    print('{"score": %d}' % os.path.exists(f"/proc/{int(run.stdout)}"), flush=True)
"""


def test_a_judge_that_runs_keeps_what_it_started_when_another_ends(write: Write, tmp_path: Path) -> None:
    token = _new_token()
    write("helped.py", _WITH_HELPER.replace("TOKEN", token))
    write("other.py", "print('{\"score\": 1}')")
    judges = [
        {"type": "code_judge", "script": "helped.py", "persistent": True},
        {"type": "code_judge", "script": "other.py"},
    ]
    write("s.yaml", {"evaluators": judges, "cases": [{"id": str(number), "candidate": 1} for number in range(3)]})
    assert [row["score"] for row in rows_of(tmp_path / "s.yaml")] == [1.0] * 3
    stop_persistent()
    assert _bearing(token) == []


def test_runs_in_two_threads_leave_each_other_s_judges_alone(write: Write, tmp_path: Path) -> None:
    write("slow.py", "import os, time\nopen('slow', 'w').close()\nwhile not os.path.exists('go'): time.sleep(0.01)\n"
          "print('{\"score\": 1}')\n")  # fmt: skip
    write("quick.py", "print('{\"score\": 1}')")
    for name in ("slow", "quick"):
        judge = {"type": "code_judge", "script": f"{name}.py"}
        write(f"{name}.yaml", {"evaluators": [judge], "cases": [{"id": "c", "candidate": 1}]})
    with ThreadPoolExecutor() as threads:
        slow = threads.submit(lambda: list(run_suite(tmp_path / "slow.yaml")))
        while not (tmp_path / "slow").exists():
            os.sched_yield()
        [quick] = run_suite(tmp_path / "quick.yaml")
        (tmp_path / "go").touch()
        assert (quick["status"], [row["status"] for row in slow.result()]) == ("ok", ["ok"])


def _new_token() -> str:
    """A number of seconds that no other test sleeps."""
    return f"600.{uuid.uuid4().int}"


def _write_suite(write: Write, source: str, *, persistent: bool) -> str:
    """Write a judge and its suite; the token is in the command line of everything that the judge starts."""
    token = _new_token()
    write("judge.py", source.replace("TOKEN", token))
    judge = {"type": "code_judge", "script": "judge.py", "persistent": persistent}
    write("s.yaml", {"evaluators": [judge], "cases": [{"id": str(number), "candidate": 1} for number in range(4)]})
    return token


def _end(token: str) -> list[int]:
    """End the processes that bear a token; these they were."""
    ended = _bearing(token)
    for pid in ended:
        os.kill(pid, signal.SIGKILL)
    return ended


def _bearing(token: str, what: str = "cmdline") -> list[int]:
    return [int(path.parent.name) for path in Path("/proc").glob(f"[0-9]*/{what}") if token in _read(path)]


def _read(path: Path) -> str:
    try:
        return str(path.readlink()) if path.name == "cwd" else path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _wait_for_end(token: str, what: str = "cmdline") -> list[str]:
    """The status of those that are left, given the moment that a killed one takes to vanish."""
    deadline = time.monotonic() + 10
    while (left := _bearing(token, what)) and time.monotonic() < deadline:
        os.sched_yield()
    return [_read(Path(f"/proc/{pid}/cmdline")) + _read(Path(f"/proc/{pid}/status")) for pid in left]
