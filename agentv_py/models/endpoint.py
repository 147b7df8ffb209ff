"""Options of an OpenAI-compatible endpoint → its requests, and what its responses mean."""

import os
from abc import abstractmethod
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from agentv_py import jsontext
from agentv_py.models.usage import Usage, compute_cost, is_count
from agentv_py.options import Options, build_dict

_RESERVED = ("model", "messages", "input", "response_format", "stream", "encoding_format", "n")
_LETTERS_PER_TOKEN = 4
_LONGEST_SHOWN = 60
_LONGEST_PATH = "chat/completions"


class MalformedReply(Exception):  # noqa: N818  a finding about a reply
    """The reply of the endpoint does not have the requested form."""


def _check_url(url: str) -> str:
    try:
        parts = urlsplit(url)
        valid = parts.scheme in ("http", "https") and bool(parts.hostname)
        _ = parts.port
    except ValueError:
        valid = False
    if not valid:
        raise ValueError(f"must be an http:// or https:// address such as 'https://host/v1', not {_shorten(url)}")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ValueError("must hold no name, password or query; api_key_env names the key")
    _check_with_client(url)
    return url.rstrip("/")


def _check_with_client(url: str) -> None:
    """Refuse an address that Python can split but the HTTP client cannot use."""
    from agentv_py.models.exchange import find_refusal

    reason = find_refusal(f"{url.rstrip('/')}/{_LONGEST_PATH}")
    if reason:
        raise ValueError(f"{_shorten(url)} cannot be reached: {reason}")


def _shorten(url: str) -> str:
    return repr(url if len(url) <= _LONGEST_SHOWN else f"{url[:_LONGEST_SHOWN]}...")


def _check_key(name: str) -> str:
    key = os.environ.get(name, "").strip()
    if not key:
        raise ValueError(f"the environment variable {name!r} is not set")
    if not key.isascii() or not key.isprintable():
        raise ValueError(f"the environment variable {name!r} holds characters that no header can carry")
    return name


def _check_parameters(parameters: dict[str, Any]) -> dict[str, Any]:
    for name in parameters:
        if name in _RESERVED:
            raise ValueError(f"{name!r} is set by evalctl")
    return parameters


class Prices(Options):
    """Per million tokens, in whatever currency."""

    prompt: float = Field(ge=0, allow_inf_nan=False)
    completion: float = Field(0.0, ge=0, allow_inf_nan=False)


class Endpoint(Options):
    base_url: Annotated[str, AfterValidator(_check_url)] = Field(description="Such as https://host/v1.")
    model: str = Field(min_length=1)
    api_key_env: Annotated[str, AfterValidator(_check_key)] | None = Field(
        None, description="The name of the environment variable that holds the key."
    )
    timeout: float = Field(60.0, gt=0, le=1e6, allow_inf_nan=False, description="Seconds, per request.")
    retries: int = Field(3, ge=0, le=20, description="After 429, 5xx, resets and timeouts.")
    backoff: float = Field(0.5, ge=0, le=60, allow_inf_nan=False, description="Seconds before the first retry.")
    max_concurrency: int = Field(8, ge=1, le=256, description="Requests under way at once.")
    requests_per_minute: float | None = Field(None, gt=0, allow_inf_nan=False)
    prices: Prices | None = Field(None, description="Per million tokens; without them no cost is known.")
    parameters: Annotated[dict[str, Any], AfterValidator(_check_parameters)] = Field(
        default_factory=build_dict, description="Goes into every request as it is."
    )

    path: ClassVar[str] = ""

    @property
    def url(self) -> str:
        return f"{self.base_url}/{self.path}"

    @property
    def host(self) -> str:
        return urlsplit(self.base_url).netloc

    def key(self) -> str | None:
        return None if self.api_key_env is None else os.environ.get(self.api_key_env, "").strip()

    def secrets(self) -> Sequence[str]:
        key = self.key()
        return [key] if key else []

    @abstractmethod
    def body(self, payloads: Sequence[Any], *, plain: bool = False) -> dict[str, Any]:
        """The request; `plain` leaves out response_format, for an endpoint that does not know it."""

    @abstractmethod
    def private_text(self, payloads: Sequence[Any]) -> str:
        """The user-supplied text of the request; it is redacted from error messages."""

    @abstractmethod
    def read(self, response: Any, payloads: Sequence[Any]) -> list[Any]:
        """The value of the reply to each payload. Raises MalformedReply."""

    @abstractmethod
    def placeholder(self, payload: Any) -> Any:
        """A value of the same shape as a reply, for the recording pass (see `models/replies.py`)."""

    @abstractmethod
    def pack(self, value: Any) -> bytes:
        """The bytes of a value, for the cache."""

    @abstractmethod
    def unpack(self, data: bytes, payload: Any) -> Any:
        """The value that was packed. Raises MalformedReply."""

    def usage(self, response: Any, request: str) -> Usage:
        """The usage that a response states; one without it is estimated at a token for every four letters."""
        stated = response.get("usage") if isinstance(response, dict) else None
        stated = stated if isinstance(stated, dict) else {}
        prompt, completion = stated.get("prompt_tokens"), stated.get("completion_tokens")
        if not is_count(prompt):
            prompt = -(-len(request) // _LETTERS_PER_TOKEN)
        if not is_count(completion):
            completion = _count_letters(response) // _LETTERS_PER_TOKEN
        return Usage(0, 0, prompt, completion, self._compute_cost(prompt, completion))

    def _compute_cost(self, prompt: int, completion: int) -> float | None:
        if self.prices is None:
            return None
        return compute_cost(prompt, completion, self.prices.prompt, self.prices.completion)


def _count_letters(response: Any) -> int:
    """The length of a chat completion; an embedding holds no text."""
    if not isinstance(response, dict) or "choices" not in response:
        return 0
    return len(jsontext.dumps(response["choices"]))
