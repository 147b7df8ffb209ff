"""A line of question → a line of answer, by a process that stays."""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import count

from agentv_py.process import child, orphans, watchdog
from agentv_py.process.child import Command, Conversation, Finished, Process

Lifetime = tuple[int, int]
"""One process from its start to its end: the process that started it, and a number there."""

_MOST_STAYING = 16

_numbers = count(1)


class Persistent:
    """A process that answers a line with a line, started when first asked and again after it failed.

    An answer that does not echo its question's sequence number is unverified: it may belong to an earlier question.
    Only the end of the process shows whether it wrote as many lines as it was asked for.
    """

    def __init__(self, command: Command) -> None:
        self.command = command
        self.lifetime: Lifetime = (0, 0)
        self.sequence = 0
        self.is_unverified = False
        self._process: Process | None = None
        self._timeout = 0.0
        self._asked = 0
        self._lines = 0
        self._is_mid_line = False
        self._is_distrusted = False

    @property
    def pid(self) -> int | None:
        return None if self._process is None else self._process.pid

    def next_sequence(self) -> int:
        self.sequence += 1
        return self.sequence

    def ask(self, line: bytes, timeout: float) -> Finished:
        """The answer as `stdout`; where the process died or was late, it is gone and the next call starts another."""
        self._timeout = timeout
        talk = Conversation(self._ready(), line, time.monotonic() + timeout)
        self._asked += 1
        answered = False
        try:
            failure = talk.until(exited=False)
            answered = failure is None and talk.stdout.endswith(b"\n")
        finally:
            talk.release()
            self._count(talk.stdout)
            if not answered:
                self.kill()
        code = 0 if answered else talk.process.returncode or 0
        return Finished(code, bytes(talk.stdout), talk.stderr_end(), failure)

    def stop(self) -> None:
        """End the process; where an answer is unverified, close its stdin first and read what it still writes.

        It has its timeout to exit; after that it is killed, and what it wrote until then counts.
        """
        try:
            if self._process is not None and self.is_unverified:
                self._read_to_end(self._process)
        finally:
            self.kill()

    def distrust(self) -> None:
        """Take no unverified answer of this process for right: one of them was to another question."""
        self._is_distrusted = True

    def kill(self) -> None:
        if self._process is None:
            return
        ended, self._process = self._process, None
        child.kill(ended)
        self._count(_rest(ended))
        child.close(ended, staying())
        if self.is_unverified:
            _outcomes[self.lifetime] = not self._is_distrusted and self._lines + self._is_mid_line <= self._asked
            self.is_unverified = False

    def _ready(self) -> Process:
        if self._process is None or self._process.poll() is not None or self._has_spoken(self._process):
            if self._process is not None and self._process.returncode:
                self.distrust()  # it failed over a question that seemed to be answered
            self.stop()
            self._process = child.start(self.command)
            self.lifetime = (os.getpid(), next(_numbers))
            self._asked = self._lines = 0
            self._is_mid_line = self._is_distrusted = False
        return self._process

    def _has_spoken(self, running: Process) -> bool:
        """Whether something is in its pipe already, which would be taken for the answer to the next question."""
        assert running.stdout is not None  # noqa: S101  it was asked for
        try:
            piece = os.read(running.stdout.fileno(), 1)
        except BlockingIOError:
            return False
        self._count(piece)
        return bool(piece)

    def _read_to_end(self, running: Process) -> None:
        talk = Conversation(running, b"", time.monotonic() + self._timeout)
        try:
            talk.until(exited=True)
        finally:
            talk.release()
            self._count(talk.stdout)

    def _count(self, output: bytes | bytearray) -> None:
        self._lines += output.count(b"\n")
        if output:
            self._is_mid_line = not output.endswith(b"\n")


_pool: dict[Command, Persistent] = {}
_outcomes: dict[Lifetime, bool] = {}


def get_persistent(command: Command) -> Persistent:
    """The one process of this command in this process; equal commands share it, and the longest unused one goes."""
    found = _pool.pop(command, None) or Persistent(command)
    while len(_pool) >= _MOST_STAYING:
        _pool.pop(next(iter(_pool))).stop()
    _pool[command] = found
    return found


def staying() -> Iterator[int]:
    return (one.pid for one in _pool.values() if one.pid is not None)


def verify_persistent() -> None:
    """End every process that gave an unverified answer, so that `take_outcomes` can tell about it."""
    for one in _pool.values():
        if one.is_unverified:
            one.stop()


def take_outcomes() -> dict[Lifetime, bool]:
    """Processes with unverified answers that ended since the last call, and whether their answers can be trusted."""
    outcomes = dict(_outcomes)
    _outcomes.clear()
    return outcomes


def stop_persistent() -> None:
    """Kill every process that stayed, and whatever else was started here and is still there."""
    for one in _pool.values():
        one.kill()
    _pool.clear()
    watchdog.stop()
    orphans.end(set())


def _rest(ended: Process) -> bytes:
    """What is left in the pipe of a process that has ended; children that hold it open are not waited for."""
    rest = bytearray()
    assert ended.stdout is not None  # noqa: S101  it was asked for
    with suppress(BlockingIOError):
        while len(rest) <= child.MOST_OUTPUT and (piece := os.read(ended.stdout.fileno(), 65_536)):
            rest += piece
    return bytes(rest)
