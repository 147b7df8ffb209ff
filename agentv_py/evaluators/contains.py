"""A case → whether its answer, or a text in it, contains another text."""

from collections.abc import Iterator
from functools import cached_property
from typing import ClassVar, Literal, Self

from pydantic import Field

from agentv_py.case import ABSENT, CandidateNotJson, Case
from agentv_py.comparison.field_rule import FieldRule, build_rule
from agentv_py.comparison.judge_functions import compare_value
from agentv_py.comparison.matchers.contains import Contains as Match
from agentv_py.comparison.paths import ROOT
from agentv_py.comparison.scoring import score_unlabelled
from agentv_py.comparison.single_value import find_malformed, read_part, score_comparison, write_text
from agentv_py.comparison.truth import Truth
from agentv_py.comparison.truth.build import collect_keys
from agentv_py.evaluators.base import Evaluator, Place, ReadExpected
from agentv_py.score import Score, score_not_json


class Contains(Evaluator):
    type: Literal["contains"]
    value: str | None = Field(
        None, min_length=1, description="What the answer must contain; default: the expected value of the case."
    )
    path: str = Field(ROOT, min_length=1, description="Where the text is in the answer; $ is the whole answer.")
    case_sensitive: bool = Field(True, description="false: upper and lower case are the same.")

    field_options: ClassVar[frozenset[str]] = frozenset({"value", "path", "case_sensitive"})

    def evaluate(self, case: Case) -> Score:
        expected = case.expected if self.value is None else self.value
        if expected is ABSENT:
            return score_unlabelled()
        try:
            actual = read_part(case, self.path)
        except CandidateNotJson:
            return score_not_json()
        return score_comparison(compare_value(self._match, write_text(expected), write_text(actual), self.path))

    def for_consistency(self) -> Self | None:
        return None if self.value is not None else self

    def truths(self) -> Iterator[Truth]:
        if self.value is None:
            yield collect_keys({}, required=False)

    def warnings(self) -> Iterator[tuple[Place, str]]:
        yield from find_malformed(self.path)

    def list_rules(self, read_expected: ReadExpected) -> Iterator[FieldRule]:  # noqa: ARG002  the options are the rule
        yield build_rule(self._match, self.path, place=() if self.value is None else ("value",))

    @cached_property
    def _match(self) -> Match:
        return Match(substring=self.value, case_sensitive=self.case_sensitive)
