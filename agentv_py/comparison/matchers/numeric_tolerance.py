"""Two numbers → a similarity that falls with their difference, relative to a tolerance."""

import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import cached_property, partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.matchers.base import Match, explain_failure
from agentv_py.comparison.readers.number import DecimalMark, Number, read_number
from agentv_py.options import build_list

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agentv_py.comparison.gap import Gap
    from agentv_py.comparison.matchers.base import Matrix

    Floats = NDArray[np.float64]

NumberReader = Callable[[Any], Number]
Tolerance = Annotated[float, Field(ge=0, allow_inf_nan=False)]

# A difference this close to the tolerance is computed in decimal, as the numbers were written: 1.1 - 1.0 is 0.1.
_DOUBT = 1e-12
_WIDE_DOUBT = 4 * _DOUBT
_JUST_OUTSIDE = 1e-9
_MOST_EXACT = 2**53
_MOST_ADDED = 1e300
"""Sums of greater numbers may be infinite."""


class NumberMatch(Match):
    """A match type whose values are numbers, as JSON or as text."""

    decimal: DecimalMark = Field(
        ".", description="The decimal mark of numbers written as text. auto: either one, where only one is possible."
    )
    strip: list[Annotated[str, Field(min_length=1)]] = Field(
        default_factory=build_list, description="Literal marks to remove from text before it is read."
    )

    scalars = frozenset({"text", "number"})
    always_read = frozenset({int, float})

    def describe_rule(self) -> str:
        return f"equal numbers{self.describe_reading()}"

    def explain_gap(self, expected: Any, actual: Any, similarity: float) -> "Gap":  # noqa: ARG002  the difference says more
        from agentv_py.comparison.gap import describe_difference

        return describe_difference(self.reader(expected), self.reader(actual))

    def describe_reading(self) -> str:
        """Return how numbers are written, as the end of a phrase; empty if they are written in the usual way."""
        mark = "" if self.decimal == "." else f", decimal {self.decimal!r}"
        return mark + (f", without {' '.join(map(repr, self.strip))}" if self.strip else "")

    def explain_unreadable(self, value: Any) -> str:
        return explain_failure(self.reader, value)

    def suggest_reading(self, value: Any) -> str:
        if self.decimal == "auto":
            return ""
        read = partial(read_number, decimal="auto", strip=tuple(self.strip))
        return "" if explain_failure(read, value) else "decimal: auto"

    @cached_property
    def reader(self) -> NumberReader:
        if self.decimal == "." and not self.strip:
            return read_number
        return partial(read_number, decimal=self.decimal, strip=tuple(self.strip))


class NumericTolerance(NumberMatch):
    """Numbers at most a tolerance apart."""

    match: Literal["numeric_tolerance"] = "numeric_tolerance"
    tolerance: Tolerance = Field(0.0, description="The largest difference that passes, inclusive.")
    relative: bool = Field(False, description="true: the difference is divided by the expected value.")

    @property
    def passes_at(self) -> float:
        return passing_nearness(self.tolerance)

    def describe_rule(self) -> str:
        return describe_tolerance(self.tolerance, relative=self.relative) + self.describe_reading()

    def explain_gap(self, expected: Any, actual: Any, similarity: float) -> "Gap":  # noqa: ARG002  as above
        return explain_difference(self, expected, actual, relative=self.relative)

    def similarity(self, expected: Any, actual: Any) -> float:
        return read_nearness(self, expected, actual, self.tolerance, relative=self.relative)

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        return nearness_matrix(expecteds, actuals, self.tolerance, relative=self.relative, read=self.reader)


def describe_tolerance(tolerance: float, *, relative: bool) -> str:
    if not tolerance:
        return "equal numbers"
    return f"difference ≤ {100 * tolerance:.10g} % of expected" if relative else f"difference ≤ {tolerance:.10g}"


def explain_difference(match: NumberMatch, expected: Any, actual: Any, *, relative: bool) -> "Gap":
    """Return the gap of two numbers that a tolerance bounds. Raises Incomparable."""
    from agentv_py.comparison.gap import describe_difference

    return describe_difference(match.reader(expected), match.reader(actual), relative=relative, option="tolerance")


def passing_nearness(tolerance: float) -> float:
    return 0.5 if tolerance else 1.0


