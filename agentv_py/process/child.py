"""One child process in a group of its own, killed when it is late or too loud."""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, Literal, NamedTuple

from agentv_py.process import orphans, watchdog

MOST_OUTPUT = 10 * 1024 * 1024

MOST_STDERR = 8192
_PIECE = 65_536
# Where the kernel cannot tell when a process ends, it is asked this often.
_GLANCE = 0.01

Failure = Literal["timeout", "output"]
Process = subprocess.Popen[bytes]


class Command(NamedTuple):
    """What to start, where, and with which environment."""

    argv: tuple[str, ...]
    cwd: str
    env: tuple[tuple[str, str], ...]


class Finished(NamedTuple):
    code: int
    """The exit code; a signal's number, negative."""
    stdout: bytes
    stderr: str
    """The end of it, at most `MOST_STDERR` bytes."""
    failure: Failure | None = None


def run(command: Command, stdin: bytes, timeout: float, staying: Iterable[int] = ()) -> Finished:
    """Start the command, feed it, and return when it has exited, whatever its children or pipes are up to."""
    talk = Conversation(start(command), stdin, time.monotonic() + timeout)
    try:
        failure = talk.until(exited=True)
    finally:
        talk.release()
        kill(talk.process)
        close(talk.process, staying)
    return Finished(talk.process.returncode, bytes(talk.stdout), talk.stderr_end(), failure)


class Conversation:
    """Feeding a process and listening to it, without ever waiting on one pipe alone."""

    def __init__(self, process: Process, stdin: bytes, deadline: float) -> None:
        self.process = process
        self.deadline = deadline
        self.stdout = bytearray()
        self._stderr = bytearray()
        self._rest = memoryview(stdin)
        self._selector = selectors.DefaultSelector()
        self._exit_fd = _exit_fd(process)
        for stream, event in ((process.stdin, selectors.EVENT_WRITE), (process.stdout, selectors.EVENT_READ),
                              (process.stderr, selectors.EVENT_READ)):  # fmt: skip
            if stream is not None and not stream.closed:
                os.set_blocking(stream.fileno(), False)
                self._selector.register(stream, event)
        if self._exit_fd is not None:
            self._selector.register(self._exit_fd, selectors.EVENT_READ)

    def until(self, *, exited: bool) -> Failure | None:
        """Go on until the process has exited or, where it stays, has answered a line."""
        while True:
            left = self.deadline - time.monotonic()
            if left <= 0:
                return "timeout"
            events = self._selector.select(left if self._exit_fd is not None else min(left, _GLANCE))
            for key, _ in events:
                self._serve(key.fileobj, exited=exited)
            if len(self.stdout) > MOST_OUTPUT:
                return "output"
            if not exited and b"\n" in self.stdout:
                return None
            if self.process.poll() is not None:
                self._drain()
                return "output" if len(self.stdout) > MOST_OUTPUT else None

    def release(self) -> None:
        self._selector.close()
        if self._exit_fd is not None:
            os.close(self._exit_fd)

    def stderr_end(self) -> str:
        return self._stderr[-MOST_STDERR:].decode(errors="replace")

    def _serve(self, stream: Any, *, exited: bool) -> None:
        if stream is self.process.stdin:
            self._feed(stream, close=exited)
        elif stream is self.process.stdout:
            self._read(stream, self.stdout)
        elif stream is self.process.stderr:
            self._read(stream, self._stderr)
            del self._stderr[:-MOST_STDERR]

    def _feed(self, stream: Any, *, close: bool) -> None:
        try:
            self._rest = self._rest[os.write(stream.fileno(), self._rest[:_PIECE]) :]
        except BlockingIOError:
            return
        except OSError:  # it does not read; what it says still counts
            self._rest = self._rest[:0]
        if not self._rest:
            self._selector.unregister(stream)
            if close:
                stream.close()

    def _read(self, stream: Any, into: bytearray) -> bool:
        """Whether there may be more."""
        try:
            piece = os.read(stream.fileno(), _PIECE)
        except BlockingIOError:
            return False
        if not piece:
            self._selector.unregister(stream)
            return False
        into += piece
        return len(into) <= MOST_OUTPUT + _PIECE

    def _drain(self) -> None:
        """What the process left in its pipes; children that hold them open are not waited for."""
        for stream, into in ((self.process.stdout, self.stdout), (self.process.stderr, self._stderr)):
            if stream is not None and stream in {key.fileobj for key in self._selector.get_map().values()}:
                while self._read(stream, into):
                    pass


def start(command: Command) -> Process:
    """Start the command in a session of its own; it dies with this process."""
    orphans.adopt()
    process = subprocess.Popen(
        command.argv,
        cwd=command.cwd,
        env=dict(command.env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,
    )
    watchdog.watch(process.pid)
    return process


def kill(process: Process) -> None:
    """Kill the process and its group; what is in its pipes can still be read."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    watchdog.forget(process.pid)


def close(process: Process, staying: Iterable[int]) -> None:
    """Close the pipes of a process that has ended, and end what it left behind; `staying` are not its children."""
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None and not stream.closed:
            stream.close()
    orphans.end({*staying, *watchdog.pids()}, process.pid)


def _exit_fd(process: Process) -> int | None:
    """A descriptor that becomes readable when the process ends, where the system has such a thing."""
    try:
        return os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        return None


def environment(extra: Mapping[str, str], path_first: str) -> tuple[tuple[str, str], ...]:
    """This process's environment with some of it changed, and a folder at the head of PATH."""
    merged = {**os.environ, **extra}
    path = os.pathsep.join(part for part in (path_first, merged.get("PATH", os.defpath)) if part)
    return tuple(sorted({**merged, "PATH": path, orphans.MARK: "1"}.items()))
