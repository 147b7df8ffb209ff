"""Configured fields of a case → the share that is right."""

from collections.abc import Iterator
from functools import cached_property
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from agentv_py.case import Case, NotStructured
from agentv_py.compare import paths
from agentv_py.compare.comparison import Comparison
from agentv_py.compare.counts import count
from agentv_py.compare.fields import Record, record_of_paths
from agentv_py.compare.misses import hits_and_misses, mismatches
from agentv_py.compare.walk import Trace, walk
from agentv_py.evaluator import Evaluator
from agentv_py.match import Match
from agentv_py.matchers import AnyMatch
from agentv_py.score import Score


def _has_path(field: Match) -> Match:
    if field.path is None:
        raise ValueError("path is required")
    return field


def _some_weight(fields: list[Match]) -> list[Match]:
    if fields and not any(field.weight and field.counts for field in fields):
        raise ValueError("every field is ignored or has weight 0, so nothing would count")
    return fields


_FieldAtPath = Annotated[AnyMatch, AfterValidator(_has_path), Field(json_schema_extra={"required": ["path"]})]


class FieldAccuracy(Evaluator):
    type: Literal["field_accuracy"]
    fields: Annotated[list[_FieldAtPath], AfterValidator(_some_weight)] = Field(
        min_length=1, description="What to compare, and how."
    )
    aggregation: Literal["weighted_average", "all_or_nothing"] = "weighted_average"

    def evaluate(self, case: Case) -> Score:
        try:
            expected, candidate = case.structured()
        except NotStructured:
            return Score(0.0, misses=["candidate (not valid JSON)"], reasoning="the candidate is not valid JSON")
        trace = Trace()
        score = walk(self._record, expected, candidate, "", trace)
        if trace.comparisons == self._perfect[0]:
            return self._perfect[1]
        if score is None and not trace.optional:
            misses = ["(no expected value for any configured field)"]
            return Score(0.0, misses=misses, reasoning=misses[0].strip("()"), unlabelled=trace.unlabelled)
        return self._score(1.0 if score is None else score, trace)

    def doubts(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        for index, field in enumerate(self.fields):
            if paths.parse(field.path or "").steps is None:
                yield ("fields", index, "path"), f"malformed path {field.path!r} reaches nothing"

    def _score(self, score: float, trace: Trace) -> Score:
        comparisons = trace.comparisons
        hits, misses = hits_and_misses(comparisons)
        if self.aggregation == "all_or_nothing":
            score = 0.0 if misses else 1.0
        details: dict[str, Any] = {"metrics": count(comparisons)}
        if misses:
            details.update(mismatches(comparisons))
        if trace.readings:
            details["readings"] = trace.readings
        reasoning = f"{len(hits)}/{len(hits) + len(misses)} fields matched"
        return Score(score, hits, misses, reasoning, details, None, trace.unlabelled, trace.optional)

    @cached_property
    def _perfect(self) -> tuple[list[Comparison], Score]:
        """The comparisons of a case where every field is right, and its score: the same for all of them."""
        trace = Trace()
        trace.comparisons = [entry.full_match for entry in self._record.entries]
        return trace.comparisons, self._score(1.0, trace)

    @cached_property
    def _record(self) -> Record:
        return record_of_paths([(paths.parse(field.path or ""), field) for field in self.fields])
