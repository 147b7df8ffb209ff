"""A case → whether its answer used few enough tokens."""

from collections.abc import Iterator
from typing import ClassVar, Literal, Self

from pydantic import Field, model_validator

from agentv_py.case import Case
from agentv_py.comparison.field_rule import FieldRule
from agentv_py.comparison.limits import Limit, get_fact, score_limits
from agentv_py.errors import EvaluationError
from agentv_py.evaluators.base import Evaluator, ReadExpected
from agentv_py.score import Score
from agentv_py.targets.answer import InvalidAnswer, read_tokens

_MOST = 2**53  # greater ones may have no equal float, with which they are shown


class TokenUsage(Evaluator):
    type: Literal["token_usage"]
    max_total: int | None = Field(None, ge=0, le=_MOST, description="The most tokens in all.")
    max_input: int | None = Field(None, ge=0, le=_MOST, description="The most tokens of the prompt.")
    max_output: int | None = Field(None, ge=0, le=_MOST, description="The most tokens of the answer.")

    field_options: ClassVar[frozenset[str]] = frozenset({"max_total", "max_input", "max_output"})

    @model_validator(mode="after")
    def _check_limits(self) -> Self:
        if not self._list_limits():
            raise ValueError("token_usage needs max_total:, max_input: or max_output:")
        return self

    def evaluate(self, case: Case) -> Score:
        given = get_fact(case, "tokens")
        try:
            counts = {} if given is None else read_tokens(given)
        except InvalidAnswer as error:
            raise EvaluationError("no_data", str(error)) from None
        return score_limits(self._list_limits(), {f"tokens.{name}": count for name, count in counts.items()})

    def for_consistency(self) -> None:
        """Two answers do not differ in what one of them used."""

    def list_rules(self, read_expected: ReadExpected) -> Iterator[FieldRule]:  # noqa: ARG002  the options are the rules
        for name, most in self._list_limits():
            option = name.replace("tokens.", "max_")
            yield FieldRule(name, "at most", f"≤ {most:g}", place=(option,))

    def _list_limits(self) -> list[Limit]:
        given = (("total", self.max_total), ("input", self.max_input), ("output", self.max_output))
        return [Limit(f"tokens.{name}", most) for name, most in given if most is not None]
