"""Two numbers in any spelling → whether they are equal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.matchers.numeric_tolerance import nearness, nearness_matrix
from agentv_py.comparison.readers.number import DecimalMark, read_number

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix


class Numeric(Match):
    """Equal as numbers, however they are written."""

    match: Literal["numeric"] = "numeric"
    nullable: bool = Field(False, description="true: an empty value is read as 0.")
    decimal: DecimalMark = Field(".", description="The decimal mark of numbers written as text.")

    equal_numbers_match = True

    @property
    def empty_as(self) -> Any:
        return 0 if self.nullable else None

    def similarity(self, expected: Any, actual: Any) -> float:
        left, right = read_number(expected, self.decimal), read_number(actual, self.decimal)
        return nearness(left, right, 0.0, relative=False)

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        return nearness_matrix(expecteds, actuals, 0.0, relative=False, decimal=self.decimal)
