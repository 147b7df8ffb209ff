"""HTTP requests, one after the other → their responses, over one connection to a server."""

import asyncio
import os
import ssl
import time
from collections.abc import AsyncIterator, Iterable
from typing import Self, cast

import h11
import httpx

from agentv_py.models.http_clients import HttpRequest, HttpResponse

_MOST_HEAD_BYTES = 100 * 1024
# A server may close a connection that is idle for longer, and its message of that may still be under way.
_MOST_IDLE_SECONDS = 5.0
# How long an address may take before the next one of the same host is tried beside it.
_NEXT_ADDRESS_SECONDS = 0.25


class Connection(asyncio.Protocol):
    """A connection to one server, which carries one request at a time."""

    def __init__(self) -> None:
        self._state = h11.Connection(h11.CLIENT, max_incomplete_event_size=_MOST_HEAD_BYTES)
        self._transport = asyncio.Transport()
        self._arrival: asyncio.Future[None] | None = None
        """Done when something arrives; None while nobody waits for it."""
        self.end: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the connection is closed, by either side."""
        self._loss = ""
        """Why no further part of a response arrives, in other words than those of the protocol."""
        self._idle_since = time.monotonic()

    async def send(self, request: HttpRequest) -> HttpResponse:
        """Send a request, and return its response, whose body is still to be read. Raises OSError."""
        self._loss = "the connection was closed without a response"
        self._transport.write(self._encode(request))
        while not isinstance(event := await self.read_event(), h11.Response):
            pass  # 100 Continue and its like
        headers = _merge_headers(event.headers)
        parts: AsyncIterator[bytes] = _Body(self)
        if "content-encoding" in headers:
            parts = httpx.Response(event.status_code, headers=headers, stream=_Body(self)).aiter_bytes()
        return HttpResponse(event.status_code, headers, parts)

    def is_reusable(self) -> bool:
        """Tell whether another request can be sent: the last response is complete, and nothing follows it."""
        if self._state.our_state is h11.DONE and self._state.their_state is h11.DONE:
            self._state.start_next_cycle()
            self._idle_since = time.monotonic()
        return (
            self._state.our_state is h11.IDLE
            and self._state.trailing_data == (b"", False)
            and not self._transport.is_closing()
            and time.monotonic() - self._idle_since < _MOST_IDLE_SECONDS
        )

    async def aclose(self) -> None:
        self._transport.abort()
        await self.end

    async def read_event(self) -> h11.Event | type[h11.PAUSED]:
        """Return the next part of the response. Raises OSError."""
        try:
            while (event := self._state.next_event()) is h11.NEED_DATA:
                self._arrival = asyncio.get_running_loop().create_future()
                await self._arrival
        except h11.RemoteProtocolError as error:
            raise ConnectionError(self._loss or str(error)) from None
        return cast("h11.Event | type[h11.PAUSED]", event)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        if self._state.our_state is h11.IDLE:  # nobody has asked for it
            self._transport.abort()
            return
        self._loss = ""
        self._state.receive_data(data)
        self._tell_arrival()

    def connection_lost(self, exc: Exception | None) -> None:
        if isinstance(exc, OSError) and exc.errno:
            self._loss = os.strerror(exc.errno)
        self._state.receive_data(b"")
        self.end.set_result(None)
        self._tell_arrival()

    def _encode(self, request: HttpRequest) -> bytes:
        head = [("Host", request.url.netloc.decode("ascii")), *request.headers.items()]
        if request.body is not None or request.method != "GET":
            head.append(("Content-Length", str(len(request.body or b""))))
        try:
            events = [
                h11.Request(method=request.method, target=request.url.raw_path, headers=head),
                *([h11.Data(request.body)] if request.body else []),
                h11.EndOfMessage(),
            ]
            return b"".join(self._state.send(event) or b"" for event in events)
        except (h11.LocalProtocolError, UnicodeError) as error:
            raise ConnectionError(f"the request cannot be sent: {error}") from None

    def _tell_arrival(self) -> None:
        if self._arrival is not None and not self._arrival.done():
            self._arrival.set_result(None)


class _Body(httpx.AsyncByteStream):
    """The body of a response, as it arrives."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> bytes:
        event = await self._connection.read_event()
        if isinstance(event, h11.Data):
            return bytes(event.data)
        raise StopAsyncIteration


def _merge_headers(pairs: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    headers = dict[str, str]()
    for raw_name, raw_value in pairs:
        name, value = raw_name.decode("ascii"), raw_value.decode("latin-1")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers


async def connect(url: httpx.URL, certificates: ssl.SSLContext | None) -> Connection:
    """Open a connection to the server of an address. Raises OSError and UnicodeError."""
    host = url.raw_host.decode("ascii")
    port = url.port or (443 if url.scheme == "https" else 80)
    loop = asyncio.get_running_loop()
    try:
        _, connection = await loop.create_connection(
            Connection, host, port, ssl=certificates, happy_eyeballs_delay=_NEXT_ADDRESS_SECONDS
        )
    except OSError as error:
        if error.errno is None or error.errno < 0 or isinstance(error, ssl.SSLError):  # its own words say more
            raise
        raise ConnectionError(os.strerror(error.errno)) from None
    return connection
