"""Two texts → whether the actual one contains the expected one."""

from typing import Any, Literal

from pydantic import Field

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.matchers.base import Match, explain_other_than_text
from agentv_py.comparison.readers.text import compose_text, fold_case


class Contains(Match):
    """The actual text contains the expected one, or a given one."""

    match: Literal["contains"] = "contains"
    substring: str | None = Field(None, min_length=1, description="Default: the expected value.")
    case_sensitive: bool = True

    scalars = frozenset({"text"})

    @property
    def equal_values_match(self) -> bool:
        return self.substring is None

    def similarity(self, expected: Any, actual: Any) -> float:
        substring = expected if self.substring is None else self.substring
        if type(substring) is not str or type(actual) is not str:
            raise Incomparable("type mismatch")
        substring, actual = compose_text(substring), compose_text(actual)
        if not self.case_sensitive:
            substring, actual = fold_case(substring), fold_case(actual)
        return 1.0 if substring in actual else 0.0

    def describe_rule(self) -> str:
        what = "the expected text" if self.substring is None else repr(self.substring)
        return f"contains {what}{'' if self.case_sensitive else ', in any case'}"

    def explain_unreadable(self, value: Any) -> str:
        note = explain_other_than_text(value)
        return note if note or self.similarity(value, value) else "does not contain the substring"
