"""A Python function and an input → its result, without blocking the loop: a sync function runs in a thread."""

import asyncio
import inspect
import os
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from contextvars import copy_context
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar

Function = Callable[[Any], Any] | Callable[[Any], Awaitable[Any]]
Result = TypeVar("Result")


async def call_function(function: Function, value: Any) -> Any:
    """Await an async function; run a sync one in a thread, where it may run a loop of its own."""
    if inspect.iscoroutinefunction(function):
        return await _contain(function(value))
    result = await run_in_thread(partial(copy_context().run, function, value))
    return await _contain(result) if inspect.isawaitable(result) else result


async def _contain(result: Awaitable[Any]) -> Any:
    """Await the user's code. What would end the loop, and with it every other call, is an error of this call only."""
    try:
        return await result
    except (asyncio.CancelledError, SystemExit, KeyboardInterrupt) as error:
        task = asyncio.current_task()
        if isinstance(error, asyncio.CancelledError) and task is not None and task.cancelling():
            raise  # it is the loop that cancels
        raise RuntimeError(repr(error)) from None


def run_in_thread(work: Callable[[], Result]) -> "asyncio.Future[Result]":
    """Run the work in a thread that does nothing else meanwhile. It never keeps the program from ending."""
    loop = asyncio.get_running_loop()
    future: asyncio.Future[Result] = loop.create_future()

    def settle(set_outcome: Callable[[Any], None], outcome: Any) -> None:
        if not future.done():
            set_outcome(outcome)

    def run() -> None:
        try:
            settled = (future.set_result, work())
        except BaseException as error:  # noqa: BLE001  the loop raises it
            # A future refuses StopIteration, and an exit of a thread is not an exit of the program.
            cause = error if isinstance(error, Exception) and not isinstance(error, StopIteration) else None
            settled = (future.set_exception, cause or RuntimeError(repr(error)))  # type: ignore[assignment]
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(settle, *settled)

    _find_idle_thread().put(run)
    return future


_idle: dict[int, "deque[SimpleQueue[Callable[[], None]]]"] = {}
"""By process, because a fork inherits this table but no threads: the queues of threads that wait for work."""


def _find_idle_thread() -> "SimpleQueue[Callable[[], None]]":
    try:
        return _idle[os.getpid()].pop()
    except (KeyError, IndexError):
        queue: SimpleQueue[Callable[[], None]] = SimpleQueue()
        threading.Thread(target=_work, args=(queue,), daemon=True).start()
        return queue


def _work(queue: "SimpleQueue[Callable[[], None]]") -> None:
    waiting = _idle.setdefault(os.getpid(), deque())
    while True:
        queue.get()()
        waiting.append(queue)
