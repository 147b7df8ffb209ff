"""Two texts → how near their embeddings are, which a sentence-transformers model computes on this machine."""

from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from agentv_py.errors import EvaluationError
from agentv_py.models import embeddings
from agentv_py.models.backends.base import EmbeddingBackend


class SentenceTransformers(EmbeddingBackend):
    type: Literal["sentence_transformers"] = "sentence_transformers"
    model: str = Field("all-MiniLM-L6-v2", min_length=1, description="Its name, or the path of its folder.")
    batch_size: int = Field(64, ge=1, le=2048, description="Texts at once.")

    url: ClassVar[str] = "sentence-transformers"

    @model_validator(mode="after")
    def _check_installation(self) -> "SentenceTransformers":
        if find_spec("sentence_transformers") is None:
            raise ValueError("sentence-transformers is not installed; pip install 'agentv-py[local]'")
        return self

    def body(self, payloads: Sequence[str], *, plain: bool = False) -> dict[str, Any]:  # noqa: ARG002  nothing is sent
        return {"model": self.model, "input": list(payloads)}

    def compute(self, texts: Sequence[str]) -> list[Any]:
        try:
            rows = _load(self.model).encode(list(texts), batch_size=self.batch_size, show_progress_bar=False)
            return [embeddings.read_vector(row) for row in rows]
        except Exception as error:  # noqa: BLE001  a model's code may raise anything; the case becomes an error
            raise EvaluationError("model", f"{self.model}: {error}") from None


@lru_cache(maxsize=2)
def _load(model: str) -> Any:
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(model)
