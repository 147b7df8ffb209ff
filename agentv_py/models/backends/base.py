"""What a backend is: options, and how alike two texts are in meaning."""

from collections.abc import Sequence
from typing import ClassVar

from agentv_py.options import Options


class BackendFailed(Exception):  # noqa: N818  it is what happened
    """A backend could not do its work; the case is errored, which is not a similarity of 0."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class Backend(Options):
    """Options and one method. Every backend has a `type`, which selects it."""

    asks: ClassVar[bool] = False
    """Whether a model is asked, so that it pays to know the questions of many cases beforehand."""

    def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """How alike the texts of each pair are, 0..1, in the order of the pairs. Raises BackendFailed."""
        raise BackendFailed("backend", f"{type(self).__name__} compares nothing: {len(pairs)} pairs")
