"""A case → how well its answer mirrors the expected value, field by field at every depth."""

from collections.abc import Iterator
from functools import cached_property
from typing import Literal

from pydantic import Field, model_validator

from agentv_py.case import Case, NotStructured
from agentv_py.comparing import fields
from agentv_py.comparing.comparators import Comparators, ExtraKeys, LeafByName, compiled, leaves
from agentv_py.comparing.scoring import compare_values, told
from agentv_py.evaluator import Evaluator
from agentv_py.score import Score, not_structured


class ObjectMatch(Evaluator):
    type: Literal["object_match"]
    comparators: Comparators = Field(description="Mirrors the data: a match type, a mapping, or unordered: ...")
    default: LeafByName | None = Field(
        None, description="What compares the fields that are not listed, at every depth."
    )
    extra_keys: ExtraKeys = Field("ignore", description="penalize: a key that expected does not have counts as wrong.")

    @model_validator(mode="after")
    def _something_counts(self) -> "ObjectMatch":
        if self._field is None:
            raise ValueError("everything is ignored, so nothing would count")
        for place, match in leaves(self.comparators):
            if match.path is not None:
                raise ValueError(f"path at {'.'.join(map(str, place))}: the place in the tree is the path")
        return self

    def evaluate(self, case: Case) -> Score:
        try:
            expected, candidate = case.structured()
        except NotStructured:
            return not_structured()
        assert self._field is not None  # noqa: S101  validated
        found = compare_values(self._field, expected, candidate)
        return found if isinstance(found, Score) else told(*found)

    def doubts(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        for place, match in leaves(self.comparators):
            yield from ((("comparators", *place, key), what) for key, what in match.doubts())

    @cached_property
    def _field(self) -> fields.Field | None:
        return compiled(self.comparators, self.default, self.extra_keys)
