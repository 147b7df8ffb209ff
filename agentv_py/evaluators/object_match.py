"""A case → how well its answer agrees with the expected value, field by field at every depth."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from agentv_py.case import CandidateNotJson, Case
from agentv_py.comparison import scoring, tree
from agentv_py.comparison.comparators import (
    AUTO,
    Aggregate,
    Comparators,
    Default,
    DefaultByType,
    ExtraKeys,
    list_default_types,
    list_match_types,
)
from agentv_py.comparison.compile import compile_comparators
from agentv_py.comparison.field_rule import FieldRule
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.matchers.exact import Exact
from agentv_py.comparison.trace import Trace
from agentv_py.comparison.truth import Truth, UnlabelledFields
from agentv_py.comparison.truth.build import collect_keys
from agentv_py.comparison.truth.build_comparators import collect_comparators
from agentv_py.comparison.truth.unlabelled import list_fields_of_comparators
from agentv_py.evaluators.base import ReadExpected
from agentv_py.evaluators.learning import LearningEvaluator
from agentv_py.inference.json_schema import UnusableSchema
from agentv_py.inference.suggestion import Suggestion
from agentv_py.score import Score, score_not_json

_NOTHING_COUNTS = "everything is ignored or has weight 0, so nothing would count"


class ObjectMatch(LearningEvaluator):
    type: Literal["object_match"]
    comparators: Annotated[Comparators | None, BeforeValidator(lambda value: value or None)] = Field(
        None, description="Mirrors the data: a match type, a mapping, or unordered: ..."
    )
    schema_file: str | None = Field(
        None,
        alias="schema",
        min_length=1,
        description="A JSON Schema of the answers: it gives the comparators of the fields that are not listed.",
    )
    default: Default | None = Field(
        None,
        description="What compares the fields that are not listed, at every depth: one match type, one per type, or "
        "auto: the comparators that the rules of `evalctl init --from` choose for the expected values of all cases.",
    )
    extra_keys: ExtraKeys = Field("ignore", description="penalize: a key that expected does not have counts as wrong.")
    absent: tree.Absent = Field(
        "unlabelled", description="empty: an answer counts as invented where expected leaves a listed key out."
    )
    aggregate: Aggregate = Field(
        "tree",
        description="leaves: the sum of the leaves' scores over the leaves of both sides; tree: a mean at each level.",
    )

    field_options: ClassVar[frozenset[str]] = frozenset({"comparators", "default"})

    compiled: ClassVar[tuple[str, ...]] = ("_field", "full_score", "_box_formats")

    @model_validator(mode="after")
    def _check_comparators(self) -> "ObjectMatch":
        if self.comparators is None and self.schema_file is None and self.default is None:
            raise ValueError("object_match needs comparators:, schema: or default:")
        if self.schema_file is None and self.default != AUTO and self._field is None:
            raise ValueError(_NOTHING_COUNTS)
        for place, match in self._list_own_matches():
            if match.path is not None:
                raise ValueError(f"{'.'.join(map(str, place))}.path: the place in the tree is the path")
        return self

    @property
    def learns_from_cases(self) -> bool:
        return self.default == AUTO

    def learn_values(self, values: Iterable[Any]) -> Self:
        """Return a copy whose `default: auto` fits these expected values."""
        from agentv_py.inference.suggest import suggest_from_values

        return self.learn(suggest_from_values(values)) if self.learns_from_cases else self

    def suggest_comparators(self) -> Suggestion | None:
        """Return the comparator of every place, with the rule that chose it and the reason; `list_places` lists them.

        What the user lists is laid over what the schema gives, and that over what the rules chose for `default: auto`.
        None if another default is all that there is. Raises UnusableSchema.
        """
        from agentv_py.inference.layers import lay_over

        return lay_over(self._suggest_given(), self._learned)

    def evaluate(self, case: Case) -> Score:
        if self._learned is None and self.default == AUTO:  # the case is all that is known
            return self.learn_values([case.expected]).evaluate(case)
        if self._field is None:
            return scoring.score_unlabelled()
        try:
            # A single value is compared as it is; only a value with parts must be read.
            leaf = isinstance(self._field, tree.Leaf) and self._learned is None
            expected, candidate = (case.expected, case.candidate) if leaf else case.parsed_values()
        except CandidateNotJson:
            return score_not_json(self.count_leaves(case))
        compared = self._compare(expected, candidate)
        if isinstance(compared, Score):
            return compared
        confidences = None if case.facts is None else case.confidence_tree
        full = self.full_score
        if full is not None and confidences is None and full.fits(compared[1]):
            return full.score
        return self._make_score(*compared, confidences)

    def _make_score(self, score: float, trace: Trace, confidences: Any = None) -> Score:
        return scoring.add_box_formats(scoring.score_from_trace(score, trace, confidences), self._box_formats)

    @cached_property
    def full_score(self) -> scoring.FullScore | None:
        if (self._learned is None and self.learns_from_cases) or not isinstance(self._field, tree.Record):
            return None
        return scoring.FullScore.build(self._field, self._make_score, by_leaves=self.aggregate == "leaves")

    def list_partners(self, case: Case) -> Iterator[Any]:
        from agentv_py.comparison.partners import list_partners

        if self._field is not None:
            yield from list_partners(self._field, *case.parsed_values(), by_leaves=self.aggregate == "leaves")

    def count_leaves(self, case: Case) -> int:
        """Count the leaf fields of a case whose answer cannot be read."""
        compared = self._compare(Case("", case.expected, None).parsed_values()[0], None)
        return 0 if isinstance(compared, Score) else scoring.score_from_trace(*compared).leaves

    def problems(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        try:
            if (self._learned is not None or self.default != AUTO) and self._field is None:
                yield ("comparators" if self.schema_file is None else "schema",), _NOTHING_COUNTS
            matches = list(self._list_matches())
        except UnusableSchema as problem:
            yield ("schema",), f"{self.schema_file!r} {problem}"
            return
        for place, match in matches:
            yield from (((*place, key), what) for key, what in match.problems())

    def models(self) -> Iterator[Any]:
        with suppress(UnusableSchema):  # `problems` says so
            for _, match in self._list_matches():
                yield from match.models()

    def warnings(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        with suppress(UnusableSchema):
            for place, match in self._list_matches():
                yield from (((*place, key), what) for key, what in match.warnings())

    def files(self) -> Iterator[Path]:
        if self.schema_file is not None:
            yield self._folder / self.schema_file

    def truths(self) -> Iterator[Truth]:
        """A schema may declare what no case has, so only listed comparators are looked for."""
        default = None if isinstance(self.default, str) else self.default
        if self.comparators is None and default is None:
            yield collect_keys({}, required=False)
            return
        comparators = self.comparators or {}
        truth = collect_comparators(comparators, default, ("comparators",))
        if "absent" not in self.model_fields_set:
            truth.unlabelled = UnlabelledFields(list(list_fields_of_comparators(comparators, ("comparators",))))
        yield truth

    def list_attributes(self) -> list[str] | None:
        """Return the paths of the listed comparators; without a default, nothing else is compared."""
        if self.default is not None or self.schema_file is not None or self.extra_keys != "ignore":
            return None
        return [rule.path for rule in self.list_rules(lambda: iter(()))]

    def list_rules(self, read_expected: ReadExpected) -> Iterator[FieldRule]:  # noqa: ARG002  it has learned from them
        from agentv_py.inference.comparator_rules import RuleLister, list_default_rules

        default = self._choose_default()
        is_fixed = default is None and self.extra_keys == "ignore" and self.aggregate == "tree"
        suggestion = self.suggest_comparators()
        if suggestion is not None:
            lister = RuleLister(self._schema_suggestion, self.comparators, has_fixed_shares=is_fixed)
            yield from lister.list_rules(suggestion)
        if default is not None:
            yield from list_default_rules(default, is_chosen=self.default != AUTO)

    def _compare(self, expected: Any, candidate: Any) -> tuple[float, Trace] | Score:
        assert self._field is not None  # noqa: S101  validated
        return scoring.compare_values(self._field, expected, candidate, by_leaves=self.aggregate == "leaves")

    def _list_matches(self) -> Iterator[tuple[tuple[str | int, ...], Match]]:
        """Yield every match type with the place that gives it. Raises UnusableSchema."""
        yield from self._list_own_matches()
        if self._schema_suggestion is not None:
            from agentv_py.inference.layers import build_models

            yield from ((("schema",), match) for _, match in list_match_types(build_models(self._schema_suggestion)))

    def _list_own_matches(self) -> Iterator[tuple[tuple[str | int, ...], Match]]:
        if self.comparators is not None:
            yield from list_match_types(self.comparators, ("comparators",))
        yield from list_default_types(self.default, ("default",))

    @cached_property
    def _field(self) -> tree.Field | None:
        """Raises UnusableSchema."""
        comparators = self.comparators
        if self.schema_file is not None or self.default == AUTO:
            from agentv_py.inference.layers import build_models  # most suites list their comparators

            suggestion = self.suggest_comparators()
            comparators = None if suggestion is None else build_models(suggestion)
        return compile_comparators(comparators, self._choose_default(), self.extra_keys, self.absent, self.aggregate)

    def _choose_default(self) -> Match | DefaultByType | None:
        """Return what compares the keys that neither the user, nor the schema, nor the rules list."""
        if not isinstance(self.default, str):
            return self.default
        if self._learned is None:
            return None
        from agentv_py.inference.layers import is_covered

        return None if is_covered(self._suggest_given(), self._learned) else Exact()

    def _suggest_given(self) -> Suggestion | None:
        """Return what the user lists, and what the schema gives besides. Raises UnusableSchema."""
        from agentv_py.inference.layers import describe_listed, lay_over

        listed = None if self.comparators is None else describe_listed(self.comparators)
        return lay_over(listed, self._schema_suggestion)

    @cached_property
    def _schema_suggestion(self) -> Suggestion | None:
        """Raises UnusableSchema."""
        from agentv_py.inference.schema_comparators import suggest_from_schema

        return None if self.schema_file is None else suggest_from_schema(self._folder, self.schema_file)

    @cached_property
    def _box_formats(self) -> dict[str, str]:
        return {} if self._field is None else scoring.find_box_formats(self._field)
