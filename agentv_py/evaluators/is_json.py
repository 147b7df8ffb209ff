"""A case → whether its answer, or a text in it, is JSON."""

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from pydantic import Field

from agentv_py import jsontext
from agentv_py.case import ABSENT, CandidateNotJson, Case
from agentv_py.comparison.comparison import Comparison, build_full_match
from agentv_py.comparison.field_rule import FieldRule
from agentv_py.comparison.leaf import explain_missing
from agentv_py.comparison.paths import ROOT
from agentv_py.comparison.single_value import find_malformed, read_part, score_comparison
from agentv_py.evaluators.base import Evaluator, Place, ReadExpected
from agentv_py.score import Score, score_not_json


class IsJson(Evaluator):
    type: Literal["is_json"]
    path: str = Field(ROOT, min_length=1, description="Where the text is in the answer; $ is the whole answer.")
    anywhere: bool = Field(False, description="true: JSON in a fenced block or between other words is enough.")

    field_options: ClassVar[frozenset[str]] = frozenset({"path", "anywhere"})

    def evaluate(self, case: Case) -> Score:
        try:
            actual = read_part(case, self.path)
        except CandidateNotJson:
            return score_not_json()
        return score_comparison(self._compare(actual))

    def for_consistency(self) -> None:
        """That an answer is JSON does not say how far two answers agree."""

    def warnings(self) -> Iterator[tuple[Place, str]]:
        yield from find_malformed(self.path)

    def list_rules(self, read_expected: ReadExpected) -> Iterator[FieldRule]:  # noqa: ARG002  the options are the rule
        yield FieldRule(self.path, self.tag, "holds JSON" if self.anywhere else "is JSON")

    def _compare(self, actual: Any) -> Comparison:
        if actual is ABSENT:
            return Comparison("missing", self.path, 0.0, 0.0, explain_missing(actual), ABSENT, actual)
        if type(actual) is not str:  # a value that is not text comes from JSON
            return build_full_match(self.path)
        try:
            found = jsontext.find(actual)
        except jsontext.NotJson:
            return Comparison("mismatch", self.path, 0.0, 0.0, "not valid JSON", ABSENT, actual)
        if not self.anywhere and (found.place != "whole" or not jsontext.is_standard(actual)):
            return Comparison("mismatch", self.path, 0.0, 0.0, "not valid JSON as a whole", ABSENT, actual)
        return build_full_match(self.path)
