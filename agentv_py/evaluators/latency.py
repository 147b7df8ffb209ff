"""A case → whether its answer came soon enough."""

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from agentv_py.case import Case
from agentv_py.comparison.field_rule import FieldRule
from agentv_py.comparison.limits import Limit, get_fact, score_limits
from agentv_py.evaluators.base import Evaluator, ReadExpected
from agentv_py.score import Score


class Latency(Evaluator):
    type: Literal["latency"]
    max_ms: float = Field(ge=0, allow_inf_nan=False, description="The most milliseconds that an answer may take.")

    field_options: ClassVar[frozenset[str]] = frozenset({"max_ms"})

    def evaluate(self, case: Case) -> Score:
        figure = get_fact(case, "latency_ms")
        return score_limits([Limit("latency_ms", self.max_ms)], {} if figure is None else {"latency_ms": figure})

    def for_consistency(self) -> None:
        """Two answers do not differ in what one of them took."""

    def list_rules(self, read_expected: ReadExpected) -> Iterator[FieldRule]:  # noqa: ARG002  the option is the rule
        yield FieldRule("latency_ms", "at most", f"≤ {self.max_ms:g}", place=("max_ms",))
