"""Requests → responses: several under way at once, sent again where that can help."""

import asyncio
import ssl
from collections.abc import Sequence
from functools import lru_cache
from itertools import count
from typing import TYPE_CHECKING, Any

from agentv_py import jsontext
from agentv_py.errors import UserError
from agentv_py.models.endpoint import Endpoint, Malformed
from agentv_py.models.policy import Terms
from agentv_py.models.question import Answer
from agentv_py.models.redaction import safe_message, without_key
from agentv_py.models.retry import wait_after
from agentv_py.models.usage import Usage

if TYPE_CHECKING:
    import httpx

_LARGEST = 64 * 2**20
_KINDS = {401: "auth", 403: "auth", 408: "timeout", 429: "rate_limit"}
_PASSING = ("rate_limit", "timeout", "server", "connection")
"""Troubles that may be over when the request is sent again."""


class OutOfBudget(Exception):  # noqa: N818  it is what happened
    """Nothing more may be sent; what is under way is finished."""


class _Trouble(Exception):  # noqa: N818  it is what happened
    def __init__(self, kind: str, message: str, retry_after: str | None = None, *, plainer: bool = False) -> None:
        super().__init__(message)
        self.kind = kind
        self.retry_after = retry_after
        self.plainer = plainer
        """Whether the endpoint does not know response_format."""


class Client:
    def __init__(self, http: "httpx.AsyncClient", terms: Terms) -> None:
        self.http = http
        self.terms = terms
        self._places: dict[str, asyncio.Semaphore] = {}
        self._plain: set[str] = set()

    async def ask(self, endpoint: Endpoint, payloads: Sequence[Any]) -> list[Answer]:
        """An answer for each payload, all of them in one request. Raises OutOfBudget."""
        place = f"{endpoint.url} {endpoint.max_concurrency}"
        async with self._places.setdefault(place, asyncio.Semaphore(endpoint.max_concurrency)):
            return await self._persisted(endpoint, payloads)

    async def _persisted(self, endpoint: Endpoint, payloads: Sequence[Any]) -> list[Answer]:
        usage, malformed = Usage(), False
        for attempt in count():
            try:
                values = await self._asked(endpoint, payloads, usage)
            except Malformed as problem:
                trouble = _Trouble("malformed", str(problem), "0")
                again, malformed = not malformed, True
            except _Trouble as problem:
                trouble = problem
                again = trouble.plainer or (trouble.kind in _PASSING and attempt < endpoint.retries)
            else:
                return _answers(values, usage, [len(str(one)) for one in payloads])
            if not again:
                failed = Answer(failure=(trouble.kind, str(trouble)))
                return [Answer(failure=failed.failure, usage=share) for share in usage.shared([1] * len(payloads))]
            await asyncio.sleep(wait_after(attempt, endpoint.backoff, trouble.retry_after))
        raise AssertionError("it is asked until there is an answer or a failure")

    async def _asked(self, endpoint: Endpoint, payloads: Sequence[Any], usage: Usage) -> list[Any]:
        await self.terms.pace(endpoint.url, endpoint.requests_per_minute)
        if not self.terms.ledger.may_send():
            raise OutOfBudget
        body = jsontext.dumps(endpoint.body(payloads, plain=endpoint.url in self._plain))
        self.terms.ledger.send()
        usage.calls += 1
        said = await self._said(endpoint, body, endpoint.prompt_in(payloads))
        took = endpoint.usage(said, body.decode())
        self.terms.ledger.pay(took)
        usage.add(took)
        return [without_key(value, endpoint.key()) for value in endpoint.read(said, payloads)]

    async def _said(self, endpoint: Endpoint, body: bytes, prompt: str) -> Any:
        """The JSON of the response. Raises _Trouble or Malformed."""
        import httpx

        try:
            async with asyncio.timeout(endpoint.timeout):  # the whole of it: httpx's own counts from byte to byte
                status, headers, text = await self._sent(endpoint, body)
        except (TimeoutError, httpx.TimeoutException):
            raise _Trouble("timeout", f"{endpoint.host}: no answer within {endpoint.timeout:g} seconds") from None
        except (httpx.HTTPError, ssl.SSLError, OSError, UnicodeError) as error:  # the last of names no resolver takes
            what = _safe(str(error) or type(error).__name__, endpoint, prompt)
            raise _Trouble("connection", f"{endpoint.host}: {what}") from None
        if status != httpx.codes.OK:
            raise self._refused(endpoint, status, headers.get("retry-after"), text, prompt)
        try:
            return jsontext.loads(text)
        except jsontext.NotJson:
            raise Malformed(f"{endpoint.host}: the answer is not JSON") from None

    async def _sent(self, endpoint: Endpoint, body: bytes) -> "tuple[int, httpx.Headers, bytes]":
        key, headers = endpoint.key(), {"Content-Type": "application/json", "Accept": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        text = bytearray()
        async with self.http.stream("POST", endpoint.url, content=body, headers=headers) as response:
            async for part in response.aiter_bytes():
                text += part
                if len(text) > _LARGEST:
                    raise Malformed(f"{endpoint.host}: the answer is larger than {_LARGEST >> 20} MiB")
        return response.status_code, response.headers, bytes(text)

    def _refused(self, endpoint: Endpoint, status: int, retry_after: str | None, text: bytes, prompt: str) -> _Trouble:
        kind = _KINDS.get(status) or ("server" if status >= 500 else "request")
        said = _error_message(text)
        plainer = status == 400 and ("response_format" in said or "json_schema" in said)
        plainer = plainer and endpoint.url not in self._plain
        if plainer:
            self._plain.add(endpoint.url)
        what = _safe(said, endpoint, prompt)
        message = f"{endpoint.host}: {status}{': ' if what else ''}{what}"
        return _Trouble(kind, message, "0" if plainer else retry_after, plainer=plainer)


def refusal(url: str) -> str:
    """Why no request can be sent to this address, or nothing."""
    import httpx

    try:
        httpx.Request("POST", url)
    except (httpx.InvalidURL, UnicodeError) as error:
        return str(error)
    return ""


def open_http() -> "httpx.AsyncClient":
    """Raises UserError where the environment names proxies or certificates that are none."""
    import httpx

    limits = httpx.Limits(max_connections=None)  # each endpoint has its own bound
    try:
        return httpx.AsyncClient(verify=_tls(), timeout=None, limits=limits)  # noqa: S113  the request's own
    except (OSError, ValueError, ImportError, httpx.InvalidURL) as error:
        what = f"models cannot be asked with the proxies and certificates that the environment names: {error}"
        raise UserError(what) from None


@lru_cache(maxsize=1)
def _tls() -> ssl.SSLContext:
    """Reading the certificates takes longer than asking a model next door."""
    import httpx

    return httpx.create_ssl_context()


def _answers(values: Sequence[Any], usage: Usage, lengths: Sequence[int]) -> list[Answer]:
    shares = usage.shared(lengths)
    return [Answer(value, usage=share) for value, share in zip(values, shares, strict=True)]


def _safe(message: str, endpoint: Endpoint, prompt: str) -> str:
    return safe_message(message, endpoint.key(), prompt, endpoint.model)


def _error_message(text: bytes) -> str:
    """The words of an error: of OpenAI's shape, else the start of whatever it is."""
    try:
        said = jsontext.loads(text)
    except jsontext.NotJson:
        return text[:2000].decode(errors="replace")
    error = said.get("error", said) if isinstance(said, dict) else said
    message = error.get("message") if isinstance(error, dict) else error
    return message if isinstance(message, str) else jsontext.dumps(said).decode()
