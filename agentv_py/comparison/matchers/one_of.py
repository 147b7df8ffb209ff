"""Two values → whether they are equal, and one of the allowed values."""

from typing import Any, Literal

from pydantic import Field

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.matchers.exact import is_same

_NOT_ALLOWED = "not one of the values"


class OneOf(Match):
    """Equal to the expected value, and one of those allowed."""

    match: Literal["one_of"] = "one_of"
    values: list[Any] = Field(min_length=1, description="What is allowed.")

    @property
    def equal_values_match(self) -> bool:
        return False

    @property
    def reads_lists(self) -> bool:
        """Whether a list is one value, because a list is allowed. Otherwise each of its elements must be allowed."""
        return any(isinstance(value, list) for value in self.values)

    def similarity(self, expected: Any, actual: Any) -> float:
        if not any(is_same(value, actual) for value in self.values):
            raise Incomparable(_NOT_ALLOWED)
        return 1.0 if is_same(expected, actual) else 0.0

    def describe_rule(self) -> str:
        return f"the same value, and one of {', '.join(map(repr, self.values))}"

    def explain_unreadable(self, value: Any) -> str:
        return "" if any(is_same(allowed, value) for allowed in self.values) else _NOT_ALLOWED
