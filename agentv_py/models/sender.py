"""Attempts → an answer: within the pace and the budget, several at once, tried again if that can help.

It knows nothing of models: an attempt may be an HTTP request, a program or a function.
"""

import asyncio
from collections.abc import Awaitable, Callable
from itertools import count
from typing import TypeVar

from agentv_py.models.exchange import Request, RequestError, Response, Service, exchange
from agentv_py.models.http_clients import HttpClients
from agentv_py.models.policy import CallPolicy
from agentv_py.models.retry import compute_wait, read_retry_after

_TRANSIENT = ("rate_limit", "timeout", "server", "connection")
"""Kinds of errors after which the same request may succeed later."""

Result = TypeVar("Result")


class OutOfBudget(Exception):  # noqa: N818  it is a state of the run, not a fault
    """No further request may be sent; requests under way are finished."""


class Sender:
    def __init__(self, http: HttpClients, policy: CallPolicy) -> None:
        self.http = http
        self.policy = policy
        self._limits: dict[str, asyncio.Semaphore] = {}

    async def retry(self, service: Service, attempt: Callable[[], Awaitable[Result]]) -> Result:
        """Try until an attempt succeeds or no further attempt is allowed. Raises RequestError and OutOfBudget."""
        async with self._get_limit(service):
            malformed = False
            for number in count():
                try:
                    return await attempt()
                except RequestError as error:
                    if error.kind == "malformed":
                        again, malformed = not malformed, True
                    else:
                        again = error.kind in _TRANSIENT and number < service.retries
                    if not again:
                        raise
                    _refuse_long_wait(service, error)
                    wait = compute_wait(number, service.backoff, error.retry_after)
                await asyncio.sleep(wait)
        raise AssertionError("attempts end with a result or an error")

    def _get_limit(self, service: Service) -> asyncio.Semaphore:
        name = f"{service.url} {service.max_concurrency}"
        limit = self._limits.get(name)
        if limit is None:
            limit = self._limits[name] = asyncio.Semaphore(service.max_concurrency)
        return limit

    async def admit(self, service: Service) -> None:
        """Wait until the pace allows another attempt, and count it. Raises OutOfBudget."""
        await self.policy.pace(service.url, service.requests_per_minute)
        if not self.policy.spending.admit_call():
            raise OutOfBudget

    async def send(self, service: Service, request: Request) -> Response:
        """Send a request once, and return the response of a success. Raises RequestError and OutOfBudget."""
        await self.admit(service)
        return await exchange(self.http, service, request)


def _refuse_long_wait(service: Service, error: RequestError) -> None:
    """Raise a RequestError if the service asks for a longer wait than its timeout."""
    wait = read_retry_after(error.retry_after)
    if wait is not None and wait > service.timeout:
        reason = f"it asks to wait {wait:.4g} seconds, longer than the timeout of {service.timeout:g}"
        raise RequestError(error.kind, f"{error}; {reason}", error.retry_after, error.status, error.response) from None
