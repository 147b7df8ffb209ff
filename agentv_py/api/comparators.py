"""What Python callers compare with: exact, within(...), unordered(...)."""

import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, TypeVar

from pydantic import ValidationError

from agentv_py.api.custom_match import Custom
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
from agentv_py.options import Options
from agentv_py.suite.locate import problems_of

_Model = TypeVar("_Model", bound=Options)

Comparators = Match | Unordered | Ordered | Mapping[str, Any] | str

exact = Exact()
"""Same JSON type and deep-equal."""
fuzzy = Fuzzy()
"""Text of a normalised similarity: `fuzzy(threshold=0.8, algorithm="jaro_winkler")`."""
numeric = Numeric()
"""Equal as numbers, however they are written: `numeric(nullable=True, decimal=",")`."""
numeric_tolerance = NumericTolerance()
"""Numbers at most a tolerance apart: `numeric_tolerance(tolerance=0.01, relative=True)`."""
date = Date()
"""The same calendar day: `date(formats=["DD/MM/YYYY"])`."""
name = Name()
"""The same person or company, whatever the case, punctuation, accents and legal form: `name(threshold=0.95)`."""
contains = Contains()
"""The actual text contains the expected one: `contains(substring="paid", case_sensitive=False)`."""
semantic = Semantic()
"""Text of like meaning, as a backend says: `semantic(threshold=0.7, backend="lexical")`."""
iou = Iou()
"""Boxes or polygons that overlap: `iou(format="xywh", threshold=0.7)`."""
presence = Presence()
"""Both present or both empty."""
ignore = Ignore()
"""Never counts."""


def within(tolerance: float, mode: Literal["percentage", "absolute"] = "percentage", **options: Any) -> Within:
    """Numbers within a share (0.05 is 5 %) or, with mode="absolute", an amount of the expected one."""
    match = Within(tolerance=tolerance, mode=mode, **options)
    for _, what in match.doubts():
        warnings.warn(what, stacklevel=2)
    return match


def distance(
    threshold: float, metric: Literal["euclidean", "manhattan", "cosine"] = "euclidean", **options: Any
) -> Distance:
    """Points or vectors at most so far apart."""
    return Distance(threshold=threshold, metric=metric, **options)


def one_of(values: Iterable[Any], **options: Any) -> OneOf:
    """Equal to the expected value, and one of these."""
    if isinstance(values, str):
        raise TypeError("one_of takes a list of values, not a text")
    return OneOf(values=list(values), **options)


def regex(pattern: str, **options: Any) -> Regex:
    """The pattern matches the whole of the actual text."""
    return Regex(pattern=pattern, **options)


def unordered(
    comparators: Comparators,
    *,
    matching: Literal["optimal", "greedy"] = "optimal",
    threshold: float = 0.0,
    key: str | list[str] | None = None,
    weight: float = 1.0,
) -> Unordered:
    """A list whose rows are paired by similarity, or where a key is equal; what it is given stays as it is."""
    options = {"matching": matching, "threshold": threshold, "key": key, "weight": weight}
    return built(Unordered, {"unordered": written(comparators)} | options)


def ordered(comparators: Comparators, *, weight: float = 1.0) -> Ordered:
    """A list whose rows are compared by index."""
    return built(Ordered, {"ordered": written(comparators), "weight": weight})


def custom(fn: Callable[[Any, Any], bool | float], *, threshold: float = 0.8, **options: Any) -> Custom:
    """`fn(expected, actual)` returns a bool, or a similarity that passes at the threshold and is then the score."""
    return Custom(fn=fn, threshold=threshold, **options)


def written(comparators: Any) -> Any:
    """As a suite would spell it: every mapping is a plain one."""
    if not isinstance(comparators, Mapping):
        return comparators
    return {key: written(one) for key, one in comparators.items()}


def built(model: type[_Model], options: dict[str, Any]) -> _Model:
    """The model, or everything that is wrong with its options, in the words a suite file gets."""
    try:
        return model.model_validate(options)
    except ValidationError as error:
        raise ValueError("\n".join(map(str, problems_of(error, model, options, "", None)))) from None
