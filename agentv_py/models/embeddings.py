"""Vectors that stand for texts → how alike the texts are; and their bytes on disk."""

from typing import TYPE_CHECKING, Any

from agentv_py.models.endpoint import Malformed

if TYPE_CHECKING:
    import numpy as np

    Vector = np.ndarray[tuple[int], np.dtype[np.float32]]


def vector(numbers: Any) -> "Vector":
    """As it is kept: fresh and from the cache the same. Raises Malformed."""
    import numpy as np

    try:
        with np.errstate(over="ignore"):  # what is too large becomes infinite, and is refused below
            found = np.asarray(numbers, dtype=np.float32)
    except (TypeError, ValueError, OverflowError):
        raise Malformed("an embedding is not a list of numbers") from None
    if found.ndim != 1 or not found.size or not np.isfinite(found).all():
        raise Malformed("an embedding is empty, or holds what is not a finite number")
    return found


def from_bytes(data: bytes) -> "Vector":
    import numpy as np

    try:
        return vector(np.frombuffer(data, dtype=np.float32))
    except ValueError:
        raise Malformed("not the bytes of an embedding") from None


def cosine(left: "Vector", right: "Vector") -> float:
    """0..1: what points the other way is as unlike as what has nothing in common. Raises Malformed."""
    import numpy as np

    if left.size != right.size:
        raise Malformed(f"embeddings of {left.size} and of {right.size} numbers cannot be compared")
    these, those = left.astype(np.float64), right.astype(np.float64)
    lengths = float(np.linalg.norm(these) * np.linalg.norm(those))
    return min(1.0, max(0.0, float(these @ those) / lengths)) if lengths else 0.0
