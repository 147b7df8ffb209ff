"""Chunks of work → their results in order, in actors on the nodes of a Ray cluster."""

import logging
import os
import signal
import socket
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from agentv_py.errors import UserError
from agentv_py.process import orphans
from agentv_py.run.engines import Chunk, Recovery, Result
from agentv_py.run.engines.work import Reply, attempt, split_at_pauses

# The most results per actor that wait in memory behind a slow chunk.
_AHEAD = 4
# How often a chunk runs whose actors die. A lost node takes all of its actors along.
_TRIES = 3
# Seconds within which a cluster must offer a processor.
_PATIENCE = 60.0
# Seconds within which the address of a cluster must accept a connection.
_KNOCK = 5.0
# Seconds in which actors may end their judges.
_FAREWELL = 10.0


def run(
    work: Callable[[Chunk], Result],
    chunks: Iterable[Chunk | None],
    jobs: int,
    finish: Callable[[], None] = lambda: None,
    pause: Callable[[], Result] | None = None,
    recovery: Recovery | None = None,  # noqa: ARG001  lost machines say nothing about the cases on them
    *,
    address: str | None = None,
) -> Iterator[Result]:
    """Work as an `Engine` does, in as many actors as there are jobs and processors in the cluster.

    Without an address the cluster is this machine, and Ray is started on it.
    """
    connect(address)
    pool = _Pool((work, pause, finish), jobs)
    try:
        for stretch in split_at_pauses(chunks):
            yield from pool.run(stretch)
            if pause is not None:
                yield from pool.pause()
    finally:
        pool.stop()
        finish()


def connect(address: str | None) -> None:
    """Connect this process to the cluster, unless it is connected. Ray disconnects when the process ends."""
    if find_spec("ray") is None:
        raise UserError("--engine ray needs Ray: pip install 'agentv-py[ray]'")
    if address is None:
        _protect_cluster()
    else:
        _check_address(address)
    import ray

    if ray.is_initialized():
        return
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    quiet: dict[str, Any] = {"log_to_driver": False, "configure_logging": False, "logging_level": logging.CRITICAL}
    with _keep_signal_handlers():
        try:
            if address is None:
                ray.init(address="local", include_dashboard=False, **quiet)
            else:
                ray.init(address=address, **quiet)
        except Exception as error:  # noqa: BLE001  Ray raises errors of many libraries here
            where = (
                "Ray cannot be started on this machine" if address is None else f"--address {address}: no Ray cluster"
            )
            raise UserError(f"{where}: {_read_first_line(error)}") from None
    orphans.claim_children()  # the processes of Ray are no orphans of a judge


def _check_address(address: str) -> None:
    """Raise a UserError if nobody listens there. Ray itself tries for more than a minute, deaf to signals."""
    parts = urlsplit(address if "://" in address else f"//{address}")
    try:
        if parts.hostname is None or parts.port is None:
            raise UserError(f"--address {address!r}: write HOST:PORT, as `ray start` prints it")
        socket.create_connection((parts.hostname, parts.port), timeout=_KNOCK).close()
    except (OSError, ValueError) as error:
        raise UserError(f"--address {address}: no Ray cluster: {error}") from None


