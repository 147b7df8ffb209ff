"""What is asked of a model, under a hash of everything that shapes the answer; and what came of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Protocol

from agentv_py import jsontext
from agentv_py.models.usage import Usage


class Model(Protocol):
    @property
    def url(self) -> str: ...

    @property
    def at_once(self) -> int:
        """How many questions go into one request."""

    def body(self, payloads: Sequence[Any], *, plain: bool = False) -> dict[str, Any]:
        """The request: the model, its parameters, and what is asked."""

    def pack(self, value: Any) -> bytes: ...

    def unpack(self, data: bytes, payload: Any) -> Any:
        """The value that was packed. Raises Malformed."""


@dataclass(frozen=True)
class Question:
    model: Model
    payload: Any

    @cached_property
    def key(self) -> str:
        body = jsontext.dumps(self.model.body([self.payload]))
        return sha256(self.model.url.encode() + b"\0" + body).hexdigest()


@dataclass(frozen=True, slots=True)
class Answer:
    """A value, or why there is none."""

    value: Any = None
    failure: tuple[str, str] | None = None
    """Kind and message."""
    usage: Usage = field(default_factory=Usage)

    def again(self) -> "Answer":
        """The same for whoever asks next: it takes nothing more."""
        return replace(self, usage=Usage(cached=1))


Answers = dict[str, Answer]
"""By the key of the question."""
