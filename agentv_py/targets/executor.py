"""Cases, and a function from input to candidate → the cases with their candidates."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

from agentv_py.case import Case
from agentv_py.targets.python_value import to_json

Executor = Callable[[Any], Any] | Callable[[Any], Awaitable[Any]]

_MAX_CONCURRENCY = 8


def fill_candidates(cases: list[Case], executor: Executor) -> dict[str, Exception]:
    """Set the candidate of every case. Return the exceptions of those that failed, by case id."""
    # A thread of its own, because the caller may be inside a running loop. It has the caller's context variables.
    with ThreadPoolExecutor(1) as thread:
        outcomes = thread.submit(copy_context().run, _call_all, cases, executor).result()
    failures: dict[str, Exception] = {}
    for case, outcome in zip(cases, outcomes, strict=True):
        case.candidates = None  # the executor's candidate replaces a recorded one
        try:
            if isinstance(outcome, BaseException):
                raise outcome  # noqa: TRY301  both kinds of failure take the same path
            case.candidate = to_json(outcome)
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  it becomes an errored case
            failures[case.id] = error if isinstance(error, Exception) else RuntimeError(repr(error))
            case.candidate = None
    return failures


def _call_all(cases: list[Case], executor: Executor) -> list[Any]:
    """Return every candidate, or the exception instead. No loop runs during the calls, so they may run their own."""
    outcomes = [_call(executor, case.input) for case in cases]
    return asyncio.run(_await_all(outcomes)) if any(map(inspect.isawaitable, outcomes)) else outcomes


def _call(executor: Executor, case_input: Any) -> Any:
    try:
        return executor(case_input)
    except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  it becomes an errored case
        return error


async def _await_all(outcomes: list[Any]) -> list[Any]:
    """Await the outcomes that are awaitable, several at once."""
    limit = asyncio.Semaphore(_MAX_CONCURRENCY)

    async def settle(outcome: Any) -> Any:
        if not inspect.isawaitable(outcome):
            return outcome
        async with limit:
            return await outcome

    return await asyncio.gather(*map(settle, outcomes), return_exceptions=True)