def read_nearness(match: NumberMatch, expected: Any, actual: Any, tolerance: float, *, relative: bool) -> float:
    """Return the `nearness` of two values, read as numbers. Raises Incomparable."""
    if type(expected) is float and type(actual) is float and -math.inf < actual - expected < math.inf:
        return nearness(
            expected, actual, tolerance, relative=relative
        )  # both are finite floats, so there is nothing to read
    left = expected if type(expected) is int else match.reader(expected)
    right = actual if type(actual) is int else match.reader(actual)
    return nearness(left, right, tolerance, relative=relative)


def nearness(expected: Number, actual: Number, tolerance: float, *, relative: bool) -> float:
    """Return 1 for equal numbers, and less for others; at least `passing_nearness` within the tolerance."""
    if expected == actual:
        return 1.0
    if type(expected) is float and type(actual) is float:
        distance, size = abs(actual - expected), abs(expected) or 1.0
    else:
        if Decimal in (type(expected), type(actual)) and _is_inside(expected, actual, 0.0, relative=False):
            return 1.0
        try:
            distance = abs(float(actual) - float(expected))
            size = abs(float(expected)) or 1.0
        except OverflowError:  # an integer beyond every float
            return 0.5 if tolerance and _is_inside(expected, actual, tolerance, relative=relative) else 0.0
    scale = (tolerance * size if relative else tolerance) or size
    near = 1.0 / (1.0 + distance / scale) if distance < float("inf") else 0.0
    if not tolerance:
        return min(near, 1.0 - _JUST_OUTSIDE)
    if abs(distance - scale) > _DOUBT * (distance + scale + size):
        return near
    is_inside = _is_inside(expected, actual, tolerance, relative=relative)
    return max(near, 0.5) if is_inside else min(near, 0.5 - _JUST_OUTSIDE)


def nearness_matrix(
    expecteds: Sequence[Any], actuals: Sequence[Any], tolerance: float, *, relative: bool, read: NumberReader
) -> "Matrix":
    """Return the `nearness` of all pairs at once; the few pairs that floats cannot decide are computed one by one."""
    import numpy as np

    (left, rows), (right, columns) = (_read_numbers(values, read) for values in (expecteds, actuals))
    with np.errstate(all="ignore"):  # an infinity marks a pair that is computed below
        distance = columns[None, :] - rows[:, None]
        np.abs(distance, out=distance)  # a large matrix takes less time where it is than in new memory
        size = np.where(rows == 0.0, 1.0, np.abs(rows))[:, None]
        scale = tolerance * size if relative else np.full_like(size, tolerance)
        scale = np.where(scale == 0.0, size, scale)  # no tolerance, or one too small for a float
        near: Matrix = distance / scale
        near += 1.0
        np.divide(1.0, near, out=near)
        doubt = (np.isinf(rows)[:, None] | np.isinf(scale)) | np.isinf(columns)[None, :]
        if tolerance:  # somewhat wider than in `nearness`, so that one bound serves the whole row
            bound = np.where(scale + size < _MOST_ADDED, _WIDE_DOUBT * (scale + size), np.inf)
            distance -= scale
            doubt |= np.abs(distance, out=distance) <= bound
        else:
            near = np.where(distance > 0.0, np.minimum(near, 1.0 - _JUST_OUTSIDE), near)
    doubt &= ~np.isnan(rows)[:, None] & ~np.isnan(columns)[None, :]
    for row, column in np.argwhere(doubt):
        near[row, column] = nearness(left[row], right[column], tolerance, relative=relative)
    return near


def _read_numbers(values: Sequence[Any], read: NumberReader) -> "tuple[Sequence[Number | None], Floats]":
    """Read the values, and return them as floats, too. Finite floats are what they are, and need not be read."""
    import numpy as np

    if set(map(type, values)) == {float} and np.isfinite(floats := np.array(values)).all():
        return values, floats
    numbers = [_read_or_none(value, read) for value in values]
    return numbers, np.array([_to_float(number) for number in numbers])


def _read_or_none(value: Any, read: NumberReader) -> Number | None:
    try:
        return read(value)
    except Incomparable:
        return None


def _to_float(number: Number | None) -> float:
    """Return NaN for None, and infinity for a number that a float would round."""
    if number is None:
        return math.nan
    exact = type(number) is float or (type(number) is int and -_MOST_EXACT <= number <= _MOST_EXACT)
    return float(number) if exact else math.inf


def _is_inside(expected: Number, actual: Number, tolerance: float, *, relative: bool) -> bool:
    numbers = (expected, actual, tolerance)
    left, right, allowed = (Decimal(repr(n)) if isinstance(n, float) else Decimal(n) for n in numbers)
    return abs(right - left) <= (allowed * abs(left) if relative and left else allowed)
