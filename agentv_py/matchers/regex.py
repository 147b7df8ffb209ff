"""A text → whether a pattern matches the whole of it."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, Field

from agentv_py.match import Incomparable, Match

if TYPE_CHECKING:
    import regex

    from agentv_py.match import Matrix

# A sane pattern takes microseconds; one that backtracks without end is not worth waiting for.
_SECONDS = 0.5


def _compiles(pattern: str) -> str:
    import regex

    try:
        regex.compile(pattern)
    except (regex.error, RecursionError) as error:
        raise ValueError(f"is not a pattern: {error}") from None
    return pattern


class Regex(Match):
    """The pattern matches the whole of the actual text."""

    match: Literal["regex"] = "regex"
    pattern: Annotated[str, AfterValidator(_compiles)] = Field(description="Must match the whole text.")

    def similarity(self, expected: Any, actual: Any) -> float:  # noqa: ARG002  the pattern is what is expected
        if type(actual) is not str:
            raise Incomparable("type mismatch")
        matched = _matches(self.pattern, actual)
        if matched is None:
            raise Incomparable(f"the pattern took longer than {_SECONDS:g} s")
        return 1.0 if matched else 0.0

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        import numpy as np

        return np.tile(super().matrix([None], actuals), (len(expecteds), 1))


@lru_cache(maxsize=1024)
def _matches(pattern: str, text: str) -> bool | None:
    """None where it took too long; remembered, because pairing asks for the same text again and again."""
    try:
        return _compiled(pattern).fullmatch(text, timeout=_SECONDS) is not None
    except TimeoutError:
        return None


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> "regex.Pattern[str]":
    import regex

    return regex.compile(pattern)
