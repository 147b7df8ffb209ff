"""Chunks of work → their results in order, in this process or in several."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from agentv_py.errors import UserError
from agentv_py.process import orphans
from agentv_py.run.engines import Chunk, Result
from agentv_py.run.engines.work import Reply, attempt, split_at_pauses

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.process import BaseProcess

# The most results per worker that wait in memory behind a slow chunk.
_AHEAD = 4
# Seconds in which workers may end by themselves. While a library's code runs, a worker hears no signal.
_PATIENCE = 10.0


def run(
    work: Callable[[Chunk], Result],
    chunks: Iterable[Chunk | None],
    jobs: int,
    finish: Callable[[], None] = lambda: None,
    pause: Callable[[], Result] | None = None,
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
    pool = _Pool(work, jobs, finish, pause)
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
        self,
        work: Callable[[Any], Any],
        jobs: int,
        finish: Callable[[], None],
        pause: Callable[[], Any] | None,
    ) -> None:
        # A fork inherits the loaded suite at no cost; macOS frameworks fail after a fork.
        import multiprocessing

        method = "fork" if sys.platform == "linux" else "spawn"
        context: Any = multiprocessing.get_context(method)
        self.workers: dict[Connection, BaseProcess] = {}
        # Ctrl-C reaches the whole group; workers ignore it from their start, and the parent decides.
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            self._start(context, jobs, (work, pause, finish), inherits=method == "fork")
        finally:
            signal.signal(signal.SIGINT, handler)

    def _start(self, context: Any, jobs: int, functions: tuple[Any, ...], *, inherits: bool) -> None:
        # For a child, the kernel reports the death of its parent when the thread that forked it ends.
        parent = os.getpid() if threading.current_thread() is threading.main_thread() else None
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            inherited = [*self.workers, ours] if inherits else []
            process = context.Process(target=_serve, args=(*functions, theirs, inherited, parent), daemon=True)
            process.start()
            theirs.close()
            self.workers[ours] = process

    def run(self, chunks: Iterable[Any]) -> Iterator[Any]:
        from multiprocessing.connection import wait

        numbered = enumerate(chunks)
        idle, busy = list(self.workers), dict["Connection", int]()
        done: dict[int, Any] = {}

        def feed() -> None:
            while idle and len(done) < _AHEAD * len(self.workers):
                number, chunk = next(numbered, (None, None))
                if number is None:
                    return
                idle[-1].send(chunk)
                busy[idle.pop()] = number

        turn = 0
        while True:
            feed()
            if not busy:
                return
            ready: Sequence[Any] = wait(list(busy))
            for pipe in ready:
                done[busy.pop(pipe)] = self._receive(pipe)
                idle.append(pipe)
            feed()  # before the caller uses the results, so that no worker waits for it
            while turn in done:
                yield done.pop(turn)
                turn += 1

    def pause(self) -> Iterator[Any]:
        for pipe in self.workers:
            with suppress(OSError):  # the worker has died; `_receive` says so
                pipe.send(None)
        yield from map(self._receive, self.workers)

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

    def _receive(self, pipe: "Connection") -> Any:
        try:
            reply: Reply = pipe.recv()
        except (EOFError, OSError):
            process = self.workers[pipe]
            process.join()
            raise UserError(
                f"a worker process died (exit code {process.exitcode}); the rows before it are whole; try -j 1"
            ) from None
        return reply.unwrap()


def _serve(
    work: Callable[[Any], Any],
    pause: Callable[[], Any],
    finish: Callable[[], None],
    pipe: "Connection",
    inherited: Sequence["Connection"],
    parent: int | None,
) -> None:
    signal.signal(signal.SIGINT, lambda *_: None)  # judges inherit an ignored signal, but not this handler
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # so that `finish` is called
    for other in inherited:
        other.close()
    if parent is not None:
        orphans.end_with_parent(parent)
    try:
        while True:
            chunk = pipe.recv()
            pipe.send(attempt(lambda _: pause(), None) if chunk is None else attempt(work, chunk))
    except (EOFError, OSError):  # the parent has left, or is about to end this process
        return
    finally:
        finish()
