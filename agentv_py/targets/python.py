"""Cases and a function from input to answer → their candidates."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

from agentv_py.case import Case
from agentv_py.targets.python_value import as_json

Executor = Callable[[Any], Any] | Callable[[Any], Awaitable[Any]]

_AT_ONCE = 8


def answer(cases: list[Case], executor: Executor) -> dict[str, Exception]:
    """Fill in every candidate; the exceptions of those that failed, by id."""
    # A thread of its own, because the caller may be inside a running loop; in it, the caller's context variables.
    with ThreadPoolExecutor(1) as thread:
        found = thread.submit(copy_context().run, _answers, cases, executor).result()
    failures: dict[str, Exception] = {}
    for case, answer in zip(cases, found, strict=True):
        case.candidates = None  # what is recorded gives way to the answer, be it one or several
        try:
            if isinstance(answer, BaseException):
                raise answer  # noqa: TRY301  so that both ways to fail end alike
            case.candidate = as_json(answer)
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  it becomes an errored case
            failures[case.id] = error if isinstance(error, Exception) else RuntimeError(repr(error))
            case.candidate = None
    return failures


def _answers(cases: list[Case], executor: Executor) -> list[Any]:
    """Every answer, or the exception in its place. No loop runs during the calls, so that they may run their own."""
    said = [_said(executor, case.input) for case in cases]
    return asyncio.run(_awaited(said)) if any(map(inspect.isawaitable, said)) else said


def _said(executor: Executor, given: Any) -> Any:
    try:
        return executor(given)
    except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  it becomes an errored case
        return error


async def _awaited(said: list[Any]) -> list[Any]:
    """What is awaitable is awaited, several at once."""
    places = asyncio.Semaphore(_AT_ONCE)

    async def answered(one: Any) -> Any:
        if not inspect.isawaitable(one):
            return one
        async with places:
            return await one

    return await asyncio.gather(*map(answered, said), return_exceptions=True)
