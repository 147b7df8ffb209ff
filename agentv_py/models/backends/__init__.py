"""Two texts → how alike they are in meaning. The union of backends is the registry."""

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from agentv_py.models.backends.embedding import Embedding
from agentv_py.models.backends.lexical import Lexical
from agentv_py.models.backends.llm import Llm
from agentv_py.models.backends.sentence_transformers import SentenceTransformers

__all__ = ["AnyBackend", "Embedding", "Lexical", "Llm", "SentenceTransformers"]


def _wrap_name(backend: Any) -> Any:
    return {"type": backend} if isinstance(backend, str) else backend


_Member = Annotated[Lexical | Embedding | Llm | SentenceTransformers, Field(discriminator="type")]
AnyBackend = Annotated[
    Lexical | Embedding | Llm | SentenceTransformers,
    Field(discriminator="type"),
    BeforeValidator(_wrap_name, json_schema_input_type=_Member | str),
]
"""A backend, or its name alone."""
