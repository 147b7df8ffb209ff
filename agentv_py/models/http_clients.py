"""Requests → responses of HTTP clients, each of which sends one request at a time."""

import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Self

from agentv_py.errors import UserError

if TYPE_CHECKING:
    import httpx


class HttpClients:
    """HTTP clients, each of which sends one request at a time: a client's own pool looks at every connection each time.

    A client opens with the first request that needs it. That raises UserError where the environment names proxies or
    certificates that cannot be used.
    """

    def __init__(self) -> None:
        self._idle: list[httpx.AsyncClient] = []
        self._opened: list[httpx.AsyncClient] = []

    def make_ready(self) -> None:
        """Open a client unless one is idle, so that the next request does not wait for it."""
        if not self._idle:
            self._idle.append(self._open())

    @asynccontextmanager
    async def send(self, request: "httpx.Request") -> "AsyncIterator[httpx.Response]":
        """Yield the response; its body is read from the connection while the context lasts."""
        client = self._idle.pop() if self._idle else self._open()
        response = None
        try:
            response = await client.send(request, stream=True)
            yield response
        finally:
            if response is not None:
                await response.aclose()
            self._idle.append(client)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for client in self._opened:
            await client.aclose()

    def _open(self) -> "httpx.AsyncClient":
        self._opened.append(_open_client())
        return self._opened[-1]


def _open_client() -> "httpx.AsyncClient":
    import httpx

    try:
        return httpx.AsyncClient(verify=_load_certificates(), timeout=None)  # noqa: S113  each request has its own
    except (OSError, ValueError, ImportError, httpx.InvalidURL) as error:
        what = f"models cannot be asked with the proxies and certificates that the environment names: {error}"
        raise UserError(what) from None


@lru_cache(maxsize=1)
def _load_certificates() -> ssl.SSLContext:
    """Build the context once: reading the certificates takes longer than asking a model in the same network."""
    import httpx

    return httpx.create_ssl_context()
