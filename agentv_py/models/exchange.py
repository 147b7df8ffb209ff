"""One HTTP request → its response: redirects are followed without keys, the body has a largest size.

It knows nothing of models: a request goes to any service that has an address and limits.
"""

import asyncio
import ssl
import time
from base64 import b64encode
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from agentv_py import jsontext
from agentv_py.models.http_clients import HttpClients, HttpRequest
from agentv_py.models.redaction import redact_keys, redact_message

if TYPE_CHECKING:
    import httpx

_LARGEST = 64 * 2**20
_MOST_REDIRECTS = 5
_KEEP_METHOD = (307, 308)
_REDIRECTS = (301, 302, 303, *_KEEP_METHOD)
_KINDS = {401: "auth", 403: "auth", 408: "timeout", 429: "rate_limit"}
_JSON = (("Content-Type", "application/json"), ("Accept", "application/json"))


class Service(Protocol):
    """Where requests go, and how they may be sent."""

    @property
    def url(self) -> str: ...

    @property
    def host(self) -> str: ...

    @property
    def timeout(self) -> float:
        """In seconds. A service that asks for a longer wait is not asked again."""

    @property
    def retries(self) -> int: ...

    @property
    def backoff(self) -> float: ...

    @property
    def max_concurrency(self) -> int: ...

    @property
    def requests_per_minute(self) -> float | None: ...

    def key(self) -> str | None:
        """The secret by which the service identifies the user."""

    def secrets(self) -> Sequence[str]:
        """Every text that no message may show, the key among them."""


class Request(NamedTuple):
    body: bytes | None
    private_text: str
    """The user-supplied text of the request; it is redacted from error messages."""
    public_text: str = ""
    """The words that an error message may repeat, although the private text holds them."""
    method: str = "POST"
    url: str = ""
    """Default: the address of the service."""
    headers: Sequence[tuple[str, str]] = _JSON
    follows_redirects: bool = False


class Response(NamedTuple):
    status: int
    headers: Mapping[str, str]
    """By name in lower case."""
    body: bytes
    seconds: float = 0.0

    def read_json(self, host: str) -> Any:
        """Raises RequestError if the body is not JSON."""
        try:
            return jsontext.loads(self.body)
        except jsontext.NotJson:
            raise malformed_reply(f"{host}: the reply is not JSON") from None


class RequestError(Exception):
    def __init__(
        self, kind: str, message: str, retry_after: str | None = None, status: int | None = None, response: str = ""
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.retry_after = retry_after
        self.status = status
        self.response = response
        """The service's own words. They may repeat secrets, so they are never shown."""


def malformed_reply(message: str) -> RequestError:
    """The error of a reply that is not what was asked for; the request is sent again at once."""
    return RequestError("malformed", message, retry_after="0")


async def exchange(http: HttpClients, service: Service, request: Request) -> Response:
    """Send a request once, and return the response of a success. Raises RequestError."""
    import httpx

    http.make_ready(request.url or service.url)
    started = time.perf_counter()
    try:
        async with asyncio.timeout(service.timeout):  # httpx's own limit is per read
            response = await _follow(http, service, request)
    except (TimeoutError, httpx.TimeoutException):
        message = f"{service.host}: no reply within {service.timeout:g} seconds"
        raise RequestError("timeout", message) from None
    except (httpx.HTTPError, httpx.InvalidURL, ssl.SSLError, OSError, UnicodeError) as error:
        reason = redact(str(error) or f"the connection was lost ({type(error).__name__})", service, request)
        raise RequestError("connection", f"{service.host}: {reason}") from None
    if not httpx.codes.is_success(response.status):
        raise _build_refusal(service, request, response)
    return response._replace(seconds=time.perf_counter() - started)


async def _follow(http: HttpClients, service: Service, request: Request) -> Response:
    """Send the request, and follow redirects. A key never goes to another host."""
    url, key = _parse_url(request.url or service.url), service.key()
    headers = dict(request.headers) | ({"Authorization": f"Bearer {key}"} if key else {})
    if url.userinfo:
        headers["Authorization"] = f"Basic {b64encode(f'{url.username}:{url.password}'.encode()).decode()}"
    method, body = request.method, request.body
    for _ in range(_MOST_REDIRECTS + 1):
        response = await _send(http, service, HttpRequest(method, url, headers, body))
        location = response.headers.get("location")
        if not request.follows_redirects or response.status not in _REDIRECTS or location is None:
            return response
        there = url.join(location)
        keeps_method = response.status in _KEEP_METHOD or method == "GET"
        if not is_same_origin(url, there):
            if keeps_method and body is not None:
                place = redact_keys(f"{there.scheme}://{there.netloc.decode()}", service.secrets())
                message = f"{service.host}: it redirects to another host, {place}; if you trust it, use its address"
                raise RequestError("redirect", message)
            headers = {"Accept": "application/json"}
        url = there
        if not keeps_method:
            method, body = "GET", None
            headers = {name: value for name, value in headers.items() if name.lower() != "content-type"}
    raise RequestError("redirect", f"{service.host}: it redirects more than {_MOST_REDIRECTS} times")


@lru_cache(maxsize=256)
def _parse_url(url: str) -> "httpx.URL":
    """Parse an address once for many requests."""
    import httpx

    return httpx.URL(url)


async def _send(http: HttpClients, service: Service, request: HttpRequest) -> Response:
    text = bytearray()
    async with http.send(request) as response:
        async for part in response.parts:
            text += part
            if len(text) > _LARGEST:
                raise malformed_reply(f"{service.host}: the reply is larger than {_LARGEST >> 20} MiB")
    return Response(response.status, response.headers, bytes(text))


def is_same_origin(one: "httpx.URL | str", other: "httpx.URL | str") -> bool:
    """Tell whether two addresses have the same scheme, host and port."""
    import httpx

    origins = [(url.scheme, url.host, url.port) for url in (httpx.URL(one), httpx.URL(other))]
    return origins[0] == origins[1]


def encode_multipart(fields: Mapping[str, str], files: Mapping[str, tuple[str, bytes]]) -> tuple[str, bytes]:
    """Return the content type and the body of a form with files, each given by its name and its content."""
    import httpx

    form = httpx.Request("POST", "http://localhost", data=dict(fields), files=dict(files))
    return form.headers["Content-Type"], form.read()


def find_refusal(url: str) -> str:
    """Return the reason why no request can be sent to this address, or an empty text."""
    import httpx

    try:
        httpx.Request("POST", url)
    except (httpx.InvalidURL, UnicodeError) as error:
        return str(error)
    return ""


def redact(message: str, service: Service, request: Request) -> str:
    """Redact the secrets of the service and the words of the request from a message."""
    key = service.key()
    message = redact_keys(message, [secret for secret in service.secrets() if secret != key])
    return redact_message(message, key, request.private_text, request.public_text)


def _build_refusal(service: Service, request: Request, response: Response) -> RequestError:
    status, words = response.status, _find_error_message(response.body)
    kind = _KINDS.get(status) or ("server" if status >= 500 else "request")
    reason = redact(words, service, request)
    message = f"{service.host}: {status}{': ' if reason else ''}{reason}"
    return RequestError(kind, message, response.headers.get("retry-after"), status, words)


def _find_error_message(text: bytes) -> str:
    """Return the message in an error response: `error.message` or `error` of JSON, else the start of the text."""
    try:
        response = jsontext.loads(text)
    except jsontext.NotJson:
        return text[:2000].decode(errors="replace")
    error = response.get("error", response) if isinstance(response, dict) else response
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) else jsontext.dumps(response).decode()
