"""Same JSON type and deep-equal → 1, else 0."""

import math
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, Literal

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.readers.text import compose_text, is_same_text

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix


class Exact(Match):
    """Same JSON type and deep-equal; key order is free, list order counts."""

    match: Literal["exact"] = "exact"

    unequal_is_zero = True

    def similarity(self, expected: Any, actual: Any) -> float:
        if type(expected) is str and type(actual) is str:
            return 1.0 if is_same_text(expected, actual) else 0.0
        if is_same(expected, actual):
            return 1.0
        if not (_is_finite(expected) and _is_finite(actual)):
            raise Incomparable("not a finite number")
        if json_type(expected) != json_type(actual):
            raise Incomparable("type mismatch")
        return 0.0

    def describe_rule(self) -> str:
        return "the same value"

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        import numpy as np

        codes: dict[Hashable, int] = {}
        left, right = (
            np.array([codes.setdefault(identity_of(v), len(codes)) for v in s]) for s in (expecteds, actuals)
        )
        return np.where(left[:, None] == right[None, :], 1.0, 0.0)


def identity_of(value: Any) -> Hashable:
    """Return a key that is equal for two values exactly if `is_same` is true of them."""
    if type(value) is str:
        return ("string", compose_text(value))
    if isinstance(value, float) and not math.isfinite(value):
        return object()
    if isinstance(value, dict):
        return ("object", frozenset((key, identity_of(item)) for key, item in value.items()))
    if isinstance(value, list):
        return ("array", tuple(map(identity_of, value)))
    return (json_type(value), value)


def is_same(expected: Any, actual: Any) -> bool:
    """Whether two JSON values are deep-equal: 1 is 1.0, but not true or "1"; key order is free, NaN equals nothing.

    Canonically equivalent texts are the same. Keys are names, and they are compared character by character.
    """
    kind = type(expected)
    if kind is not type(actual):
        return json_type(expected) == json_type(actual) == "number" and expected == actual and _is_finite(expected)
    if kind is str:
        return is_same_text(expected, actual)
    if kind is dict:
        return expected.keys() == actual.keys() and all(is_same(expected[key], actual[key]) for key in expected)
    if kind is list:
        return len(expected) == len(actual) and all(map(is_same, expected, actual))
    return bool(expected == actual) and (not isinstance(expected, float) or math.isfinite(expected))


def json_type(value: Any) -> str:
    if isinstance(value, str):
        return "string"
    if isinstance(value, bool):  # bool is an int in Python but not in JSON
        return "boolean"
    if isinstance(value, int | float):
        return "number"
    if isinstance(value, dict):
        return "object"
    return "array" if isinstance(value, list) else "null"


def _is_finite(value: Any) -> bool:
    return not isinstance(value, float) or math.isfinite(value)
