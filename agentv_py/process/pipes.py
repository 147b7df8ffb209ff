"""The pipes of a child process → its input written, its output read, and neither ever blocks the other."""

import os
import selectors
import subprocess
import sys
import time
from typing import Any, Literal

MOST_OUTPUT = 10 * 1024 * 1024
MOST_STDERR = 8192

_CHUNK_BYTES = 65_536
# If the kernel cannot signal the end of a process, the process is polled at this interval.
_POLL_SECONDS = 0.01

Failure = Literal["timeout", "output", "unread", "only_at_end", "silent"]
"""`unread`: the process reads no input. `only_at_end`: it writes nothing before its input ends. `silent`: nor then."""
Process = subprocess.Popen[bytes]


class Pipes:
    """Write a process's stdin while reading its stdout and stderr, until a deadline; one input after the other."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.stdout = bytearray()
        """The output since the last input began."""
        self._stderr = bytearray()
        self._unwritten = memoryview(b"")
        self._bytes_sent = 0
        self._is_input_waiting = False
        self._selector = selectors.DefaultSelector()
        self._exit_fd = _open_exit_fd(process)
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                os.set_blocking(stream.fileno(), False)
        for readable in (process.stdout, process.stderr, self._exit_fd):
            if readable is not None:
                self._selector.register(readable, selectors.EVENT_READ)

    def wait_for_exit(self, stdin: bytes, deadline: float) -> Failure | None:
        """Write the input, close stdin, and read until the process exits."""
        self._begin(stdin, close=True)
        return self._serve(deadline, is_persistent=False)

    def wait_for_line(self, stdin: bytes, deadline: float) -> Failure | None:
        """Write the input, leave stdin open, and read until the process has written a line or exits."""
        self._begin(stdin, close=False)
        return self._serve(deadline, is_persistent=True)

    def begin_line(self, stdin: bytes) -> int:
        """Write the input, as much as the pipe takes; return a descriptor that is readable when `has_line` can read."""
        self._begin(stdin, close=False)
        return self._selector.fileno()

    def has_line(self) -> bool:
        """Read what is there, without waiting; return whether the process has written a line, and nothing after it."""
        for key, _ in self._selector.select(0):
            self._transfer(key.fileobj, is_persistent=True)
        return self.stdout.endswith(b"\n")

    def finish_line(self, deadline: float) -> Failure | None:
        """Wait for the line as `wait_for_line` does, after `begin_line`."""
        return None if b"\n" in self.stdout else self._serve(deadline, is_persistent=True)

    def end_input(self, seconds: float) -> None:
        """Close stdin, and read what the process then writes, until it exits or the time is over."""
        stdin = self.process.stdin
        if stdin is not None and not stdin.closed:
            self._wait_for_reader(stdin, is_input_waiting=False)
            stdin.close()
        self._serve(time.monotonic() + seconds, is_persistent=False)

    @property
    def signals_exit(self) -> bool:
        """Whether the descriptor of `begin_line` is readable also when the process ends."""
        return self._exit_fd is not None

    def has_unread_output(self) -> bool:
        """Tell whether output waits in the pipe, and leave it there."""
        return self.process.stdout is not None and _count_unread(self.process.stdout.fileno()) > 0

    def is_input_unread(self) -> bool:
        """Tell whether the process has read nothing of this input; false where the system cannot know."""
        stdin = self.process.stdin
        return stdin is not None and not stdin.closed and _count_unread(stdin.fileno()) >= self._bytes_sent

    def release(self) -> None:
        """Close what this object has opened; the pipes themselves stay open."""
        self._selector.close()
        if self._exit_fd is not None:
            os.close(self._exit_fd)

    def decode_stderr(self) -> str:
        """Return the last `MOST_STDERR` bytes of stderr as text."""
        return self._stderr[-MOST_STDERR:].decode(errors="replace")

    def _begin(self, stdin: bytes, *, close: bool) -> None:
        self.stdout, self._stderr = bytearray(), bytearray()
        self._unwritten, self._bytes_sent = memoryview(stdin), 0
        self._write(self.process.stdin, close=close)

    def _serve(self, deadline: float, *, is_persistent: bool) -> Failure | None:
        while True:
            seconds_left = deadline - time.monotonic()
            if seconds_left <= 0:
                return "timeout"
            wait = seconds_left if self._exit_fd is not None else min(seconds_left, _POLL_SECONDS)
            for key, _ in self._selector.select(wait):
                self._transfer(key.fileobj, is_persistent=is_persistent)
            if len(self.stdout) > MOST_OUTPUT:
                return "output"
            if is_persistent and b"\n" in self.stdout:
                return None
            if self.process.poll() is not None:
                self._drain()
                return "output" if len(self.stdout) > MOST_OUTPUT else None

    def _transfer(self, stream: Any, *, is_persistent: bool) -> None:
        if stream is self.process.stdin:
            self._write(stream, close=not is_persistent)
        elif stream is self.process.stdout:
            self._read(stream, self.stdout)
        elif stream is self.process.stderr:
            self._read(stream, self._stderr)
            del self._stderr[:-MOST_STDERR]

    def _write(self, stream: Any, *, close: bool) -> None:
        try:
            size = os.write(stream.fileno(), self._unwritten[:_CHUNK_BYTES])
            self._unwritten = self._unwritten[size:]
            self._bytes_sent += size
        except BlockingIOError:
            pass
        except OSError:  # the process does not read its input; its output still counts
            self._unwritten = self._unwritten[:0]
        self._wait_for_reader(stream, is_input_waiting=bool(self._unwritten))
        if close and not self._unwritten:
            stream.close()

    def _wait_for_reader(self, stream: Any, *, is_input_waiting: bool) -> None:
        """Watch stdin only while a part of the input is unwritten: most inputs fit into the pipe at once."""
        if is_input_waiting and not self._is_input_waiting:
            self._selector.register(stream, selectors.EVENT_WRITE)
        elif self._is_input_waiting and not is_input_waiting:
            self._selector.unregister(stream)
        self._is_input_waiting = is_input_waiting

    def _read(self, stream: Any, into: bytearray) -> bool:
        """Read one chunk; return whether more may follow at once."""
        try:
            chunk = os.read(stream.fileno(), _CHUNK_BYTES)
        except BlockingIOError:
            return False
        if not chunk:
            self._selector.unregister(stream)
            return False
        into += chunk
        return len(into) <= MOST_OUTPUT + _CHUNK_BYTES

    def _drain(self) -> None:
        """Read what the process left in its pipes, without waiting for its children, which may hold them open."""
        for stream, into in ((self.process.stdout, self.stdout), (self.process.stderr, self._stderr)):
            if stream is not None and stream in {key.fileobj for key in self._selector.get_map().values()}:
                while self._read(stream, into):
                    pass


def _open_exit_fd(process: Process) -> int | None:
    """Open a descriptor that becomes readable when the process ends; None if the system has no such descriptor."""
    try:
        return os.pidfd_open(process.pid)
    except (AttributeError, OSError):
        return None


def _count_unread(pipe: int) -> int:
    """Return how many bytes in a pipe wait for its reader, also for one that has ended. Only Linux tells its writer."""
    try:
        import fcntl
        import termios

        unread = fcntl.ioctl(pipe, termios.FIONREAD, bytes(4))
    except (ImportError, OSError):
        return 0
    return int.from_bytes(unread, sys.byteorder)
