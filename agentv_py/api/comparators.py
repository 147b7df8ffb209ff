"""Names for Python callers → match types and lists of the comparison: exact, within(...), unordered(...)."""

import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar

from pydantic import ValidationError

from agentv_py.comparison.comparators import Ordered, Unordered
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.matchers.contains import Contains
from agentv_py.comparison.matchers.date import Date
from agentv_py.comparison.matchers.distance import Distance
from agentv_py.comparison.matchers.exact import Exact
from agentv_py.comparison.matchers.fuzzy import Fuzzy
from agentv_py.comparison.matchers.ignore import Ignore
from agentv_py.comparison.matchers.iou import Iou
from agentv_py.comparison.matchers.name import Name
from agentv_py.comparison.matchers.numeric import Numeric
from agentv_py.comparison.matchers.numeric_tolerance import NumericTolerance
from agentv_py.comparison.matchers.one_of import OneOf
from agentv_py.comparison.matchers.presence import Presence
from agentv_py.comparison.matchers.regex import Regex
from agentv_py.comparison.matchers.semantic import Semantic
from agentv_py.comparison.matchers.within import Within
from agentv_py.options import Options, Share
from agentv_py.suite.locate import list_problems

_AnyOptions = TypeVar("_AnyOptions", bound=Options)

Comparators = Match | Unordered | Ordered | Mapping[str, Any] | str

exact = Exact()
"""Same JSON type and deep-equal."""
fuzzy = Fuzzy()
"""Text of a similar spelling: `fuzzy(threshold=0.8, algorithm="jaro_winkler")`."""
numeric = Numeric()
"""Equal as numbers, however they are written: `numeric(nullable=True, decimal="auto", strip=["x"])`."""
numeric_tolerance = NumericTolerance()
"""Numbers at most a tolerance apart: `numeric_tolerance(tolerance=0.01, relative=True, decimal=",")`."""
date = Date()
"""The same calendar day: `date(formats=["DD/MM/YYYY"])`, `date(language=["de", "fr"])`."""
name = Name()
"""The same person or company, whatever its case, accents, legal form and middle names: `name(threshold=0.95)`."""
contains = Contains()
"""The actual text contains the expected one: `contains(substring="paid", case_sensitive=False)`."""
semantic = Semantic()
"""Text of a similar meaning, as a backend rates it: `semantic(threshold=0.7, backend="lexical")`."""
iou = Iou()
"""Boxes or polygons that overlap: `iou(format="xywh", threshold=0.7)`."""
presence = Presence()
"""Both present or both empty."""
ignore = Ignore()
"""Never counts."""


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


def within(tolerance: float, mode: Literal["percentage", "absolute"] = "percentage", **options: Any) -> Within:
    """A number at most a share (0.05 is 5 %) or, with mode="absolute", an amount away from the expected one."""
    match = Within(tolerance=tolerance, mode=mode, **options)
    for _, message in match.warnings():
        warnings.warn(message, stacklevel=2)
    return match


def distance(
    threshold: float, metric: Literal["euclidean", "manhattan", "cosine"] = "euclidean", **options: Any
) -> Distance:
    """Points or vectors whose distance is at most the threshold."""
    return Distance(threshold=threshold, metric=metric, **options)


def one_of(values: Iterable[Any], **options: Any) -> OneOf:
    """A value that equals the expected one, and is one of these."""
    if isinstance(values, str):
        raise TypeError("one_of takes a list of values, not a text")
    return OneOf(values=list(values), **options)


def regex(pattern: str, **options: Any) -> Regex:
    """An actual text that the pattern matches as a whole; with `search=True`, somewhere."""
    return Regex(pattern=pattern, **options)


def unordered(
    comparators: Comparators,
    *,
    matching: Literal["optimal", "greedy"] = "optimal",
    threshold: float = 0.0,
    key: str | list[str] | None = None,
    weight: float = 1.0,
) -> Unordered:
    """A list whose rows are paired by similarity, or where their keys match. The comparators are not changed."""
    options = {"matching": matching, "threshold": threshold, "key": key, "weight": weight}
    return build(Unordered, {"unordered": as_plain(comparators)} | options)


def ordered(comparators: Comparators, *, weight: float = 1.0) -> Ordered:
    """A list whose rows are compared by index."""
    return build(Ordered, {"ordered": as_plain(comparators), "weight": weight})


def custom(fn: Callable[[Any, Any], bool | float], *, threshold: float = 0.8, **options: Any) -> Custom:
    """`fn(expected, actual)` returns a bool or a similarity. It is the score, and passes at the threshold."""
    return Custom(fn=fn, threshold=threshold, **options)


def as_plain(comparators: Any) -> Any:
    """Return the comparators as a suite file holds them, with a dict for every mapping."""
    if not isinstance(comparators, Mapping):
        return comparators
    return {key: as_plain(item) for key, item in comparators.items()}


def build(kind: type[_AnyOptions], options: dict[str, Any]) -> _AnyOptions:
    """Validate options. Raises ValueError with every problem, in the words of the messages about a suite file."""
    try:
        return kind.model_validate(options)
    except ValidationError as error:
        raise ValueError("\n".join(map(str, list_problems(error, kind, options, "", None)))) from None
