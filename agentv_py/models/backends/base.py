"""Two texts → how alike they are in meaning: the contract of a backend, and the part that embeddings share."""

from collections.abc import Sequence
from typing import Any, ClassVar

from agentv_py.errors import EvaluationError
from agentv_py.models import embeddings
from agentv_py.models.endpoint import MalformedReply
from agentv_py.models.question import Question
from agentv_py.models.replies import ask
from agentv_py.options import Options


class Backend(Options):
    """Options and one method. Every backend has a `type`, which selects it."""

    uses_model: ClassVar[bool] = False
    """Whether it asks a model, with `ask`; the contract is in `models/replies.py`."""

    def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return how alike the texts of each pair are, 0..1, in the order of the pairs. Raises EvaluationError."""
        raise EvaluationError("backend", f"{type(self).__name__} compares nothing: {len(pairs)} pairs")


class EmbeddingBackend(Backend):
    """Asks a model for the embedding of each text, and compares embeddings."""

    uses_model: ClassVar[bool] = True

    def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Ask for each text once. Equal texts have the similarity 1 and are not asked for."""
        model: Any = self
        texts = dict.fromkeys(text for pair in pairs if pair[0] != pair[1] for text in pair)
        vectors = dict(zip(texts, ask([Question(model, text) for text in texts]), strict=True))
        try:
            return [1.0 if left == right else embeddings.cosine(vectors[left], vectors[right]) for left, right in pairs]
        except MalformedReply as problem:
            raise EvaluationError("malformed", str(problem)) from None

    def placeholder(self, payload: str) -> Any:  # noqa: ARG002  it is the same for every text
        return embeddings.placeholder()

    def pack(self, value: Any) -> bytes:
        return bytes(value.tobytes())

    def unpack(self, data: bytes, payload: str) -> Any:  # noqa: ARG002  the text is part of the key
        return embeddings.from_bytes(data)
