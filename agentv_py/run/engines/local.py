"""Chunks of work → their results in order, in this process or in several."""

import os
import signal
import sys
import threading
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from agentv_py.process import orphans
from agentv_py.process.c_library import keep_freed_memory, load_c_library
from agentv_py.run.engines import Chunk, Recovery, Result
from agentv_py.run.engines.tasks import Task, Tasks, build_death_error
from agentv_py.run.engines.work import Reply, attempt, split_at_pauses

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

    from agentv_py.run.engines.replies import SharedMemory

    Busy = defaultdict[Connection, deque[Task]]
    """The tasks of each worker: the one that it works on, and those that wait at it."""

# The most results per worker that wait in memory behind a slow chunk.
_AHEAD = 4
# The most bytes of a task that may wait at a busy worker. A pipe holds them, so that this process never waits for a
# worker that waits for this process to read its reply.
_SMALL = 4_096
# Seconds in which workers may end by themselves. While a library's code runs, a worker hears no signal.
_PATIENCE = 10.0


def run(
    work: Callable[[Chunk], Result],
    chunks: Iterable[Chunk | None],
    jobs: int,
    finish: Callable[[], None] = lambda: None,
    pause: Callable[[], Result] | None = None,
    recovery: Recovery | None = None,
    *,
    sends_ahead: bool = False,
) -> Iterator[Result]:
    """Work as an `Engine` does; with one job, in this process."""
    if jobs == 1:
        try:
            for stretch in split_at_pauses(chunks):
                yield from map(work, stretch)
                if pause is not None:
                    yield pause()
        finally:
            finish()
        return
    pool = _Pool((work, pause, finish), jobs, recovery, sends_ahead=sends_ahead)
    try:
        for stretch in split_at_pauses(chunks):
            yield from pool.run(stretch)
            if pause is not None:
                yield from pool.pause()
    finally:
        pool.stop()
        finish()


