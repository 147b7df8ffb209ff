"""A line of input → a line of output, by a process that serves many cases."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count

from agentv_py.process import child, orphans, watchdog
from agentv_py.process.child import Command, ProcessResult, Start
from agentv_py.process.pipes import MOST_OUTPUT, Failure, Pipes, Process

Lifetime = tuple[int, int]
"""Identifies one process from its start to its end: the pid of its parent, and a number that is unique there."""

_MOST_PROCESSES = 16
# How long a process that never answered may take to answer after the end of its input.
_GRACE = 1.0

_numbers = count(1)


class PersistentProcess:
    """A process that answers each line with a line. It starts at the first question, and again after a failure.

    An answer that does not echo the sequence number of its question is unverified: it may belong to an earlier
    question. The end of the process shows whether it wrote more lines than it had questions.
    """

    def __init__(self, command: Command, start: Start = child.start_process) -> None:
        self.command = command
        self._start = start
        self.lifetime: Lifetime = (0, 0)
        self.sequence = 0
        self.is_unverified = False
        self._pipes: Pipes | None = None
        """The pipes of the process; None where no process runs."""
        self._timeout = 0.0
        self._questions = 0
        self._lines = 0
        self._is_mid_line = False
        self._is_distrusted = False

    @property
    def pid(self) -> int | None:
        return None if self._pipes is None else self._pipes.process.pid

    def next_sequence(self) -> int:
        self.sequence += 1
        return self.sequence

    def ask(self, line: bytes, timeout: float) -> ProcessResult:
        """Return the answer as `stdout`. A process that died or was late is killed; the next call starts another."""
        self._timeout = timeout
        pipes = self._get_running()
        self._questions += 1
        return self._take_answer(pipes, lambda: pipes.wait_for_line(line, time.monotonic() + timeout))

    def begin(self, line: bytes, timeout: float) -> int | None:
        """Write a question without waiting; return a descriptor that is readable when there is something to read.

        None: nothing was written, because the process has to be started first, which `ask` does.
        """
        pipes = self._pipes
        if pipes is None or self._is_distrusted or not pipes.signals_exit:
            return None
        if pipes.process.poll() is not None or pipes.has_unread_output():
            return None
        self._timeout = timeout
        self._questions += 1
        return pipes.begin_line(line)

    def has_answer(self) -> bool:
        """Tell, without waiting, whether the question of `begin` is answered."""
        return self._pipes is not None and self._pipes.has_line()

    def finish(self, deadline: float) -> ProcessResult:
        """Return the answer to the question of `begin`, as `ask` does."""
        assert self._pipes is not None  # noqa: S101  `begin` has written to it
        return self._take_answer(self._pipes, partial(self._pipes.finish_line, deadline))

    def _take_answer(self, pipes: Pipes, wait: Callable[[], Failure | None]) -> ProcessResult:
        has_answer, code = False, None
        try:
            failure = wait()
            code = pipes.process.poll()  # None: it runs, and is killed below if its answer is not one whole line
            has_answer = failure is None and pipes.stdout.endswith(b"\n")
            if failure == "timeout" and not self._lines:
                failure = _explain_silence(pipes)
        finally:
            if pipes.is_input_unread():
                self._handle_unread_question(pipes.process, has_answer=has_answer)
            self._count_lines(pipes.stdout)
            if not has_answer:
                self.kill()
        return ProcessResult(0 if has_answer else code or 0, bytes(pipes.stdout), pipes.decode_stderr(), failure)

    def stop(self) -> None:
        """End the process; where an answer is in doubt, close its stdin first and read what it still writes.

        The process has its timeout to exit. After that it is killed, and what it wrote until then counts.
        """
        try:
            if self._pipes is not None and self.is_unverified and not self._is_distrusted:
                self._read_to_end(self._pipes)
        finally:
            self.kill()

    def distrust(self) -> None:
        """Make every unverified answer of this process an error: one of them belongs to another question."""
        self._is_distrusted = True

    def kill(self) -> None:
        if self._pipes is None:
            return
        pipes, self._pipes = self._pipes, None
        child.kill(pipes.process)
        self._count_lines(_read_rest(pipes.process))
        pipes.release()
        child.close(pipes.process)
        if self.is_unverified:
            _outcomes[self.lifetime] = not self._is_distrusted and self._lines + self._is_mid_line <= self._questions
            self.is_unverified = False

    def _handle_unread_question(self, process: Process, *, has_answer: bool) -> None:
        """Note that the process answered another question, or was still busy with one that seemed to be answered.

        A process that exits with 0 may do so after any answer.
        """
        if has_answer or process.poll() != 0:
            self.distrust()
        else:
            self._questions -= 1

    def _get_running(self) -> Pipes:
        if self._pipes is None or not self._is_usable(self._pipes.process):
            if self._pipes is not None and self._pipes.process.returncode:
                self.distrust()  # it failed after its last answer
            self.stop()
            self._pipes = Pipes(self._start(self.command))
            self.lifetime = (os.getpid(), next(_numbers))
            self._questions = self._lines = 0
            self._is_mid_line = self._is_distrusted = False
        return self._pipes

    def _is_usable(self, process: Process) -> bool:
        return not self._is_distrusted and process.poll() is None and not self._has_unread_output(process)

    def _has_unread_output(self, process: Process) -> bool:
        """Whether its pipe holds output already, which would look like the answer to the next question."""
        assert process.stdout is not None  # noqa: S101  `child.start_process` makes this pipe
        try:
            chunk = os.read(process.stdout.fileno(), 1)
        except BlockingIOError:
            return False
        self._count_lines(chunk)
        return bool(chunk)

    def _read_to_end(self, pipes: Pipes) -> None:
        try:
            pipes.wait_for_exit(b"", time.monotonic() + self._timeout)
        finally:
            self._count_lines(pipes.stdout)

    def _count_lines(self, output: bytes | bytearray) -> None:
        self._lines += output.count(b"\n")
        if output:
            self._is_mid_line = not output.endswith(b"\n")


_pool: dict[Command, PersistentProcess] = {}
_outcomes: dict[Lifetime, bool] = {}


def get_persistent(command: Command) -> PersistentProcess:
    """Return the process of this command; equal commands share one. The pool drops the one that was unused longest."""
    persistent = _pool.pop(command, None) or PersistentProcess(command)
    while len(_pool) >= _MOST_PROCESSES:
        _pool.pop(next(iter(_pool))).stop()
    _pool[command] = persistent
    return persistent


def verify_persistent() -> None:
    """End every process that gave an unverified answer, so that `take_outcomes` can report it."""
    for persistent in _pool.values():
        if persistent.is_unverified:
            persistent.stop()


def take_outcomes() -> dict[Lifetime, bool]:
    """Return the processes with unverified answers that ended since the last call; False: it wrote a line too many."""
    outcomes = dict(_outcomes)
    _outcomes.clear()
    return outcomes


def stop_persistent() -> None:
    """Kill every persistent process, the watchdog, and whatever else judges have left behind."""
    for persistent in _pool.values():
        persistent.kill()
    _pool.clear()
    watchdog.stop_when_idle()
    orphans.kill_orphans(watchdog.get_sessions)


def _explain_silence(pipes: Pipes) -> Failure:
    """Tell a process that has never answered from one that is slow: the end of its input makes it answer or exit."""
    if pipes.is_input_unread():
        return "unread"
    pipes.end_input(_GRACE)
    if pipes.stdout:
        return "only_at_end"
    return "silent" if pipes.process.poll() == 0 else "timeout"


def _read_rest(process: Process) -> bytes:
    """Read what is left in the pipe of a process that has ended, without waiting for children that hold it open."""
    rest = bytearray()
    assert process.stdout is not None  # noqa: S101  `child.start_process` makes this pipe
    with suppress(BlockingIOError):
        while len(rest) <= MOST_OUTPUT and (chunk := os.read(process.stdout.fileno(), 65_536)):
            rest += chunk
    return bytes(rest)
