"""A case → whether a pattern matches somewhere in its answer, or in a text of it."""

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field

from agentv_py.case import CandidateNotJson, Case
from agentv_py.comparison.field_rule import FieldRule, build_rule
from agentv_py.comparison.judge_functions import compare_value
from agentv_py.comparison.matchers.regex import Regex as Match
from agentv_py.comparison.matchers.regex import check_pattern
from agentv_py.comparison.paths import ROOT
from agentv_py.comparison.single_value import find_malformed, read_part, score_comparison, write_text
from agentv_py.evaluators.base import Evaluator, Place, ReadExpected
from agentv_py.score import Score, score_not_json


class Regex(Evaluator):
    type: Literal["regex"]
    value: Annotated[str, AfterValidator(check_pattern)] = Field(
        min_length=1, description="The pattern; it must match somewhere, and `^…$` is the whole text."
    )
    path: str = Field(ROOT, min_length=1, description="Where the text is in the answer; $ is the whole answer.")
    case_sensitive: bool = Field(True, description="false: upper and lower case are the same.")

    field_options: ClassVar[frozenset[str]] = frozenset({"value", "path", "case_sensitive"})

    def evaluate(self, case: Case) -> Score:
        try:
            actual = read_part(case, self.path)
        except CandidateNotJson:
            return score_not_json()
        return score_comparison(compare_value(self._match, self.value, write_text(actual), self.path))

    def for_consistency(self) -> None:
        """A pattern does not say how far two answers agree."""

    def warnings(self) -> Iterator[tuple[Place, str]]:
        yield from find_malformed(self.path)

    def list_rules(self, read_expected: ReadExpected) -> Iterator[FieldRule]:  # noqa: ARG002  the options are the rule
        yield build_rule(self._match, self.path, place=("value",))

    @cached_property
    def _match(self) -> Match:
        return Match(pattern=self.value if self.case_sensitive else f"(?i){self.value}", search=True)
