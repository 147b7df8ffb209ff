"""Embeddings of two texts → how alike the texts are; and the bytes of an embedding on disk."""

from typing import TYPE_CHECKING, Any

from agentv_py.models.endpoint import MalformedReply
from agentv_py.models.question import PLACEHOLDER_SCORE

if TYPE_CHECKING:
    import numpy as np

    Vector = np.ndarray[tuple[int], np.dtype[np.float32]]


def read_vector(numbers: Any) -> "Vector":
    """An embedding as the cache holds it, so that a fresh one and a cached one are equal. Raises MalformedReply."""
    import numpy as np

    try:
        with np.errstate(over="ignore"):  # a number that is too large becomes infinite, and is refused below
            embedding = np.asarray(numbers, dtype=np.float32)
    except (TypeError, ValueError, OverflowError):
        raise MalformedReply("an embedding is not a list of numbers") from None
    if embedding.ndim != 1 or not embedding.size or not np.isfinite(embedding).all():
        raise MalformedReply("an embedding is empty, or holds a value that is not a finite number")
    return embedding


def placeholder() -> "Vector":
    """An empty vector, the placeholder of the recording pass."""
    import numpy as np

    return np.empty(0, dtype=np.float32)


def from_bytes(data: bytes) -> "Vector":
    import numpy as np

    try:
        return read_vector(np.frombuffer(data, dtype=np.float32))
    except ValueError:
        raise MalformedReply("not the bytes of an embedding") from None


def cosine(left: "Vector", right: "Vector") -> float:
    """The cosine, 0..1: opposite directions are as unlike as unrelated ones. Raises MalformedReply."""
    import numpy as np

    if not left.size or not right.size:
        return PLACEHOLDER_SCORE
    if left.size != right.size:
        raise MalformedReply(f"embeddings of {left.size} and of {right.size} numbers cannot be compared")
    these, those = left.astype(np.float64), right.astype(np.float64)
    lengths = float(np.linalg.norm(these) * np.linalg.norm(those))
    return min(1.0, max(0.0, float(these @ those) / lengths)) if lengths else 0.0