class _Pool:
    """Processes that work on one chunk at a time. When this process dies, their pipes close and they end."""

    def __init__(
        self, functions: tuple[Any, ...], jobs: int, recovery: Recovery | None, *, sends_ahead: bool = False
    ) -> None:
        self.workers: dict[Connection, BaseProcess] = {}
        self._memory: dict[Connection, SharedMemory | None] = {}
        self._functions = functions
        self._recovery = recovery
        self._sends_ahead = sends_ahead
        self._dead: list[Any] = []
        """Results that tell of workers that have died."""
        self._start(jobs)

    def _start(self, count: int) -> None:
        # A fork inherits the loaded suite at no cost; macOS frameworks fail after a fork.
        import multiprocessing

        method = "fork" if sys.platform == "linux" else "spawn"
        context: Any = multiprocessing.get_context(method)
        load_c_library()  # here, as otherwise each worker would load it
        # Ctrl-C reaches the whole group; workers ignore it from their start, and the parent decides.
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            for _ in range(count):
                self._start_worker(context, inherits=method == "fork")
        finally:
            signal.signal(signal.SIGINT, handler)

    def _start_worker(self, context: Any, *, inherits: bool) -> None:
        from agentv_py.run.engines.replies import share_memory

        # For a child, the kernel reports the death of its parent when the thread that forked it ends.
        parent = os.getpid() if threading.current_thread() is threading.main_thread() else None
        ours, theirs = context.Pipe()
        inherited, memory = ([*self.workers, ours], share_memory()) if inherits else ([], None)
        arguments = (*self._functions, theirs, memory, inherited, parent)
        process = context.Process(target=_serve, args=arguments, daemon=True)
        process.start()
        theirs.close()
        self.workers[ours], self._memory[ours] = process, memory

    def run(self, chunks: Iterable[Any]) -> Iterator[Any]:
        tasks, busy = Tasks(chunks, self._recovery), defaultdict["Connection", deque[Task]](deque)
        while True:
            self._feed(tasks, busy)
            if not any(busy.values()):
                return
            self._collect(tasks, busy)
            self._feed(tasks, busy, ahead=False)  # before the caller uses the results, so that no worker waits for it
            yield from self._take_dead()
            yield from tasks.list_ready()

    def pause(self) -> Iterator[Any]:
        for pipe in self.workers:
            with suppress(OSError):  # the worker has died; `_receive` says so
                pipe.send(None)
        for pipe in list(self.workers):
            process, reply = self.workers[pipe], self._receive(pipe)
            if reply is not None:
                yield reply.unwrap()
            elif self._recovery is None:
                raise build_death_error(_describe_death(process))
            yield from self._take_dead()

    def _feed(self, tasks: Tasks, busy: "Busy", *, ahead: bool = True) -> None:
        """Give each idle worker a task, and perhaps each busy one the next task, unless too many results wait."""
        from multiprocessing.reduction import ForkingPickler

        idle = [pipe for pipe in self.workers if not busy[pipe]]
        for pipe in [*idle, *(self._list_patient(busy) if ahead else [])]:
            task = tasks.take(_AHEAD * len(self.workers))
            if task is None:
                return
            data = ForkingPickler.dumps(task.chunk)
            if busy[pipe] and len(data) > _SMALL:
                tasks.put_back(task)
                return
            busy[pipe].append(task)
            with suppress(OSError):  # the worker has died; `_receive` says so
                pipe.send_bytes(data)

    def _list_patient(self, busy: "Busy") -> "list[Connection]":
        """List the workers at which one more task may wait while they work, in memory that is not their reply's."""
        if not self._sends_ahead:
            return []
        return [pipe for pipe in self.workers if len(busy[pipe]) < 2 and self._memory[pipe] is not None]

    def _collect(self, tasks: Tasks, busy: "Busy") -> None:
        """Wait until a worker has replied or died."""
        from multiprocessing.connection import wait

        for pipe in cast("list[Connection]", wait([pipe for pipe in busy if busy[pipe]])):
            task, process = busy[pipe].popleft(), self.workers[pipe]
            # The caller uses a result whose turn has come before the worker gets another task; others wait in memory.
            reply = self._receive(pipe, copies=not (self._sends_ahead and tasks.is_next(task)))
            if reply is None:
                tasks.recover(task, _describe_death(process))
                for other in busy.pop(pipe):
                    tasks.retry(other)
            else:
                tasks.finish(task, reply.unwrap())

    def _receive(self, pipe: "Connection", *, copies: bool = True) -> Reply | None:
        """Return the reply of a worker. A worker that has died is replaced, and has no reply."""
        from agentv_py.run.engines.replies import receive_reply

        try:
            reply = receive_reply(pipe, self._memory[pipe], copies=copies)
        except (EOFError, OSError):
            process, _ = self.workers.pop(pipe), self._memory.pop(pipe)
            pipe.close()
            process.join()
            if self._recovery is not None and self._recovery.report_death is not None:
                self._dead.append(self._recovery.report_death(process.pid or 0))
            self._start(1)
            return None
        return reply

    def _take_dead(self) -> list[Any]:
        dead, self._dead = self._dead, []
        return dead

    def stop(self) -> None:
        for process in self.workers.values():
            process.terminate()
        # A signal that comes just before a worker waits for its pipe does not wake it; the pipe's end does.
        for pipe in self.workers:
            pipe.close()
        deadline = time.monotonic() + _PATIENCE
        for process in self.workers.values():
            process.join(max(0.0, deadline - time.monotonic()))
            process.kill()  # nothing happens to a worker that has ended
            process.join()


def _describe_death(process: "BaseProcess") -> str:
    code = process.exitcode or 0
    return f"died (exit code {code})" if code >= 0 else f"died (signal {-code})"


def _serve(
    work: Callable[[Any], Any],
    pause: Callable[[], Any],
    finish: Callable[[], None],
    pipe: "Connection",
    memory: "SharedMemory | None",
    inherited: Sequence["Connection"],
    parent: int | None,
) -> None:
    from agentv_py.run.engines.replies import send_reply

    signal.signal(signal.SIGINT, lambda *_: None)  # judges inherit an ignored signal, but not this handler
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # so that `finish` is called
    for other in inherited:
        other.close()
    if parent is not None:
        orphans.end_with_parent(parent)
    keep_freed_memory()
    try:
        while True:
            chunk = pipe.recv()
            reply = attempt(lambda _: pause(), None) if chunk is None else attempt(work, chunk)
            send_reply(pipe, reply, memory)
    except (EOFError, OSError):  # the parent has left, or is about to end this process
        return
    finally:
        finish()
