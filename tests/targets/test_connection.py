"""One connection to a server: when it is used again, what it can read, and which words a failure has."""

import asyncio
import gzip
import ssl
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import lru_cache
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import httpx
import pytest
from requirements import require_program
from service import Reply, serve

from agentv_py.models import exchange as exchanges
from agentv_py.models import http_clients
from agentv_py.models.connection import connect
from agentv_py.models.exchange import Request, RequestError, Response
from agentv_py.models.http_clients import HttpClients, HttpRequest

_OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"

Act = Callable[[asyncio.StreamReader, asyncio.StreamWriter, int], Awaitable[None]]
"""What a server does with one request; the number tells how many came before it on this connection."""


class _Service(NamedTuple):
    url: str
    host: str = "the service"
    timeout: float = 5.0
    retries: int = 0
    backoff: float = 0.0
    max_concurrency: int = 8
    requests_per_minute: float | None = None

    def key(self) -> None:
        return None

    def secrets(self) -> list[str]:
        return []


@asynccontextmanager
async def _listen(act: Act, tls: ssl.SSLContext | None = None) -> AsyncIterator[tuple[str, list[int]]]:
    """Yield the address of a server and, for each of its connections, how many requests it had."""
    connections: list[int] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        index = len(connections)
        connections.append(0)
        try:
            while not writer.is_closing() and await reader.readuntil(b"\r\n\r\n"):
                connections[index] += 1
                await act(reader, writer, connections[index] - 1)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=tls)
    async with server:
        yield f"http{'s' if tls else ''}://localhost:{server.sockets[0].getsockname()[1]}/", connections


def _write(*pieces: bytes, close: bool = False) -> Act:
    async def act(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter, _number: int) -> None:
        for piece in pieces:
            writer.write(piece)
            await writer.drain()
            await asyncio.sleep(0)
        if close:
            writer.close()

    return act


def _get(act: Act, times: int = 1, request: Request | None = None) -> tuple[list[Response | str], list[int]]:
    """Send requests one after the other; return the responses, or the words of the failures, and the connections."""

    async def get() -> tuple[list[Response | str], list[int]]:
        results: list[Response | str] = []
        async with _listen(act) as (url, connections), HttpClients() as http:
            for _ in range(times):
                try:
                    sent = request or Request(None, "", method="GET")
                    results.append((await exchanges.exchange(http, _Service(url), sent))._replace(seconds=0))
                except RequestError as error:
                    results.append(f"{error.kind}: {error}")
            return results, connections

    return asyncio.run(get())


def test_requests_one_after_the_other_share_a_connection() -> None:
    results, connections = _get(_write(_OK), times=3)
    assert results == [Response(200, {"content-length": "2"}, b"{}")] * 3
    assert connections == [3]


