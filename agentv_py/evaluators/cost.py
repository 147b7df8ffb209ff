"""A case → whether its answer was cheap enough."""

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from agentv_py.case import Case
from agentv_py.comparison.field_rule import FieldRule
from agentv_py.comparison.limits import Limit, get_fact, score_limits
from agentv_py.evaluators.base import Evaluator, ReadExpected
from agentv_py.score import Score


class Cost(Evaluator):
    type: Literal["cost"]
    max: float = Field(ge=0, allow_inf_nan=False, description="The most that an answer may cost.")

    field_options: ClassVar[frozenset[str]] = frozenset({"max"})

    def evaluate(self, case: Case) -> Score:
        figure = get_fact(case, "cost")
        return score_limits([Limit("cost", self.max)], {} if figure is None else {"cost": figure})

    def for_consistency(self) -> None:
        """Two answers do not differ in what one of them cost."""

    def list_rules(self, read_expected: ReadExpected) -> Iterator[FieldRule]:  # noqa: ARG002  the option is the rule
        yield FieldRule("cost", "at most", f"≤ {self.max:g}", place=("max",))
