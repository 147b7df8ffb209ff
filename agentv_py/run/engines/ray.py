"""Chunks of work → their results in order, in actors on the nodes of a Ray cluster."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from agentv_py.errors import UserError
from agentv_py.run.engines import Chunk, Recovery, Result, Unread
from agentv_py.run.engines.cluster import connect
from agentv_py.run.engines.tasks import Task, Tasks
from agentv_py.run.engines.work import Reply, attempt, split_at_pauses

# The most results per actor that wait in memory behind a slow chunk.
_AHEAD = 4
# How often a case runs alone whose actors die. A lost node takes all of its actors along.
_TRIES = 3
# Seconds within which a cluster must offer a processor.
_PATIENCE = 60.0
# Seconds in which actors may end their judges.
_FAREWELL = 10.0


def run(
    work: Callable[[Chunk], Result],
    chunks: Iterable[Chunk | None],
    jobs: int,
    finish: Callable[[], None] = lambda: None,
    pause: Callable[[], Result] | None = None,
    recovery: Recovery | None = None,
    *,
    sends_ahead: bool = False,  # noqa: ARG001  as every engine; an actor has one chunk at a time
    address: str | None = None,
) -> Iterator[Result]:
    """Work as an `Engine` does, in as many actors as there are jobs and processors in the cluster.

    Without an address the cluster is this machine, and Ray is started on it.
    """
    connect(address)
    pool = _Pool((work, pause, finish), jobs, recovery)
    try:
        for stretch in split_at_pauses(chunks):
            yield from pool.run(stretch)
            if pause is not None:
                yield from pool.pause()
    finally:
        pool.stop()
        finish()


class _Worker:
    """The class of the actors. An actor keeps the suite, its judges and its models for many chunks."""

    def __init__(self, functions: Sequence[Any], folder: str) -> None:
        self._work, self._pause, self._finish = functions
        with suppress(OSError):  # a node without this folder can score, but has no judges and no files
            os.chdir(folder)

    def start(self) -> int:
        """Return the pid when the actor is there."""
        return os.getpid()

    def work(self, chunk: Any) -> Reply:
        return attempt(self._work, chunk)

    def pause(self) -> Reply:
        return attempt(lambda _: self._pause(), None)

    def finish(self) -> None:
        self._finish()


class _Actor:
    """An actor, and what is known about it."""

    def __init__(self, handle: Any) -> None:
        self.handle = handle
        self.pid = 0
        self.reads_files = True
        """Whether it can read the files that chunks name. It cannot if the machines share no folder."""


class _Pool:
    """Actors, each with one chunk at a time. When an actor dies, its chunk goes to another one."""

    def __init__(self, functions: Sequence[Any], jobs: int, recovery: Recovery | None) -> None:
        import ray

        self._ray: Any = ray
        self._lost = (ray.exceptions.RayActorError, ray.exceptions.ObjectLostError)
        self._make = self._ray.remote(num_cpus=1, max_restarts=0)(_Worker).remote
        self._arguments = (ray.put(functions), str(Path.cwd()))
        self._recovery = recovery
        self._starting, self._idle = dict[Any, _Actor](), list[_Actor]()
        self._busy = dict[Any, tuple[_Actor, Task]]()
        self._dead: list[Any] = []
        """Results that tell of actors that have died."""
        for _ in range(max(1, min(jobs, int(self._ray.cluster_resources().get("CPU", 1))))):
            self._start_actor()

    def run(self, chunks: Iterable[Any]) -> Iterator[Any]:
        tasks = Tasks(chunks, self._recovery, _TRIES)
        while True:
            self._submit(tasks)
            yield from tasks.list_ready()
            if not self._busy and tasks.is_done() and self._idle:
                return
            for reference in self._wait():
                if reference in self._starting:
                    self._finish_start(reference)
                else:
                    self._receive(reference, tasks)
            dead, self._dead = self._dead, []
            yield from dead

    def pause(self) -> Iterator[Any]:
        references = {actor.handle.pause.remote(): actor for actor in self._idle}
        for reference, actor in references.items():
            try:
                yield self._ray.get(reference).unwrap()
            except self._lost:
                self._idle.remove(actor)
                self._replace(actor)
        dead, self._dead = self._dead, []
        yield from dead

    def stop(self) -> None:
        references = [actor.handle.finish.remote() for actor in self._idle]
        with suppress(*self._lost):
            if references:
                self._ray.wait(references, num_returns=len(references), timeout=_FAREWELL)
        actors = [*self._idle, *self._starting.values(), *(actor for actor, _ in self._busy.values())]
        for actor in actors:
            self._ray.kill(actor.handle)

    def _start_actor(self) -> None:
        actor = _Actor(self._make(*self._arguments))
        self._starting[actor.handle.start.remote()] = actor

    def _finish_start(self, reference: Any) -> None:
        actor = self._starting.pop(reference)
        try:
            actor.pid = self._ray.get(reference)
        except self._lost:
            self._start_actor()
        else:
            self._idle.append(actor)

    def _replace(self, actor: _Actor) -> None:
        """Start another actor for one that has died."""
        if self._recovery is not None and self._recovery.report_death is not None:
            self._dead.append(self._recovery.report_death(actor.pid))
        self._start_actor()

    def _submit(self, tasks: Tasks) -> None:
        """Give each idle actor a task, unless too many results wait."""
        most_waiting = _AHEAD * (len(self._idle) + len(self._busy))
        while self._idle:
            task = tasks.take(most_waiting)
            if task is None:
                return
            actor = self._idle[-1]
            if not actor.reads_files and (task := self._ship(task, tasks)) is None:
                continue
            self._idle.pop()
            self._busy[actor.handle.work.remote(task.chunk)] = (actor, task)

    def _receive(self, reference: Any, tasks: Tasks) -> None:
        """Take the reply of an actor, or the task of one that has died."""
        actor, task = self._busy.pop(reference)
        try:
            reply: Reply = self._ray.get(reference)
        except self._lost:
            tasks.recover(task, "died")
            self._replace(actor)
            return
        self._idle.append(actor)
        result = reply.unwrap()
        if isinstance(result, Unread):
            actor.reads_files = False
            if (shipped := self._ship(task, tasks)) is not None:
                tasks.retry(shipped)
        else:
            tasks.finish(task, result)

    def _ship(self, task: Task, tasks: Tasks) -> Task | None:
        """Return the task with what its file holds; None if the file cannot be read, which is then the result."""
        try:
            ship = None if self._recovery is None else self._recovery.ship
            return task if ship is None else task._replace(chunk=ship(task.chunk))
        except UserError:
            tasks.finish(task, Unread(task.chunk))
            return None

    def _wait(self) -> list[Any]:
        """Wait until an actor has started or has replied."""
        references = [*self._busy, *self._starting]
        ready, _ = self._ray.wait(references, timeout=None if self._busy else _PATIENCE)
        if not ready:
            raise UserError(f"the Ray cluster offered no processor within {_PATIENCE:.0f} seconds")
        return list(ready)
