"""Cases and a function from input to answer → their candidates."""

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from agentv_py import jsontext
from agentv_py.case import Case

Executor = Callable[[Any], Any] | Callable[[Any], Awaitable[Any]]

_AT_ONCE = 8


def answer(cases: list[Case], executor: Executor) -> dict[str, Exception]:
    """Fill in every candidate; the exceptions of those that failed, by id."""
    # A thread of its own, because the caller may be inside a running loop.
    with ThreadPoolExecutor(1) as thread:
        found: list[Any] = thread.submit(lambda: asyncio.run(_gathered(cases, executor))).result()
    failures: dict[str, Exception] = {}
    for case, answer in zip(cases, found, strict=True):
        case.candidates = None  # what is recorded gives way to the answer, be it one or several
        try:
            if isinstance(answer, BaseException):
                raise answer  # noqa: TRY301  so that both ways to fail end alike
            case.candidate = jsontext.as_json(answer)
        except (Exception, asyncio.CancelledError) as error:  # noqa: BLE001  it becomes an errored case
            failures[case.id] = error if isinstance(error, Exception) else RuntimeError(repr(error))
            case.candidate = None
    return failures


async def _gathered(cases: list[Case], executor: Executor) -> list[Any]:
    """Every answer, or the exception in its place. What is awaitable is awaited, several at once."""
    places = asyncio.Semaphore(_AT_ONCE)

    async def answered(case: Case) -> Any:
        async with places:
            said = executor(case.input)
            return await said if inspect.isawaitable(said) else said

    return await asyncio.gather(*map(answered, cases), return_exceptions=True)
