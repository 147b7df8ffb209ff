"""A text → whether a pattern matches the whole of it."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, Field

from agentv_py.comparison.matchers.base import Incomparable, Match

if TYPE_CHECKING:
    import regex

    from agentv_py.comparison.matchers.base import Matrix

# A sane pattern takes microseconds; one that backtracks without end is not worth waiting for.
_SECONDS = 0.5
# What takes longer than this is remembered: pairing asks for the same text again and again.
_SLOW_SECONDS = 0.001
_MOST_SLOW_TEXTS = 100_000
_slow_matches: dict[tuple[str, bytes], bool | None] = {}


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


def _matches(pattern: str, text: str) -> bool | None:
    """Whether the pattern matches the text; None where that takes too long, which costs the time limit only once."""
    if _slow_matches and (key := _key(pattern, text)) in _slow_matches:
        return _slow_matches[key]
    compiled, started = _compiled(pattern), perf_counter()
    try:
        matches: bool | None = compiled.fullmatch(text, timeout=_SECONDS) is not None
    except TimeoutError:
        matches = None
    if perf_counter() - started > _SLOW_SECONDS:
        _remember(_key(pattern, text), matches)
    return matches


def _remember(key: tuple[str, bytes], matches: bool | None) -> None:
    if len(_slow_matches) >= _MOST_SLOW_TEXTS:
        del _slow_matches[next(iter(_slow_matches))]
    _slow_matches[key] = matches


def _key(pattern: str, text: str) -> tuple[str, bytes]:
    """The text's digest instead of the text, which can be long."""
    return pattern, blake2b(text.encode("utf-8", "surrogatepass")).digest()


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> "regex.Pattern[str]":
    import regex

    return regex.compile(pattern)