@pytest.mark.parametrize(
    "pieces",
    [
        (b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}",),
        (b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}",),
        (_OK + b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nbad",),
    ],
    ids=["close", "HTTP/1.0", "a second response"],
)
def test_a_connection_is_not_used_again_where_that_is_not_safe(pieces: tuple[bytes, ...]) -> None:
    results, connections = _get(_write(*pieces), times=3)
    assert [isinstance(result, Response) and result.body for result in results] == [b"{}"] * 3
    assert connections == [1, 1, 1]


@pytest.mark.parametrize("extra", [b"", b"HTTP/1.1 408 Timeout\r\n\r\n"], ids=["closed", "wrote"])
def test_a_connection_that_the_server_closed_or_wrote_to_meanwhile_is_replaced(extra: bytes) -> None:
    async def get() -> list[int]:
        async def act(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter, _number: int) -> None:
            writer.write(_OK)
            await received.wait()
            writer.write(extra)
            if not extra:
                writer.close()

        received = asyncio.Event()
        async with _listen(act) as (url, connections):
            connection = await connect(httpx.URL(url), None)
            request = HttpRequest("GET", httpx.URL(url), {}, None)
            assert [part async for part in (await connection.send(request)).parts] == [b"{}"]
            assert connection.is_reusable()
            received.set()
            await connection.end
            assert not connection.is_reusable()
            return connections

    assert asyncio.run(get()) == [1]


@pytest.mark.parametrize(
    ("pieces", "body"),
    [
        ((b"HTTP/1.1 100 Continue\r\n\r\n", _OK), b"{}"),
        ((b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", b"1\r\n}\r\n0\r\n\r\n"), b"{}"),
        ((b"HTTP/1.1 200 OK\r\n\r\n{", b"}"), b"{}"),
        ((b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n", gzip.compress(b"{}")), b"{}"),
        ((b"HTTP/1.1 204 No Content\r\n\r\n",), b""),
    ],
    ids=["100", "chunked", "until the end", "gzip", "204"],
)
def test_a_body_of_any_kind_is_read(pieces: tuple[bytes, ...], body: bytes) -> None:
    [result], _ = _get(_write(*pieces, close=True))
    assert isinstance(result, Response)
    assert result.body == body


def test_headers_of_one_name_are_joined_and_the_body_is_sent_with_its_length() -> None:
    seen: list[bytes] = []

    async def act(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, _number: int) -> None:
        seen.append(await reader.readexactly(5))
        writer.write(b"HTTP/1.1 200 OK\r\nX-A: 1\r\nx-a: 2\r\nContent-Length: 0\r\n\r\n")

    [result], _ = _get(act, request=Request(b"hello", ""))
    assert result == Response(200, {"x-a": "1, 2", "content-length": "0"}, b"")
    assert seen == [b"hello"]


@pytest.mark.parametrize(
    ("pieces", "words"),
    [
        ((), "connection: the service: the connection was closed without a response"),
        ((b"HTTP/1.1 200 OK\r\nContent-Le",), "connection: the service: peer unexpectedly closed connection"),
        ((b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{",), "peer closed connection without sending complete"),
        ((b"220 mail ready\r\n\r\n",), "connection: the service: illegal status line"),
        ((b"HTTP/1.1 200 OK\r\nA: " + b"a" * 200_000,), "connection: the service: "),
        ((b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",), "connection: the service: "),
    ],
    ids=["nothing", "half a head", "half a body", "another protocol", "an endless head", "not gzip"],
)
def test_a_failure_says_what_happened(pieces: tuple[bytes, ...], words: str) -> None:
    [result], _ = _get(_write(*pieces, close=True))
    assert isinstance(result, str)
    assert words in result


def test_a_header_that_cannot_be_sent_is_named_and_a_server_that_is_not_there_refuses() -> None:
    [result], _ = _get(_write(_OK), request=Request(None, "", method="GET", headers=(("X", "a\nb"),)))
    assert result == "connection: the service: the request cannot be sent: Illegal header value b'a\\nb'"

    async def get() -> None:
        async with HttpClients() as http:
            await exchanges.exchange(http, _Service("http://127.0.0.1:1/"), Request(None, ""))

    with pytest.raises(RequestError, match=r"^the service: Connection refused$"):
        asyncio.run(get())


def test_a_name_and_a_password_in_the_address_are_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("", "http_proxy"):
        with serve(lambda _: Reply({})) as service:

            async def get(url: str) -> None:
                async with HttpClients() as http:
                    await exchanges.exchange(http, _Service(url), Request(b"{}", ""))

            if name:
                monkeypatch.setenv(name, service.url)
            asyncio.run(get("http://me:p%20w@localhost:" + service.url.rpartition(":")[2]))
            assert service.calls[0].headers["authorization"] == "Basic bWU6cCB3"


def test_a_proxy_of_the_environment_carries_the_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    async def get() -> list[Response]:
        async with HttpClients() as http:
            service = _Service("http://far.example/x")
            return await asyncio.gather(*(exchanges.exchange(http, service, Request(b"{}", "")) for _ in range(3)))

    with serve(lambda _: Reply({"a": 0})) as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        assert {response.body for response in asyncio.run(get())} == {b'{"a": 0}'}
        sent = {(call.method, call.path, call.headers["content-type"], call.body) for call in proxy.calls}
        assert sent == {("POST", "http://far.example/x", "application/json", b"{}")}


def test_what_a_request_needs_is_loaded_before_it_is_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    load = http_clients.load_certificates.__wrapped__

    def load_slowly() -> ssl.SSLContext:
        clock[0] += 100
        return load()

    async def get(url: str) -> list[Response]:
        async with HttpClients() as http:
            each = (exchanges.exchange(http, _Service(url), Request(b"{}", "")) for _ in range(3))
            return await asyncio.gather(*each)

    monkeypatch.setattr(exchanges, "time", SimpleNamespace(perf_counter=lambda: clock[0]))
    monkeypatch.setattr(http_clients, "load_certificates", lru_cache(load_slowly))
    with serve(lambda _: Reply({})) as service:
        assert [response.seconds for response in asyncio.run(get(service.url))] == [0.0] * 3
        assert clock == [0.0]  # no certificates are needed
        monkeypatch.setenv("http_proxy", service.url)
        assert [response.seconds for response in asyncio.run(get(service.url))] == [0.0] * 3
        assert clock == [100.0]


def test_a_server_must_show_a_certificate_that_the_environment_trusts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    openssl = require_program("openssl", install="apt-get install openssl")
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    command = "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=DNS:localhost", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run([openssl, *command.split(), *names], check=True, capture_output=True)
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate, key)

    async def get() -> bytes:
        async with _listen(_write(_OK), tls) as (url, _), HttpClients() as http:
            return (await exchanges.exchange(http, _Service(url), Request(None, "", method="GET"))).body

    http_clients.load_certificates.cache_clear()
    with pytest.raises(RequestError, match="certificate verify failed"):
        asyncio.run(get())
    http_clients.load_certificates.cache_clear()
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    assert asyncio.run(get()) == b"{}"
    http_clients.load_certificates.cache_clear()
