"""Two numbers → how near they are, relative to a tolerance."""

from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import Field

from agentv_py.match import Match
from agentv_py.readers.number import Number, read_number

Tolerance = Annotated[float, Field(ge=0, allow_inf_nan=False)]

# Differences this near to the tolerance are decided in decimal, as the numbers were written: 1.1 - 1.0 is 0.1.
_DOUBT = 1e-12
_JUST_OUTSIDE = 1e-9


class NumericTolerance(Match):
    match: Literal["numeric_tolerance"] = "numeric_tolerance"
    tolerance: Tolerance = Field(0.0, description="The largest difference that passes, inclusive.")
    relative: bool = Field(False, description="true: the difference is divided by the expected value.")

    @property
    def passes_at(self) -> float:
        return passing_nearness(self.tolerance)

    def similarity(self, expected: Any, actual: Any) -> float:
        if type(expected) is float and type(actual) is float and expected - actual == 0.0:  # so neither is infinite
            return 1.0
        return nearness(read_number(expected), read_number(actual), self.tolerance, relative=self.relative)


def passing_nearness(tolerance: float) -> float:
    return 0.5 if tolerance else 1.0


def nearness(expected: Number, actual: Number, tolerance: float, *, relative: bool) -> float:
    """1 for equal numbers, falling with their distance; `passing_nearness(tolerance)` and more is inside."""
    if expected == actual:
        return 1.0
    if Decimal in (type(expected), type(actual)) and _inside(expected, actual, 0.0, relative=False):
        return 1.0
    try:
        distance = abs(float(actual) - float(expected))
        size = abs(float(expected)) or 1.0
    except OverflowError:  # an integer beyond every float
        return 0.5 if tolerance and _inside(expected, actual, tolerance, relative=relative) else 0.0
    scale = (tolerance * size if relative else tolerance) or size
    near = 1.0 / (1.0 + distance / scale) if distance < float("inf") else 0.0
    if not tolerance:
        return min(near, 1.0 - _JUST_OUTSIDE)
    if abs(distance - scale) > _DOUBT * (distance + scale + size):
        return near
    inside = _inside(expected, actual, tolerance, relative=relative)
    return max(near, 0.5) if inside else min(near, 0.5 - _JUST_OUTSIDE)


def _inside(expected: Number, actual: Number, tolerance: float, *, relative: bool) -> bool:
    left, right, allowed = (
        Decimal(repr(n)) if isinstance(n, float) else Decimal(n) for n in (expected, actual, tolerance)
    )
    return abs(right - left) <= (allowed * abs(left) if relative and left else allowed)
