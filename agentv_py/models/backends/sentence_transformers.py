"""Two texts → how near their embeddings are, as a sentence-transformers model on this machine makes them."""

from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from agentv_py.models import embeddings
from agentv_py.models.backends.base import Backend, BackendFailed
from agentv_py.models.backends.embedding import similarities_of


class SentenceTransformers(Backend):
    type: Literal["sentence_transformers"] = "sentence_transformers"
    model: str = Field("all-MiniLM-L6-v2", min_length=1, description="Its name, or the path of its folder.")
    batch_size: int = Field(64, ge=1, le=2048, description="Texts at once.")

    asks: ClassVar[bool] = True
    url: ClassVar[str] = "sentence-transformers"

    @model_validator(mode="after")
    def _installed(self) -> "SentenceTransformers":
        if find_spec("sentence_transformers") is None:
            raise ValueError("sentence-transformers is not installed; pip install 'agentv-py[local]'")
        return self

    @property
    def at_once(self) -> int:
        return self.batch_size

    def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return similarities_of(self, pairs)

    def body(self, payloads: Sequence[str], *, plain: bool = False) -> dict[str, Any]:  # noqa: ARG002  nothing is sent
        return {"model": self.model, "input": list(payloads)}

    def compute(self, texts: Sequence[str]) -> list[Any]:
        try:
            found = _loaded(self.model).encode(list(texts), batch_size=self.batch_size, show_progress_bar=False)
            return [embeddings.vector(row) for row in found]
        except Exception as error:  # noqa: BLE001  whatever a model's code raises, the case is errored
            raise BackendFailed("model", f"{self.model}: {error}") from None

    def pack(self, value: Any) -> bytes:
        return bytes(value.tobytes())

    def unpack(self, data: bytes, payload: str) -> Any:  # noqa: ARG002  its text is in the key
        return embeddings.from_bytes(data)


@lru_cache(maxsize=2)
def _loaded(model: str) -> Any:
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(model)
