"""Cases, and a function from input to candidate → the cases with their candidates."""

import asyncio
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextvars import copy_context
from typing import Any

from agentv_py.case import Case
from agentv_py.targets.calls import Function, call_function
from agentv_py.targets.python_value import to_json


def fill_candidates(
    cases: Sequence[Case],
    executor: Function,
    concurrency: int = 8,
    advance: Callable[[int], None] = lambda _cases: None,
) -> dict[str, Exception]:
    """Set the candidate of every case. Return the exceptions of those that failed, by case id."""
    failures: dict[str, Exception] = {}
    for case, outcome in zip(cases, _call_all(cases, executor, concurrency, advance), strict=True):
        case.candidates = None  # the executor's candidate replaces a recorded one
        try:
            if isinstance(outcome, BaseException):
                raise outcome  # noqa: TRY301  both kinds of failure take the same path
            case.candidate = to_json(outcome)
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  it becomes an errored case
            failures[case.id] = error if isinstance(error, Exception) else RuntimeError(repr(error))
            case.candidate = None
    return failures


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
