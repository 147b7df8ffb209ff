"""One child process in a group of its own, killed when it is late or too loud."""

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Literal, NamedTuple

from agentv_py import orphans

MOST_OUTPUT = 10 * 1024 * 1024

_STDERR_KEPT = 4096
_MOST_STAYING = 16
_PIECE = 65_536
# Where the kernel cannot tell when a process ends, it is asked this often.
_GLANCE = 0.01

Failure = Literal["timeout", "output"]


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
    """The end of it."""
    failure: Failure | None = None


def run(command: Command, stdin: bytes, timeout: float) -> Finished:
    """Start the command, feed it, and return when it has exited, whatever its children or pipes are up to."""
    orphans.adopt()
    talk = _Talk(_started(command), stdin, time.monotonic() + timeout)
    try:
        failure = talk.until(exited=True)
    finally:
        talk.end()
        orphans.end(_staying())
    return Finished(talk.process.returncode, bytes(talk.stdout), talk.stderr_end(), failure)


class Persistent:
    """A process that answers a line with a line, started when first asked and again after it failed."""

    def __init__(self, command: Command) -> None:
        self.command = command
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def ask(self, line: bytes, timeout: float) -> Finished:
        """The answer as `stdout`; where the process died or was late, it is gone and the next call starts another."""
        if self._process is None or self._process.poll() is not None or self._spoke_unasked(self._process):
            self.stop()
            orphans.adopt()
            self._process = _started(self.command)
        talk = _Talk(self._process, line, time.monotonic() + timeout)
        answered = False
        try:
            failure = talk.until(exited=False)
            answered = failure is None and talk.stdout.endswith(b"\n")
        finally:
            talk.release()
            if not answered:
                self.stop()
        code = 0 if answered else talk.process.returncode or 0
        return Finished(code, bytes(talk.stdout), talk.stderr_end(), failure)

    def _spoke_unasked(self, process: "subprocess.Popen[bytes]") -> bool:
        """Whether something lies in its pipe, which would be taken for the answer to the next question."""
        assert process.stdout is not None  # noqa: S101  it was asked for
        try:
            return bool(os.read(process.stdout.fileno(), 1))
        except BlockingIOError:
            return False

    def stop(self) -> None:
        if self._process is not None:
            _kill_group(self._process)
            _close(self._process)
            self._process = None
            orphans.end(_staying())


_pool: dict[Command, Persistent] = {}


def persistent(command: Command) -> Persistent:
    """The one process of this command in this process; equal commands share it, and the longest unused one goes."""
    found = _pool.pop(command, None) or Persistent(command)
    while len(_pool) >= _MOST_STAYING:
        _pool.pop(next(iter(_pool))).stop()
    _pool[command] = found
    return found


def stop_persistent() -> None:
    """End every process that stayed, and whatever else was started here and is still there."""
    for one in _pool.values():
        one.stop()
    _pool.clear()
    orphans.end(set())


def _staying() -> set[int]:
    return {one.pid for one in _pool.values() if one.pid is not None}


class _Talk:
    """Feeding a process and listening to it, without ever waiting on one pipe alone."""

    def __init__(self, process: "subprocess.Popen[bytes]", stdin: bytes, deadline: float) -> None:
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

    def end(self) -> None:
        _kill_group(self.process)
        self.release()
        _close(self.process)

    def release(self) -> None:
        self._selector.close()
        if self._exit_fd is not None:
            os.close(self._exit_fd)

    def stderr_end(self) -> str:
        return self._stderr[-_STDERR_KEPT:].decode(errors="replace").strip()

    def _serve(self, stream: Any, *, exited: bool) -> None:
        if stream is self.process.stdin:
            self._feed(stream, close=exited)
        elif stream is self.process.stdout:
            self._read(stream, self.stdout)
        elif stream is self.process.stderr:
            self._read(stream, self._stderr)
            del self._stderr[: -2 * _STDERR_KEPT]

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


def _started(command: Command) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        command.argv,
        cwd=command.cwd,
        env=dict(command.env),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        start_new_session=True,
    )


def _exit_fd(process: "subprocess.Popen[bytes]") -> int | None:
    """A descriptor that becomes readable when the process ends, where the system has such a thing."""
    try:
        return os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        return None


def _kill_group(process: "subprocess.Popen[bytes]") -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _close(process: "subprocess.Popen[bytes]") -> None:
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None and not stream.closed:
            stream.close()


def environment(extra: Mapping[str, str], path_first: str) -> tuple[tuple[str, str], ...]:
    """This process's environment with some of it changed, and a folder at the head of PATH."""
    merged = {**os.environ, **extra}
    path = os.pathsep.join(part for part in (path_first, merged.get("PATH", os.defpath)) if part)
    return tuple(sorted({**merged, "PATH": path, orphans.MARK: "1"}.items()))
