"""A model and a payload → a question, whose key is a hash of everything that shapes the reply; and the reply.

A model *replies*. An *answer* is always the candidate: the output of the system under test.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Protocol

from agentv_py import jsontext
from agentv_py.models.usage import Usage

# Neither alike nor unlike: no comparison of the recording pass is cut short by a perfect or a hopeless score.
PLACEHOLDER_SCORE = 0.5


class Model(Protocol):
    @property
    def url(self) -> str: ...

    @property
    def batch_size(self) -> int:
        """How many questions one request holds at most."""

    def body(self, payloads: Sequence[Any], *, plain: bool = False) -> dict[str, Any]:
        """The request: the model, its parameters, and the questions."""

    def placeholder(self, payload: Any) -> Any:
        """A value of the same shape as a reply to this payload, for the recording pass (see `models/replies.py`)."""

    def pack(self, value: Any) -> bytes: ...

    def unpack(self, data: bytes, payload: Any) -> Any:
        """The value that was packed. Raises MalformedReply."""


@dataclass(frozen=True)
class Question:
    model: Model
    payload: Any

    @cached_property
    def key(self) -> str:
        body = jsontext.dumps(self.model.body([self.payload]))
        return sha256(self.model.url.encode() + b"\0" + body).hexdigest()


@dataclass(frozen=True, slots=True)
class Reply:
    """A value, or the reason for its absence."""

    value: Any = None
    failure: tuple[str, str] | None = None
    """Kind and message."""
    usage: Usage = field(default_factory=Usage)
    seconds: float | None = None
    """How long the model took, if it was asked."""

    def as_cached(self) -> "Reply":
        """Return the same reply as a cached one: its first use has counted the usage."""
        return replace(self, usage=Usage(cached=1))


Replies = dict[str, Reply]
"""By the key of the question."""
