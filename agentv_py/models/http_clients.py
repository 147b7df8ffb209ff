"""HTTP requests → their responses, over connections that are used again, each by one request at a time."""

import ssl
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, NamedTuple, Self

from agentv_py.errors import UserError

if TYPE_CHECKING:
    import httpx

    from agentv_py.models.connection import Connection


class HttpRequest(NamedTuple):
    """One request, to one server."""

    method: str
    url: "httpx.URL"
    headers: Mapping[str, str]
    body: bytes | None


class HttpResponse(NamedTuple):
    status: int
    headers: Mapping[str, str]
    """By name in lower case."""
    parts: AsyncIterator[bytes]
    """The body, decompressed, as it arrives."""


class HttpClients:
    """Connections to servers. Where the environment names proxies, a client of httpx, which knows how to use them.

    An environment that names proxies or certificates that cannot be used raises UserError.
    """

    def __init__(self) -> None:
        self._idle: defaultdict[tuple[str, str], list[Connection]] = defaultdict(list)
        """By scheme and server: those that carry no request now."""

    def make_ready(self, url: str) -> None:
        """Load what a request needs: the time that this takes is not the service's."""
        _ = self._client if self._has_proxies else self._connect
        if url.startswith("https:"):
            load_certificates()

    @asynccontextmanager
    async def send(self, request: HttpRequest) -> AsyncIterator[HttpResponse]:
        """Yield the response; its body is read from the connection while the context lasts."""
        if self._has_proxies:
            async with self._send_by_client(request) as response:
                yield response
            return
        connection = await self._take_idle(request.url) or await self._open(request.url)
        try:
            yield await connection.send(request)
        finally:
            if connection.is_reusable():
                self._idle[_identify(request.url)].append(connection)
            else:
                await connection.aclose()

    @asynccontextmanager
    async def _send_by_client(self, request: HttpRequest) -> AsyncIterator[HttpResponse]:
        import httpx

        method, url, headers, body = request
        sent = httpx.Request(method, url, headers=headers, content=body)  # the client would add headers and cookies
        response = await self._client.send(sent, stream=True)
        try:
            yield HttpResponse(response.status_code, dict(response.headers), response.aiter_bytes())
        finally:
            await response.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for connections in self._idle.values():
            for connection in connections:
                await connection.aclose()
        if "_client" in vars(self):
            await self._client.aclose()

    async def _take_idle(self, url: "httpx.URL") -> "Connection | None":
        idle = self._idle[_identify(url)]
        while idle:
            connection = idle.pop()
            if connection.is_reusable():
                return connection
            await connection.aclose()
        return None

    async def _open(self, url: "httpx.URL") -> "Connection":
        return await self._connect(url, load_certificates() if url.scheme == "https" else None)

    @cached_property
    def _connect(self) -> "Callable[[httpx.URL, ssl.SSLContext | None], Awaitable[Connection]]":
        from agentv_py.models.connection import connect

        return connect

    @cached_property
    def _has_proxies(self) -> bool:
        from urllib.request import getproxies

        return not getproxies().keys().isdisjoint(("http", "https", "all"))

    @cached_property
    def _client(self) -> "httpx.AsyncClient":
        import httpx

        limits = httpx.Limits(max_connections=None, max_keepalive_connections=None)
        try:
            # Each request has a timeout of its own.
            return httpx.AsyncClient(verify=load_certificates(), limits=limits, timeout=None)  # noqa: S113  as above
        except (ValueError, ImportError, httpx.InvalidURL) as error:
            raise _build_error(error) from None


def _identify(url: "httpx.URL") -> tuple[str, str]:
    return url.scheme, url.netloc.decode("ascii")


@lru_cache(maxsize=1)
def load_certificates() -> ssl.SSLContext:
    """Build the context once: reading the certificates takes longer than asking a model in the same network."""
    import httpx

    try:
        context = httpx.create_ssl_context()
    except OSError as error:
        raise _build_error(error) from None
    context.set_alpn_protocols(["http/1.1"])
    return context


def _build_error(error: Exception) -> UserError:
    what = f"models cannot be asked with the proxies and certificates that the environment names: {error}"
    return UserError(what)
