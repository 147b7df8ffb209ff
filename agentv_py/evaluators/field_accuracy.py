"""Configured fields of a case → the share of these fields that are right."""

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal

from pydantic import AfterValidator, Field

from agentv_py.case import CandidateNotJson, Case
from agentv_py.comparison import paths
from agentv_py.comparison.compile import compile_paths
from agentv_py.comparison.field_rule import FieldRule, build_rule
from agentv_py.comparison.matchers import AnyMatch
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.scoring import FullScore, add_box_formats, compare_values, find_box_formats, score_from_trace
from agentv_py.comparison.trace import Trace
from agentv_py.comparison.tree import Absent, Record
from agentv_py.comparison.truth import Truth, UnlabelledFields
from agentv_py.comparison.truth.build import collect_paths_of_fields
from agentv_py.comparison.truth.unlabelled import list_fields_of_paths
from agentv_py.evaluators.base import Evaluator, ReadExpected
from agentv_py.options import OptionPath
from agentv_py.score import Score, score_not_json


def _check_path(field: Match) -> Match:
    if field.path is None:
        raise ValueError("path is required")
    return field


def _check_weights(fields: list[Match]) -> list[Match]:
    if fields and not any(field.weight and not field.is_ignored for field in fields):
        raise ValueError("every field is ignored or has weight 0, so nothing would count")
    return fields


_FieldAtPath = Annotated[AnyMatch, AfterValidator(_check_path), Field(json_schema_extra={"required": ["path"]})]


class FieldAccuracy(Evaluator):
    type: Literal["field_accuracy"]
    fields: Annotated[list[_FieldAtPath], AfterValidator(_check_weights)] = Field(
        min_length=1, description="What to compare, and how."
    )
    aggregation: Literal["weighted_average", "all_or_nothing"] = "weighted_average"
    absent: Absent = Field(
        "unlabelled",
        description="empty: an answer counts as invented where expected leaves the path out.",
    )

    field_options: ClassVar[frozenset[str]] = frozenset({"fields"})

    def evaluate(self, case: Case) -> Score:
        try:
            expected, candidate = case.parsed_values()
        except CandidateNotJson:
            return score_not_json()
        compared = compare_values(self._record, expected, candidate)
        if isinstance(compared, Score):
            return compared
        score, trace = compared
        confidences = None if case.facts is None else case.confidence_tree
        if confidences is None and self.full_score.fits(trace):
            return self.full_score.score
        return self._make_score(score, trace, confidences)

    def problems(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        for index, field in enumerate(self.fields):
            yield from ((("fields", index, key), what) for key, what in field.problems())

    def models(self) -> Iterator[Any]:
        for field in self.fields:
            yield from field.models()

    def warnings(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        for index, field in enumerate(self.fields):
            if paths.parse_path(field.path or "").steps is None:
                yield ("fields", index, "path"), f"malformed path {field.path!r} reaches nothing"
            yield from ((("fields", index, key), what) for key, what in field.warnings())

    def truths(self) -> Iterator[Truth]:
        fields: list[tuple[OptionPath, Match]] = [
            (("fields", index, "path"), field) for index, field in enumerate(self.fields)
        ]
        truth = collect_paths_of_fields(fields)
        if "absent" not in self.model_fields_set:
            truth.unlabelled = UnlabelledFields(list(list_fields_of_paths(fields)))
        yield truth

    def list_attributes(self) -> list[str] | None:
        return [paths.attribute_of(field.path or "") for field in self.fields]

    def list_rules(self, read_expected: ReadExpected) -> Iterator[FieldRule]:  # noqa: ARG002  the user lists every field
        total = sum(field.weight for field in self.fields if not field.is_ignored)
        for index, field in enumerate(self.fields):
            share = None if field.is_ignored or self.aggregation == "all_or_nothing" else field.weight / total
            yield build_rule(field, field.path or "", share=share, place=("fields", index))

    def _make_score(self, score: float, trace: Trace, confidences: Any = None) -> Score:
        result = add_box_formats(score_from_trace(score, trace, confidences), self._box_formats)
        if self.aggregation == "all_or_nothing":
            return result._replace(score=0.0 if result.misses else 1.0)
        return result

    @cached_property
    def full_score(self) -> FullScore:
        return FullScore.build(self._record, self._make_score)

    @cached_property
    def _box_formats(self) -> dict[str, str]:
        return find_box_formats(self._record)

    @cached_property
    def _record(self) -> Record:
        return compile_paths([(paths.parse_path(field.path or ""), field) for field in self.fields], self.absent)
