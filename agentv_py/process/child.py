"""A command → a child process in a session of its own, and what it wrote before it ended."""

import os
import signal
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from agentv_py.process import orphans, watchdog
from agentv_py.process.pipes import Failure, Pipes, Process


class Command(NamedTuple):
    argv: tuple[str, ...]
    cwd: str
    env: tuple[tuple[str, str], ...]


class ProcessResult(NamedTuple):
    code: int
    """The exit code; negative where a signal ended the process."""
    stdout: bytes
    stderr: str
    """The end of it, at most `MOST_STDERR` bytes."""
    failure: Failure | None = None


Start = Callable[[Command], Process]
"""Starts a command."""


def run(command: Command, stdin: bytes, timeout: float, start: Start | None = None) -> ProcessResult:
    """Run a command to its exit. Its children, which may live longer or hold its pipes, are not waited for.

    Whatever it leaves behind is killed.
    """
    pipes = Pipes((start or start_process)(command))
    try:
        failure = pipes.wait_for_exit(stdin, time.monotonic() + timeout)
    finally:
        pipes.release()
        kill(pipes.process)
        close(pipes.process)
    return ProcessResult(pipes.process.returncode, bytes(pipes.stdout), pipes.decode_stderr(), failure)


def start_process(command: Command) -> Process:
    """Start a command in a session of its own; it is killed when this process dies."""
    orphans.adopt()
    with orphans.STARTING:
        process = subprocess.Popen(
            command.argv,
            cwd=command.cwd,
            env=_encode_environment(command.env),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,
        )
        watchdog.watch(process.pid)
    return process


def send_kill(process: Process) -> None:
    """Kill a process that has not ended, and its group, without waiting for its end."""
    if process.poll() is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)


def kill(process: Process) -> None:
    """Kill a process and its group; its pipes can still be read."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    watchdog.forget(process.pid)


def close(process: Process) -> None:
    """Close the pipes of a process that has ended, and kill what it left behind."""
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None and not stream.closed:
            stream.close()
    orphans.kill_orphans(watchdog.get_sessions, process.pid)


@lru_cache(maxsize=16)
def _encode_environment(env: tuple[tuple[str, str], ...]) -> dict[bytes, bytes]:
    """Return what each start of a process would otherwise encode again."""
    return {os.fsencode(name): os.fsencode(value) for name, value in env}


def build_environment(changes: Mapping[str, str], path_first: str) -> tuple[tuple[str, str], ...]:
    """Return this process's environment with some changes, and with a folder at the head of PATH."""
    merged = {**os.environ, **changes}
    path = os.pathsep.join(part for part in (path_first, merged.get("PATH", os.defpath)) if part)
    return tuple(sorted({**merged, "PATH": path, orphans.MARK: orphans.MARK_VALUE}.items()))
