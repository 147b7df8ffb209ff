"""A case → whether its answer, or a value in it, equals another value."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, ClassVar, Literal, Self

from pydantic import Field

from agentv_py import jsontext
from agentv_py.case import ABSENT, CandidateNotJson, Case
from agentv_py.comparison.field_rule import FieldRule
from agentv_py.comparison.judge_functions import compare_value
from agentv_py.comparison.matchers.exact import Exact
from agentv_py.comparison.paths import ROOT
from agentv_py.comparison.readers.text import fold_case
from agentv_py.comparison.scoring import score_unlabelled
from agentv_py.comparison.single_value import find_malformed, read_part, score_comparison
from agentv_py.comparison.truth import Truth
from agentv_py.comparison.truth.build import collect_keys
from agentv_py.evaluators.base import Evaluator, Place, ReadExpected
from agentv_py.score import Score, score_not_json


class Equals(Evaluator):
    type: Literal["equals"]
    value: Any = Field(None, description="What the answer must be; default: the expected value of the case.")
    path: str = Field(ROOT, min_length=1, description="Where the value is in the answer; $ is the whole answer.")
    case_sensitive: bool = Field(True, description="false: upper and lower case are the same.")
    strip: bool = Field(False, description="true: white space around a text does not count.")

    field_options: ClassVar[frozenset[str]] = frozenset({"value", "path", "case_sensitive", "strip"})

    def evaluate(self, case: Case) -> Score:
        expected = self.value if self._has_value else case.expected
        if expected is ABSENT:
            return score_unlabelled()
        try:
            actual = read_part(case, self.path)
        except CandidateNotJson:
            return score_not_json()
        comparison = compare_value(Exact(), *self._prepare(expected, actual), self.path)
        return score_comparison(comparison._replace(expected=expected, actual=actual))

    def for_consistency(self) -> Self | None:
        return None if self._has_value else self

    def truths(self) -> Iterator[Truth]:
        if not self._has_value:
            yield collect_keys({}, required=False)

    def warnings(self) -> Iterator[tuple[Place, str]]:
        yield from find_malformed(self.path)

    def list_rules(self, read_expected: ReadExpected) -> Iterator[FieldRule]:  # noqa: ARG002  the options are the rule
        what = jsontext.dumps(self.value).decode() if self._has_value else "the expected value"
        what += "" if self.case_sensitive else ", in any case"
        what += ", whatever white space is around it" if self.strip else ""
        yield FieldRule(self.path, self.tag, f"equals {what}", place=("value",) if self._has_value else ())

    @property
    def _has_value(self) -> bool:
        return "value" in self.model_fields_set

    def _prepare(self, expected: Any, actual: Any) -> tuple[Any, Any]:
        """Return what is compared: the texts as they are, or else JSON."""
        if type(expected) is str and type(actual) is str:
            texts = (expected.strip(), actual.strip()) if self.strip else (expected, actual)
            return texts if self.case_sensitive else (fold_case(texts[0]), fold_case(texts[1]))
        with suppress(jsontext.NotJson):
            if type(actual) is str:
                return expected, jsontext.find(actual).value
            if type(expected) is str:
                return jsontext.loads_text(expected), actual
        return expected, actual
