"""HTTP requests → JSON responses: within the pace and the budget, several at once, sent again if that can help.

It knows nothing of models: a request goes to any service that has an address and limits.
"""

import asyncio
import ssl
from collections.abc import Awaitable, Callable
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from agentv_py import jsontext
from agentv_py.errors import UserError
from agentv_py.models.policy import CallPolicy
from agentv_py.models.redaction import redact_message
from agentv_py.models.retry import compute_wait

if TYPE_CHECKING:
    import httpx

_LARGEST = 64 * 2**20
_KINDS = {401: "auth", 403: "auth", 408: "timeout", 429: "rate_limit"}
_TRANSIENT = ("rate_limit", "timeout", "server", "connection")
"""Kinds of errors after which the same request may succeed later."""

Result = TypeVar("Result")


class Service(Protocol):
    """Where requests go, and how they may be sent."""

    @property
    def url(self) -> str: ...

    @property
    def host(self) -> str: ...

    @property
    def timeout(self) -> float: ...

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


class Request(NamedTuple):
    body: bytes
    private_text: str
    """The user-supplied text of the request; it is redacted from error messages."""
    public_text: str = ""
    """The words that an error message may repeat, although the private text holds them."""


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


class OutOfBudget(Exception):  # noqa: N818  it is a state of the run, not a fault
    """No further request may be sent; requests under way are finished."""


class Sender:
    def __init__(self, http: "httpx.AsyncClient", policy: CallPolicy) -> None:
        self.http = http
        self.policy = policy
        self._limits: dict[str, asyncio.Semaphore] = {}

    async def retry(self, service: Service, attempt: Callable[[], Awaitable[Result]]) -> Result:
        """Try until an attempt succeeds or no further attempt is allowed. Raises RequestError and OutOfBudget."""
        limit = f"{service.url} {service.max_concurrency}"
        async with self._limits.setdefault(limit, asyncio.Semaphore(service.max_concurrency)):
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
                    wait = compute_wait(number, service.backoff, error.retry_after)
                await asyncio.sleep(wait)
        raise AssertionError("attempts end with a result or an error")

    async def post(self, service: Service, request: Request) -> Any:
        """Send a request once, and return the JSON of the response. Raises RequestError and OutOfBudget."""
        import httpx

        await self.policy.pace(service.url, service.requests_per_minute)
        if not self.policy.spending.may_send():
            raise OutOfBudget
        self.policy.spending.record_call()
        try:
            async with asyncio.timeout(service.timeout):  # httpx's own limit is per read
                status, headers, text = await self._exchange(service, request.body)
        except (TimeoutError, httpx.TimeoutException):
            message = f"{service.host}: no reply within {service.timeout:g} seconds"
            raise RequestError("timeout", message) from None
        except (httpx.HTTPError, ssl.SSLError, OSError, UnicodeError) as error:  # UnicodeError: a bad host name
            reason = _redact(str(error) or type(error).__name__, service, request)
            raise RequestError("connection", f"{service.host}: {reason}") from None
        if status != httpx.codes.OK:
            raise _build_refusal(service, request, status, headers.get("retry-after"), _error_message(text))
        try:
            return jsontext.loads(text)
        except jsontext.NotJson:
            raise malformed_reply(f"{service.host}: the reply is not JSON") from None

    async def _exchange(self, service: Service, body: bytes) -> "tuple[int, httpx.Headers, bytes]":
        key, headers = service.key(), {"Content-Type": "application/json", "Accept": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        text = bytearray()
        async with self.http.stream("POST", service.url, content=body, headers=headers) as response:
            async for part in response.aiter_bytes():
                text += part
                if len(text) > _LARGEST:
                    raise malformed_reply(f"{service.host}: the reply is larger than {_LARGEST >> 20} MiB")
        return response.status_code, response.headers, bytes(text)


def malformed_reply(message: str) -> RequestError:
    """The error of a reply that is not what was asked for; the request is sent again at once."""
    return RequestError("malformed", message, retry_after="0")


def find_refusal(url: str) -> str:
    """Return the reason why no request can be sent to this address, or an empty text."""
    import httpx

    try:
        httpx.Request("POST", url)
    except (httpx.InvalidURL, UnicodeError) as error:
        return str(error)
    return ""


def open_http() -> "httpx.AsyncClient":
    """Raises UserError where the environment names proxies or certificates that cannot be used."""
    import httpx

    limits = httpx.Limits(max_connections=None)  # each service has its own bound
    try:
        return httpx.AsyncClient(verify=_load_certificates(), timeout=None, limits=limits)  # noqa: S113  each request has its own
    except (OSError, ValueError, ImportError, httpx.InvalidURL) as error:
        what = f"models cannot be asked with the proxies and certificates that the environment names: {error}"
        raise UserError(what) from None


@lru_cache(maxsize=1)
def _load_certificates() -> ssl.SSLContext:
    """Build the context once: reading the certificates takes longer than asking a model in the same network."""
    import httpx

    return httpx.create_ssl_context()


def _build_refusal(
    service: Service, request: Request, status: int, retry_after: str | None, response: str
) -> RequestError:
    kind = _KINDS.get(status) or ("server" if status >= 500 else "request")
    reason = _redact(response, service, request)
    message = f"{service.host}: {status}{': ' if reason else ''}{reason}"
    return RequestError(kind, message, retry_after, status, response)


def _redact(message: str, service: Service, request: Request) -> str:
    return redact_message(message, service.key(), request.private_text, request.public_text)


def _error_message(text: bytes) -> str:
    """The message in an error response: `error.message` or `error` of JSON, else the start of the text."""
    try:
        response = jsontext.loads(text)
    except jsontext.NotJson:
        return text[:2000].decode(errors="replace")
    error = response.get("error", response) if isinstance(response, dict) else response
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) else jsontext.dumps(response).decode()
