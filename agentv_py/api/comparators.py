"""Names for Python callers → lists and functions of their own as comparators: `unordered(...)`, `custom(...)`."""

from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any, Literal

from agentv_py.api.match_types import NEED_NO_OPTIONS
from agentv_py.api.options import build, suggest_names
from agentv_py.comparison.comparators import Ordered, Unordered
from agentv_py.comparison.matchers.base import Match
from agentv_py.options import Share

Comparators = Match | Unordered | Ordered | Mapping[str, Any] | str | Callable[..., Match]
"""What mirrors the data: a match type, its name, a list of rows, or a mapping of keys to comparators."""
DefaultMatch = Match | Mapping[str, Any] | str | Callable[..., Match]
"""What compares keys that are not listed: a match type, its name, or one for each of text, number and boolean."""


class Custom(Match):
    """A match type whose similarity comes from the caller's function."""

    match: Literal["custom"] = "custom"
    fn: Callable[[Any, Any], Any]
    threshold: Share = 0.8

    graded = True

    @property
    def equal_values_match(self) -> bool:
        return False

    @property
    def passes_at(self) -> float:
        return self.threshold

    def similarity(self, expected: Any, actual: Any) -> float:
        returned = self.fn(expected, actual)
        # Besides bool and float, numpy's numbers have one of these methods; a text has none.
        is_number = hasattr(returned, "__float__") or hasattr(returned, "__index__")
        similarity = float(returned) if is_number else -1.0
        if not 0.0 <= similarity <= 1.0:
            raise ValueError(f"{self.fn!r} returned {returned!r}; a similarity is a bool or a number from 0 to 1")
        return similarity


@suggest_names
def unordered(
    comparators: Comparators,
    *,
    matching: Literal["optimal", "greedy"] = "optimal",
    threshold: float = 0.0,
    key: str | Sequence[str] | None = None,
    weight: float = 1.0,
) -> Unordered:
    """A list whose rows are paired by similarity, or where their keys match: `unordered({"sku": exact}, key="sku")`."""
    options = {"matching": matching, "threshold": threshold, "key": key, "weight": weight}
    return build(Unordered, {"unordered": as_plain(comparators)} | options)


@suggest_names
def ordered(comparators: Comparators, *, weight: float = 1.0) -> Ordered:
    """A list whose rows are compared by index: `ordered({"role": exact, "message": fuzzy})`."""
    return build(Ordered, {"ordered": as_plain(comparators), "weight": weight})


@suggest_names
def custom(
    fn: Callable[[Any, Any], bool | float],
    *,
    threshold: float = 0.8,
    weight: float = 1.0,
    required: bool = True,
    any_of: bool = False,
) -> Custom:
    """A function of yours: `fn(expected, actual)` returns a bool, or a similarity, which passes at the threshold."""
    return build(Custom, locals())


def as_plain(comparators: Any) -> Any:
    """Return comparators as a suite file holds them: a dict for every mapping, and no name of a match type alone."""
    if isinstance(comparators, Mapping):
        return {key: as_plain(item) for key, item in comparators.items()}
    if isinstance(comparators, FunctionType) and comparators in NEED_NO_OPTIONS:
        return comparators()
    return comparators
