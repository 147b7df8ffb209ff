"""What a user says of an OpenAI-compatible endpoint, and what may be asked there."""

import os
from abc import abstractmethod
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar
from urllib.parse import urlsplit

from pydantic import AfterValidator, Field

from agentv_py import jsontext
from agentv_py.models.usage import Usage, cost_of, is_count
from agentv_py.options import Options

_OURS = ("model", "messages", "input", "response_format", "stream", "encoding_format", "n")
_LETTERS_PER_TOKEN = 4
_LONGEST_SHOWN = 60
_LONGEST_PATH = "chat/completions"


class Malformed(Exception):  # noqa: N818  a finding about an answer
    """The endpoint answered, but not what it was asked."""


def _reachable(url: str) -> str:
    try:
        parts = urlsplit(url)
        known = parts.scheme in ("http", "https") and bool(parts.hostname)
        _ = parts.port
    except ValueError:
        known = False
    if not known:
        raise ValueError(f"must be an http:// or https:// address such as 'https://host/v1', not {_shown(url)}")
    if parts.username is not None or parts.password is not None or parts.query or parts.fragment:
        raise ValueError("must hold no name, password or query; a key is named by api_key_env")
    _check_with_client(url)
    return url.rstrip("/")


def _check_with_client(url: str) -> None:
    """What is an address to Python may be none to the client that must reach it."""
    from agentv_py.models.client import refusal

    why = refusal(f"{url.rstrip('/')}/{_LONGEST_PATH}")
    if why:
        raise ValueError(f"{_shown(url)} cannot be reached: {why}")


def _shown(url: str) -> str:
    return repr(url if len(url) <= _LONGEST_SHOWN else f"{url[:_LONGEST_SHOWN]}...")


def _set(name: str) -> str:
    key = os.environ.get(name, "").strip()
    if not key:
        raise ValueError(f"the environment variable {name!r} is not set")
    if not key.isascii() or not key.isprintable():
        raise ValueError(f"the environment variable {name!r} holds characters that no header can carry")
    return name


def _free(parameters: dict[str, Any]) -> dict[str, Any]:
    for name in parameters:
        if name in _OURS:
            raise ValueError(f"{name!r} is set by evalctl")
    return parameters


class Prices(Options):
    """Per million tokens, in whatever currency."""

    prompt: float = Field(ge=0, allow_inf_nan=False)
    completion: float = Field(0.0, ge=0, allow_inf_nan=False)


class Endpoint(Options):
    base_url: Annotated[str, AfterValidator(_reachable)] = Field(description="Such as https://host/v1.")
    model: str = Field(min_length=1)
    api_key_env: Annotated[str, AfterValidator(_set)] | None = Field(
        None, description="The name of the environment variable that holds the key."
    )
    timeout: float = Field(60.0, gt=0, le=1e6, allow_inf_nan=False, description="Seconds, per request.")
    retries: int = Field(3, ge=0, le=20, description="After 429, 5xx, resets and timeouts.")
    backoff: float = Field(0.5, ge=0, le=60, allow_inf_nan=False, description="Seconds before the first retry.")
    max_concurrency: int = Field(8, ge=1, le=256, description="Requests under way at once.")
    requests_per_minute: float | None = Field(None, gt=0, allow_inf_nan=False)
    prices: Prices | None = Field(None, description="Per million tokens; without them no cost is known.")
    parameters: Annotated[dict[str, Any], AfterValidator(_free)] = Field(
        default_factory=dict, description="Goes into every request as it is."
    )

    path: ClassVar[str] = ""

    @property
    def url(self) -> str:
        return f"{self.base_url}/{self.path}"

    @property
    def host(self) -> str:
        return urlsplit(self.base_url).netloc

    @property
    def at_once(self) -> int:
        """How many questions go into one request."""
        return 1

    def key(self) -> str | None:
        return None if self.api_key_env is None else os.environ.get(self.api_key_env, "").strip()

    @abstractmethod
    def body(self, payloads: Sequence[Any], *, plain: bool = False) -> dict[str, Any]:
        """The request; `plain`: for an endpoint that knows no response_format."""

    @abstractmethod
    def prompt_in(self, payloads: Sequence[Any]) -> str:
        """What of a request is the user's own, and stands in no message."""

    @abstractmethod
    def read(self, said: Any, payloads: Sequence[Any]) -> list[Any]:
        """The answer to each question. Raises Malformed."""

    @abstractmethod
    def pack(self, value: Any) -> bytes:
        """A value as the cache keeps it."""

    @abstractmethod
    def unpack(self, data: bytes, payload: Any) -> Any:
        """The value that was packed. Raises Malformed."""

    def usage(self, said: Any, asked: str) -> Usage:
        """What a response says it took; one that says nothing took a token for every four letters."""
        told = said.get("usage") if isinstance(said, dict) else None
        told = told if isinstance(told, dict) else {}
        prompt, completion = told.get("prompt_tokens"), told.get("completion_tokens")
        if not is_count(prompt):
            prompt = -(-len(asked) // _LETTERS_PER_TOKEN)
        if not is_count(completion):
            completion = _letters(said) // _LETTERS_PER_TOKEN
        return Usage(0, 0, prompt, completion, self._cost(prompt, completion))

    def _cost(self, prompt: int, completion: int) -> float | None:
        if self.prices is None:
            return None
        return cost_of(prompt, completion, self.prices.prompt, self.prices.completion)


def _letters(said: Any) -> int:
    """How much a chat completion wrote; an embedding wrote nothing."""
    if not isinstance(said, dict) or "choices" not in said:
        return 0
    return len(jsontext.dumps(said["choices"]))
