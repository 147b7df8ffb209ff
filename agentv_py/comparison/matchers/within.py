"""Two numbers → whether they differ by at most a share, or an amount, of the expected one."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from agentv_py.comparison.matchers.numeric_tolerance import (
    NumberMatch,
    Tolerance,
    describe_tolerance,
    explain_difference,
    nearness_matrix,
    passing_nearness,
    read_nearness,
)

if TYPE_CHECKING:
    from agentv_py.comparison.gap import Gap
    from agentv_py.comparison.matchers.base import Matrix


class Within(NumberMatch):
    """Numbers within a share, or an amount, of the expected one."""

    match: Literal["within"] = "within"
    tolerance: Tolerance = Field(description="The largest difference that passes, inclusive; 0.05 is 5 %.")
    mode: Literal["percentage", "absolute"] = "percentage"

    @property
    def passes_at(self) -> float:
        return passing_nearness(self.tolerance)

    def describe_rule(self) -> str:
        return describe_tolerance(self.tolerance, relative=self._relative) + self.describe_reading()

    def explain_gap(self, expected: Any, actual: Any, similarity: float) -> "Gap":  # noqa: ARG002  the difference says more
        return explain_difference(self, expected, actual, relative=self._relative)

    def similarity(self, expected: Any, actual: Any) -> float:
        return read_nearness(self, expected, actual, self.tolerance, relative=self._relative)

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        return nearness_matrix(expecteds, actuals, self.tolerance, relative=self._relative, read=self.reader)

    def warnings(self) -> Iterator[tuple[str, str]]:
        if self._relative and self.tolerance > 1:
            what = f"a tolerance of {self.tolerance:g} is {self.tolerance:.0%}; for an amount say mode: absolute"
            yield "tolerance", what

    @cached_property
    def _relative(self) -> bool:
        return self.mode == "percentage"
