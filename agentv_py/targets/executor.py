"""Cases, and a function from input to candidate → the cases with their candidates."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from typing import Any

from agentv_py.case import ABSENT, Case
from agentv_py.targets.calls import Function, call_function
from agentv_py.targets.python_value import to_json


def fill_candidates(
    cases: Sequence[Case],
    executor: Function,
    concurrency: int = 8,
    advance: Callable[[int], None] = lambda _cases: None,
) -> list[Case]:
    """Set the candidate of every case. Return the cases whose call failed: each has its failure, and no candidate."""
    failed: list[Case] = []
    for case, outcome in zip(cases, _call_all(cases, executor, concurrency, advance), strict=True):
        case.candidates = None  # the executor's candidate replaces a recorded one
        why = ""
        if isinstance(outcome, Exception | asyncio.CancelledError):
            why = f"the executor raised {': '.join(filter(None, (type(outcome).__name__, str(outcome))))}"
        elif isinstance(outcome, BaseException):
            raise outcome
        else:
            try:
                case.candidate = to_json(outcome)
            except Exception as error:  # noqa: BLE001  the methods of the user's objects may raise anything
                why = f"the executor's answer cannot be used: {error}"
        if why:
            case.candidate, case.failure = ABSENT, ("executor", why)
            failed.append(case)
    return failed


def _call_all(cases: Sequence[Case], executor: Function, concurrency: int, advance: Callable[[int], None]) -> list[Any]:
    """Return every candidate, or the exception instead, from a loop in a thread: the caller may have its own loop.

    The thread has the caller's context variables, and ends with the program if the caller is interrupted.
    """
    outcomes: Future[list[Any]] = Future()
    context = copy_context()

    def run() -> None:
        try:
            outcomes.set_result(context.run(asyncio.run, _await_all(cases, executor, concurrency, advance)))
        except BaseException as error:  # noqa: BLE001  the caller's thread raises it
            outcomes.set_exception(error)

    threading.Thread(target=run, daemon=True).start()
    return outcomes.result()


async def _await_all(
    cases: Sequence[Case], executor: Function, concurrency: int, advance: Callable[[int], None]
) -> list[Any]:
    limit = asyncio.Semaphore(concurrency)

    async def call(case: Case) -> Any:
        async with limit:
            try:
                return await call_function(executor, case.input)
            finally:
                advance(1)

    return await asyncio.gather(*map(call, cases), return_exceptions=True)
