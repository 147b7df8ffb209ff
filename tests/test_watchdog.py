"""Process groups die with the process that watches over them, and only those that it has not seen end."""

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
    watchdog.stop()  # the shell sees the same as at this process's death: the end of its pipe
    assert [groups[0].wait(), groups[1].poll(), groups[2].wait()] == [-9, None, -9]


def test_a_shell_that_somebody_ended_is_no_reason_to_fail(groups: "list[subprocess.Popen[bytes]]") -> None:
    watchdog.watch(groups[0].pid)
    [shell] = watchdog.get_pids()
    subprocess.run(["kill", "-s", "KILL", str(shell)], check=True)
    watchdog.watch(groups[1].pid)
    watchdog.forget(groups[1].pid)
    watchdog.stop()
    assert watchdog.get_pids() == set()
