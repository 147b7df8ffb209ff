"""Two texts → how near their embeddings are, which an OpenAI-compatible endpoint computes."""

from collections.abc import Sequence
from typing import Any, ClassVar, Literal

from pydantic import Field

from agentv_py.models import embeddings
from agentv_py.models.backends.base import EmbeddingBackend
from agentv_py.models.endpoint import Endpoint, MalformedReply


class Embedding(EmbeddingBackend, Endpoint):
    type: Literal["embedding"] = "embedding"
    batch_size: int = Field(64, ge=1, le=2048, description="Texts in one request.")

    path: ClassVar[str] = "embeddings"

    def body(self, payloads: Sequence[str], *, plain: bool = False) -> dict[str, Any]:  # noqa: ARG002  it has no format
        return {"model": self.model, "input": list(payloads), "encoding_format": "float", **self.parameters}

    def private_text(self, payloads: Sequence[str]) -> str:
        return "\n".join(payloads)

    def read(self, response: Any, payloads: Sequence[str]) -> list[Any]:
        try:
            items = sorted(response["data"], key=lambda item: item["index"])
            vectors = [embeddings.read_vector(item["embedding"]) for item in items]
        except (TypeError, KeyError):
            raise MalformedReply("the reply is not a list of embeddings") from None
        if [item["index"] for item in items] != list(range(len(payloads))):
            raise MalformedReply(f"{len(items)} embeddings for {len(payloads)} texts")
        return vectors
