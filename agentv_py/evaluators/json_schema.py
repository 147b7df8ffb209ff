"""A case → whether its answer, or a value in it, is valid by a JSON Schema."""

from collections.abc import Iterator
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, Field

from agentv_py import jsontext
from agentv_py.case import ABSENT, Case
from agentv_py.comparison.comparison import Comparison, build_full_match
from agentv_py.comparison.field_rule import FieldRule
from agentv_py.comparison.leaf import explain_missing
from agentv_py.comparison.mismatch import MOST_MISMATCHES
from agentv_py.comparison.paths import ROOT, Get, parse_path, write_suffix
from agentv_py.comparison.scoring import score_from_trace
from agentv_py.comparison.single_value import find_malformed
from agentv_py.comparison.trace import Trace
from agentv_py.evaluators.base import Evaluator, Place, ReadExpected
from agentv_py.inference.json_schema import UnusableSchema
from agentv_py.inference.schema_file import read_schema
from agentv_py.inference.schema_validator import SchemaValidator, Violation
from agentv_py.score import Score, score_not_json

_MOST_VIOLATIONS = 1000


def _check_kind(schema: Any) -> Any:
    if not isinstance(schema, str | dict | bool):
        raise ValueError("must be the name of a file, or a schema")  # noqa: TRY004  pydantic shows only this one
    return schema


class JsonSchema(Evaluator):
    type: Literal["json_schema"]
    given_schema: Annotated[Any, BeforeValidator(_check_kind, json_schema_input_type=str | dict[str, Any] | bool)] = (
        Field(alias="schema", description="A file that holds a JSON Schema, or the schema itself.")
    )
    path: str = Field(ROOT, min_length=1, description="Where the value is in the answer; $ is the whole answer.")
    formats: bool = Field(True, description="false: the keyword `format` is not checked.")

    field_options: ClassVar[frozenset[str]] = frozenset({"given_schema"})

    def evaluate(self, case: Case) -> Score:
        value = case.candidate
        if type(value) is str:
            try:
                value, case.parsed = jsontext.find(value)
            except jsontext.NotJson:
                return score_not_json()
        value = self._get_part(value)
        if value is not ABSENT and self._validator.is_valid(value):
            return self._valid_score
        trace = Trace()
        trace.comparisons = list(self._compare(value))
        score = score_from_trace(0.0, trace)
        count = len(score.misses)
        return score._replace(reasoning=f"{count} violation{'' if count == 1 else 's'}")

    def for_consistency(self) -> None:
        """A schema does not say how far two answers agree."""

    def problems(self) -> Iterator[tuple[str | Place, str]]:
        try:
            self._validator  # noqa: B018  it is compiled here, so that a run does not start with a wrong one
        except UnusableSchema as problem:
            name = repr(self.given_schema) if isinstance(self.given_schema, str) else "it"
            yield ("schema",), f"{name} {problem}"

    def warnings(self) -> Iterator[tuple[Place, str]]:
        yield from find_malformed(self.path)

    def files(self) -> Iterator[Path]:
        if isinstance(self.given_schema, str):
            yield self._folder / self.given_schema

    def list_rules(self, read_expected: ReadExpected) -> Iterator[FieldRule]:  # noqa: ARG002  the schema is the rule
        of = self.given_schema if isinstance(self.given_schema, str) else "the schema"
        yield FieldRule(self.path, self.tag, f"is valid by {of}", place=("schema",))

    def list_violations(self, value: Any) -> Iterator[Violation]:
        """List how a value violates the schema, each with its place; nothing if it lacks the part that is checked."""
        part = self._get_part(value)
        for violation in () if part is ABSENT else self._validator.list_violations(part):
            yield violation._replace(path=self._place(violation) or ROOT)

    def _compare(self, value: Any) -> Iterator[Comparison]:
        """Yield a comparison for each violation."""
        if value is ABSENT:
            yield Comparison("missing", self._prefix, 0.0, 0.0, explain_missing(value), ABSENT, ABSENT)
            return
        for number, violation in enumerate(islice(self._validator.list_violations(value), _MOST_VIOLATIONS)):
            # Only the first mismatches are stored, so that only their values are needed.
            actual = parse_path(violation.path).build_getter()(value) if number < MOST_MISMATCHES else ABSENT
            note = f"violates {violation.keyword}" if violation.keyword else "cannot be checked"
            yield Comparison("mismatch", self._place(violation), 0.0, 0.0, note, violation.message, actual)

    def _place(self, violation: Violation) -> str:
        if violation.path == ROOT:
            return self._prefix
        return self._prefix + write_suffix(violation.path) if self._prefix else violation.path

    @property
    def _prefix(self) -> str:
        return "" if self.path == ROOT else self.path

    @cached_property
    def _valid_score(self) -> Score:
        """The score that all valid answers share."""
        trace = Trace()
        trace.comparisons = [build_full_match(self._prefix)]
        return score_from_trace(1.0, trace)._replace(reasoning="valid")

    @cached_property
    def _get_part(self) -> Get:
        return parse_path(self.path).build_getter()

    @cached_property
    def _validator(self) -> SchemaValidator:
        """Raises UnusableSchema."""
        given = self.given_schema
        schema = read_schema(self._folder, given) if isinstance(given, str) else given
        return SchemaValidator(schema, formats=self.formats)