def _protect_cluster() -> None:
    """Let a new cluster accept this run only, write no token into the user's home, and report nothing to its makers.

    Ray reads the environment when it is imported.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    if "RAY_AUTH_MODE" not in os.environ:
        os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": os.urandom(32).hex()}


@contextmanager
def _keep_signal_handlers() -> Iterator[None]:
    """Ray replaces the handler of SIGTERM, and the exit code of the process with it."""
    numbers = (signal.SIGINT, signal.SIGTERM) if threading.current_thread() is threading.main_thread() else ()
    handlers = {number: signal.getsignal(number) for number in numbers}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


class _Worker:
    """The class of the actors. An actor keeps the suite, its judges and its models for many chunks."""

    def __init__(self, functions: Sequence[Any], folder: str) -> None:
        self._work, self._pause, self._finish = functions
        with suppress(OSError):  # a node without this folder can score, but has no judges and no files
            os.chdir(folder)

    def start(self) -> None:
        """Return when the actor is there."""

    def work(self, chunk: Any) -> Reply:
        return attempt(self._work, chunk)

    def pause(self) -> Reply:
        return attempt(lambda _: self._pause(), None)

    def finish(self) -> None:
        self._finish()


class _Task(NamedTuple):
    number: int
    chunk: Any
    tries: int = 1


class _Pool:
    """Actors, each with one chunk at a time. When an actor dies, its chunk goes to another one."""

    def __init__(self, functions: Sequence[Any], jobs: int) -> None:
        import ray

        self._ray: Any = ray
        self._lost = (ray.exceptions.RayActorError, ray.exceptions.ObjectLostError)
        self._make = self._ray.remote(num_cpus=1, max_restarts=0)(_Worker).remote
        self._arguments = (ray.put(functions), str(Path.cwd()))
        self._starting, self._idle = dict[Any, Any](), list[Any]()
        self._busy = dict[Any, tuple[Any, _Task]]()
        for _ in range(max(1, min(jobs, int(self._ray.cluster_resources().get("CPU", 1))))):
            self._start_actor()

    def run(self, chunks: Iterable[Any]) -> Iterator[Any]:
        new = (_Task(number, chunk) for number, chunk in enumerate(chunks))
        again, done, turn = deque[_Task](), dict[int, Reply](), 0
        while True:
            self._submit(again, new, room=_AHEAD * (len(self._idle) + len(self._busy)) - len(done))
            if not self._busy and not again and self._idle:
                return
            for reference in self._wait():
                if reference in self._starting:
                    self._finish_start(reference)
                elif (reply := self._receive(reference, again)) is not None:
                    done[reply[0]] = reply[1]
            while turn in done:
                yield done.pop(turn).unwrap()
                turn += 1

    def pause(self) -> Iterator[Any]:
        references = [actor.pause.remote() for actor in self._idle]
        for reference in references:
            with suppress(*self._lost):
                yield self._ray.get(reference).unwrap()

    def stop(self) -> None:
        references = [actor.finish.remote() for actor in self._idle]
        with suppress(*self._lost):
            if references:
                self._ray.wait(references, num_returns=len(references), timeout=_FAREWELL)
        actors = [*self._idle, *self._starting.values(), *(actor for actor, _ in self._busy.values())]
        for actor in actors:
            self._ray.kill(actor)

    def _start_actor(self) -> None:
        actor = self._make(*self._arguments)
        self._starting[actor.start.remote()] = actor

    def _finish_start(self, reference: Any) -> None:
        actor = self._starting.pop(reference)
        try:
            self._ray.get(reference)
        except self._lost:
            self._start_actor()
        else:
            self._idle.append(actor)

    def _submit(self, again: deque[_Task], new: Iterator[_Task], room: int) -> None:
        while self._idle and room > len(self._busy):
            task = again.popleft() if again else next(new, None)
            if task is None:
                return
            actor = self._idle.pop()
            self._busy[actor.work.remote(task.chunk)] = (actor, task)

    def _receive(self, reference: Any, again: deque[_Task]) -> tuple[int, Reply] | None:
        """Return the number of the chunk and the reply; None if the actor has died."""
        actor, task = self._busy.pop(reference)
        try:
            reply = self._ray.get(reference)
        except self._lost as error:
            if task.tries == _TRIES:
                reason = f"{_TRIES} workers died, one after the other, at the same cases: {_read_first_line(error)}"
                raise UserError(f"{reason}; the rows before them are whole") from None
            again.append(task._replace(tries=task.tries + 1))
            self._start_actor()
            return None
        self._idle.append(actor)
        return task.number, reply

    def _wait(self) -> list[Any]:
        """Wait until an actor has started or has replied."""
        references = [*self._busy, *self._starting]
        ready, _ = self._ray.wait(references, timeout=None if self._busy else _PATIENCE)
        if not ready:
            raise UserError(f"the Ray cluster offered no processor within {_PATIENCE:.0f} seconds")
        return list(ready)


def _read_first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
