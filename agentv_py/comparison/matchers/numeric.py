"""Two numbers in any spelling → whether they are equal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from agentv_py.comparison.matchers.numeric_tolerance import NumberMatch, nearness, nearness_matrix

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix


class Numeric(NumberMatch):
    """Equal as numbers, however they are written."""

    match: Literal["numeric"] = "numeric"
    nullable: bool = Field(False, description="true: an empty value is read as 0.")

    @property
    def empty_as(self) -> Any:
        return 0 if self.nullable else None

    def describe_rule(self) -> str:
        return super().describe_rule() + (", an empty value is 0" if self.nullable else "")

    def similarity(self, expected: Any, actual: Any) -> float:
        read = self.reader
        return nearness(read(expected), read(actual), 0.0, relative=False)

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        return nearness_matrix(expecteds, actuals, 0.0, relative=False, read=self.reader)
