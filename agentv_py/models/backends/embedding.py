"""Two texts → how near their embeddings are, as an OpenAI-compatible endpoint makes them."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from agentv_py.models import embeddings
from agentv_py.models.answers import ask
from agentv_py.models.backends.base import Backend, BackendFailed
from agentv_py.models.endpoint import Endpoint, Malformed
from agentv_py.models.question import Question

UNKNOWN = 0.5
"""Of a pair whose answer is only noted for now: neither alike nor unlike, so that every other pair is asked for too."""


class Embedding(Endpoint, Backend):
    type: Literal["embedding"] = "embedding"
    batch_size: int = Field(64, ge=1, le=2048, description="Texts in one request.")

    path: ClassVar[str] = "embeddings"
    asks: ClassVar[bool] = True

    @property
    def at_once(self) -> int:
        return self.batch_size

    def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return similarities_of(self, pairs)

    def body(self, payloads: Sequence[str], *, plain: bool = False) -> dict[str, Any]:  # noqa: ARG002  it has no format
        return {"model": self.model, "input": list(payloads), "encoding_format": "float", **self.parameters}

    def prompt_in(self, payloads: Sequence[str]) -> str:
        return "\n".join(payloads)

    def read(self, said: Any, payloads: Sequence[str]) -> list[Any]:
        try:
            rows = sorted(said["data"], key=lambda row: row["index"])
            found = [embeddings.vector(row["embedding"]) for row in rows]
        except (TypeError, KeyError):
            raise Malformed("the answer is not a list of embeddings") from None
        if [row["index"] for row in rows] != list(range(len(payloads))):
            raise Malformed(f"{len(rows)} embeddings for {len(payloads)} texts")
        return found

    def pack(self, value: Any) -> bytes:
        return bytes(value.tobytes())

    def unpack(self, data: bytes, payload: str) -> Any:  # noqa: ARG002  its text is in the key
        return embeddings.from_bytes(data)


def similarities_of(model: Any, pairs: Sequence[tuple[str, str]]) -> list[float]:
    """Of every pair, with each text asked for once; equal texts are alike whatever a model says."""
    texts = dict.fromkeys(text for pair in pairs if pair[0] != pair[1] for text in pair)
    found = dict(zip(texts, ask([Question(model, text) for text in texts]), strict=True))
    try:
        return [1.0 if left == right else _similarity(found[left], found[right]) for left, right in pairs]
    except Malformed as problem:
        raise BackendFailed("malformed", str(problem)) from None


def _similarity(left: Any, right: Any) -> float:
    return UNKNOWN if left is None or right is None else embeddings.cosine(left, right)
