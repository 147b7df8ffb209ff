"""A line for a process that serves many cases → its answer. The loop waits for it; what blocks runs in a thread."""

import asyncio
import time
from functools import partial

from agentv_py.process.child import ProcessResult
from agentv_py.process.persistent import PersistentProcess
from agentv_py.targets.calls import run_in_thread


async def ask_program(persistent: PersistentProcess, line: bytes, timeout: float) -> ProcessResult:  # noqa: ASYNC109  it is the program's
    """Ask as `persistent.ask` does. An answer that comes in one piece needs no thread, which costs more than it."""
    readable = persistent.begin(line, timeout)
    if readable is None:
        return await run_in_thread(partial(persistent.ask, line, timeout))
    deadline = time.monotonic() + timeout
    try:
        await _wait_until_readable(readable, timeout)
        has_answer = persistent.has_answer()
    except BaseException:
        persistent.kill()  # the run ends; nobody else knows that a question is open
        raise
    if has_answer:
        return persistent.finish(deadline)
    return await run_in_thread(partial(persistent.finish, deadline))


async def _wait_until_readable(descriptor: int, seconds: float) -> None:
    """Wait until there is something to read, or the time is over."""
    loop = asyncio.get_running_loop()
    woken = loop.create_future()

    def wake() -> None:
        if not woken.done():
            woken.set_result(None)

    timer = loop.call_later(seconds, wake)
    loop.add_reader(descriptor, wake)
    try:
        await woken
    finally:
        loop.remove_reader(descriptor)
        timer.cancel()
