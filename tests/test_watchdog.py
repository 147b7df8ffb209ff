"""Process groups die with the process that watches over them, and only those that it has not seen end."""

import os
import signal
import subprocess
from collections.abc import Iterator

import pytest

from agentv_py.process import watchdog


@pytest.fixture
def groups() -> Iterator[list["subprocess.Popen[bytes]"]]:
    started = [subprocess.Popen(["sleep", "600"], start_new_session=True) for _ in range(3)]
    yield started
    for process in started:
        process.kill()
        process.wait()


def test_what_has_ended_is_forgotten(groups: "list[subprocess.Popen[bytes]]") -> None:
    for process in groups:
        watchdog.watch(process.pid)
    watchdog.forget(groups[1].pid)
    watchdog.stop()  # the shell does the same as at this process's death, which ends its pipe
    assert [groups[0].wait(), groups[1].poll(), groups[2].wait()] == [-9, None, -9]
    for process in groups:
        watchdog.forget(process.pid)


def test_a_shell_that_somebody_ended_is_no_reason_to_fail(groups: "list[subprocess.Popen[bytes]]") -> None:
    watchdog.watch(groups[0].pid)
    [shell] = watchdog.get_sessions() - {groups[0].pid}
    subprocess.run(["kill", "-s", "KILL", str(shell)], check=True)
    watchdog.watch(groups[1].pid)
    watchdog.forget(groups[1].pid)
    watchdog.stop()
    watchdog.forget(groups[0].pid)
    assert watchdog.get_sessions() == set()


def test_a_fork_that_holds_the_pipe_does_not_keep_the_shell_alive(groups: "list[subprocess.Popen[bytes]]") -> None:
    watchdog.watch(groups[0].pid)
    fork = os.fork()
    if fork == 0:
        signal.pause()
    watchdog.stop()
    watchdog.forget(groups[0].pid)
    os.kill(fork, signal.SIGKILL)
    os.waitpid(fork, 0)
    assert groups[0].wait() == -9


def test_the_shell_stays_while_a_group_runs(groups: "list[subprocess.Popen[bytes]]") -> None:
    for process in groups[:2]:
        watchdog.watch(process.pid)
    for process in groups[:2]:
        watchdog.stop_when_idle()
        assert process.poll() is None
        watchdog.forget(process.pid)
    watchdog.stop_when_idle()
    assert (watchdog.get_sessions(), [process.poll() for process in groups]) == (set(), [None] * 3)
