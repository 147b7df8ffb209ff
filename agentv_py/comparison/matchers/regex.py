"""A text → whether a pattern matches the whole text, or a part of it."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, Field

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.matchers.base import Match, explain_other_than_text
from agentv_py.comparison.readers.text import compose_text

if TYPE_CHECKING:
    import regex

    from agentv_py.comparison.matchers.base import Matrix

# A usual pattern takes microseconds. One that backtracks without end is stopped.
_SECONDS = 0.5
# An expected value may take this long. Beyond that it is not known to break the pattern, and the run will tell.
_SECONDS_BEFORE_A_RUN = 0.01
# A match that takes longer is kept, because pairing compares the same text again and again.
_SLOW_SECONDS = 0.001
_MOST_SLOW_TEXTS = 100_000
_SlowKey = tuple[str, bool, bytes]
_slow_matches: dict[_SlowKey, bool | None] = {}


def check_pattern(pattern: str) -> str:
    import regex

    try:
        regex.compile(pattern)
    except (regex.error, RecursionError) as error:
        raise ValueError(f"is not a pattern: {error}") from None
    return pattern


class Regex(Match):
    """The pattern matches the whole of the actual text, or a part of it."""

    match: Literal["regex"] = "regex"
    pattern: Annotated[str, AfterValidator(check_pattern)] = Field(description="What the text must match.")
    search: bool = Field(False, description="true: the pattern matches somewhere in the text; false: the whole text.")

    scalars = frozenset({"text"})

    @property
    def equal_values_match(self) -> bool:
        return False

    def similarity(self, expected: Any, actual: Any) -> float:  # noqa: ARG002  the pattern replaces the expected value
        if type(actual) is not str:
            raise Incomparable("type mismatch")
        matches = _matches(self.pattern, compose_text(actual), search=self.search)
        if matches is None:
            raise Incomparable(f"the pattern took longer than {_SECONDS:g} s")
        return 1.0 if matches else 0.0

    def describe_rule(self) -> str:
        return f"{'a part' if self.search else 'the whole text'} matches {self.pattern}"

    def explain_unreadable(self, value: Any) -> str:
        note = explain_other_than_text(value)
        if note or _try_pattern(self.pattern, compose_text(value), self.search, _SECONDS_BEFORE_A_RUN) is not False:
            return note
        return "does not match the pattern"

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        import numpy as np

        return np.tile(super().matrix([None], actuals), (len(expecteds), 1))


def _matches(pattern: str, text: str, *, search: bool) -> bool | None:
    """Whether the pattern matches the text; None if that takes too long. A text costs the time limit only once."""
    if _slow_matches and (key := _build_key(pattern, text, search=search)) in _slow_matches:
        return _slow_matches[key]
    started = perf_counter()
    matches = _try_pattern(pattern, text, search, _SECONDS)
    if perf_counter() - started > _SLOW_SECONDS:
        _remember(_build_key(pattern, text, search=search), matches)
    return matches


def _try_pattern(pattern: str, text: str, search: bool, seconds: float) -> bool | None:
    compiled = _compile(pattern)
    match = compiled.search if search else compiled.fullmatch
    try:
        return match(text, timeout=seconds) is not None
    except TimeoutError:
        return None


def _remember(key: _SlowKey, matches: bool | None) -> None:
    if len(_slow_matches) >= _MOST_SLOW_TEXTS:
        del _slow_matches[next(iter(_slow_matches))]
    _slow_matches[key] = matches


def _build_key(pattern: str, text: str, *, search: bool) -> _SlowKey:
    """Return the pattern, how it is used, and the digest of the text, because a text can be long."""
    return pattern, search, blake2b(text.encode("utf-8", "surrogatepass")).digest()


@lru_cache(maxsize=256)
def _compile(pattern: str) -> "regex.Pattern[str]":
    import regex

    return regex.compile(compose_text(pattern))
