"""A case → a score of its answer's top-level keys: accuracy, completeness, safety, and no invented keys."""

import math
from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Field

from agentv_py.case import ABSENT, CandidateNotJson, Case
from agentv_py.comparison.comparators import AUTO
from agentv_py.comparison.field_rule import FieldRule
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.matchers.date import Date, Languages
from agentv_py.comparison.matchers.fuzzy import Fuzzy
from agentv_py.comparison.matchers.ignore import Ignore
from agentv_py.comparison.matchers.name import Name
from agentv_py.comparison.matchers.numeric_tolerance import NumericTolerance, Tolerance
from agentv_py.comparison.matchers.semantic import Semantic
from agentv_py.comparison.mismatch import describe_mismatches, split_hits_and_misses
from agentv_py.comparison.paths import ROOT
from agentv_py.comparison.readers.number import DecimalMark
from agentv_py.comparison.scoring import score_from_trace
from agentv_py.comparison.trace import Trace
from agentv_py.comparison.truth import Truth
from agentv_py.comparison.truth.build import collect_keys
from agentv_py.evaluators.base import Evaluator, ReadExpected
from agentv_py.evaluators.json_quality import phases
from agentv_py.evaluators.json_quality.elements import InAnyOrder
from agentv_py.evaluators.json_quality.keys import KeyComparer
from agentv_py.evaluators.json_quality.phases import FieldComparison, Weights, check_weights
from agentv_py.evaluators.json_quality.safety import AnySafety, Finding
from agentv_py.evaluators.json_quality.same_text import SameText
from agentv_py.evaluators.json_quality.strategies import (
    STRATEGIES,
    NamedStrategy,
    Strategies,
    Strategy,
    read_strategies,
)
from agentv_py.evaluators.json_quality.text_file import UnusableFile
from agentv_py.evaluators.learning import LearningEvaluator
from agentv_py.models.backends import AnyBackend, Lexical
from agentv_py.options import Share, build_dict, build_list
from agentv_py.score import EvaluatorResult, Score, score_not_json

_UNSAFE = "safety ("
_READS_A_TYPE = ("NUMERIC", "DATE", "NAME", "UNORDERED")


class JsonQuality(LearningEvaluator):
    type: Literal["json_quality"]
    strategies: dict[str, NamedStrategy] = Field(
        default_factory=build_dict, description=f"By field: {' or '.join(STRATEGIES)}; else by the value's type."
    )
    strategies_file: str | None = Field(None, min_length=1, description="The same as a JSON file; inline ones win.")
    default: Literal["auto"] | None = Field(
        None, description="auto: other fields have the strategy that `evalctl strategies infer` finds over all cases."
    )
    ignore: list[str] = Field(default_factory=build_list, description="Keys that leave every phase.")
    fuzzy_threshold: Share = 0.85
    semantic_threshold: Share = 0.8
    name_threshold: Share = Field(0.9, description="The lowest similarity with which NAME passes.")
    numeric_tolerance: Tolerance = Field(0.0, description="The largest difference with which NUMERIC passes.")
    decimal: DecimalMark = Field(".", description="The decimal mark of numbers written as text, for NUMERIC.")
    day_first: bool = Field(False, description="true: 01/02/2025 is 1 February, for DATE.")
    language: Languages = Field(
        ["en"], min_length=1, description="The languages of month names, for DATE; auto: any of them."
    )
    backend: AnyBackend = Field(Lexical(), description="Computes how similar two texts are, for SEMANTIC.")
    safety: AnySafety | None = Field(None, description="What an answer must not say; without it every answer is safe.")
    weights: Annotated[Weights, AfterValidator(check_weights)] = Weights()
    normalize: bool = Field(False, description="true: a perfect answer scores 1.0, not the sum of the weights.")

    compiled: ClassVar[tuple[str, ...]] = ("_compare",)

    @property
    def learns_from_cases(self) -> bool:
        return self.default == AUTO

    def in_folder(self, folder: Path) -> Self:
        return super().in_folder(folder).model_copy(update={"safety": self.safety and self.safety.in_folder(folder)})

    def problems(self) -> Iterator[tuple[str, str]]:
        try:
            _ = self._compare
        except UnusableFile as problem:
            yield from (("strategies_file", what) for what in problem.reasons)
        if self.safety is not None:
            yield from ((f"safety.{key}", what) for key, what in self.safety.problems())

    def models(self) -> Iterator[Any]:
        if self.backend.uses_model:
            yield self.backend
        if self.safety is not None:
            yield from self.safety.models()

    def files(self) -> Iterator[Path]:
        if self.strategies_file is not None:
            yield self._folder / self.strategies_file
        if self.safety is not None:
            yield from self.safety.files()

    field_options: ClassVar[frozenset[str]] = frozenset({"strategies", "ignore"})
    harmless_details: ClassVar[frozenset[str]] = Evaluator.harmless_details | {
        "completeness", "hallucination", "accuracy", "safety", "rqs", "fields", *phases.Buckets._fields
    }  # fmt: skip

    def remove_data(self, result: EvaluatorResult) -> EvaluatorResult:
        """Leave out the words that make an answer unsafe, too."""
        reduced = super().remove_data(result)
        if unsafe := (result.get("details") or {}).get("unsafe"):
            reduced["misses"] = [miss for miss in result["misses"] if not miss.startswith(_UNSAFE)]
            reduced["misses"] += [f"{_UNSAFE}{finding['path']})" for finding in unsafe]
        return reduced

    def truths(self) -> Iterator[Truth]:
        """IGNORE has no effect on a key that no case has, so it is no reason to look for the key."""
        inline = _list_compared(self.strategies)
        yield collect_keys({key: ("strategies", key) for key in inline}, self._list_readers(inline), required=True)
        with suppress(UnusableFile):  # `problems` says so
            compared = _list_compared(self._from_file)
            in_file = {key: compared[key] for key in compared if key not in self.strategies}
            yield collect_keys(
                dict.fromkeys(in_file, ("strategies_file",)), self._list_readers(in_file), required=False
            )

    def _list_readers(self, strategies: Strategies) -> dict[str, Match]:
        """Return the match types that cannot read every value; the other strategies compare any value as text."""
        return {key: self._matches[strategy] for key, strategy in strategies.items() if strategy in _READS_A_TYPE}

    def list_rules(self, read_expected: ReadExpected) -> Iterator[FieldRule]:
        from agentv_py.evaluators.json_quality.rules import list_strategy_rules

        learned = {} if self._learned is None else self._learned.fields
        yield from list_strategy_rules(
            self._compare, self.strategies, self._from_file, self.strategies_file, self.ignore, learned, read_expected()
        )

    def evaluate(self, case: Case) -> Score:
        if self._learned is None and self.learns_from_cases:  # the case is all that is known
            from agentv_py.inference.suggest import suggest_from_values

            return self.learn(suggest_from_values([case.expected])).evaluate(case)
        try:
            expected, candidate = case.parsed_values()
        except CandidateNotJson:
            return score_not_json()
        for side, value in (("expected", expected), ("candidate", candidate)):
            if not isinstance(value, dict):
                why = "missing" if value is ABSENT else "not an object"
                return Score(0.0, misses=(f"{side} ({why})",), reasoning=f"the {side} value is {why}")
        sides = self._without_ignored(expected), self._without_ignored(candidate)
        return self._score(*sides, case.confidence_tree)

    def for_consistency(self) -> Self:
        """Safety is left out, so that equal answers agree wholly."""
        return self.model_copy(update={"normalize": True, "safety": None})

    def _without_ignored(self, value: dict[str, Any]) -> dict[str, Any]:
        return {key: item for key, item in value.items() if key not in self.ignore}

    def _score(self, expected: dict[str, Any], candidate: dict[str, Any], confidences: Any) -> Score:
        trace = Trace()
        fields = self._compare(expected, candidate, trace)
        counted = _list_counted(fields)
        trace.comparisons = [field.comparison for field in counted]
        safety, findings = (1.0, list[Finding]()) if self.safety is None else self.safety.judge(candidate)
        buckets = phases.classify(fields)
        measures = {
            "completeness": phases.completeness(buckets),
            "hallucination": phases.hallucination(buckets, len(fields)),
            "accuracy": phases.accuracy(fields),
            "safety": safety,
        }
        rqs = self._compute_rqs(**measures)
        score = score_from_trace(rqs, trace, confidences)
        hits, missed, wrong = split_hits_and_misses([part for field in counted for part in field.parts])
        misses = (*missed, *[f"{_UNSAFE}{path or ROOT}: {what})" for path, what in findings])
        reasoning = ", ".join(f"{name} {value:.3f}" for name, value in measures.items())
        details = {**measures, "rqs": rqs, **buckets._asdict(), "fields": phases.field_details(fields)}
        if findings:
            details["unsafe"] = [{"path": path or ROOT, "what": what} for path, what in findings]
        details |= {**(score.details or {}), **describe_mismatches(wrong)}
        return score._replace(hits=tuple(hits), misses=misses, reasoning=reasoning, details=details)

    def _compute_rqs(self, completeness: float, hallucination: float, accuracy: float, safety: float) -> float:
        parts = (
            self.weights.accuracy * accuracy,
            self.weights.completeness * completeness,
            self.weights.safety * safety,
            -self.weights.hallucination * hallucination,
        )
        rqs = math.fsum(parts) / (self.weights.perfect if self.normalize else 1.0)
        return min(1.0, max(0.0, rqs))

    @cached_property
    def _compare(self) -> KeyComparer:
        """Raises UnusableFile."""
        given = self._from_file | self.strategies
        if self._learned is None:
            return KeyComparer(given, self._matches)
        from agentv_py.evaluators.json_quality.infer import choose_strategies, list_read_options

        chosen = choose_strategies(self._learned.fields) | given
        own = {
            key: self._matches[chosen[key]](**options)
            for key, place in self._learned.fields.items()
            if key not in given and (options := list_read_options(place, self.model_fields_set))
        }
        return KeyComparer(chosen, self._matches, own)

    @property
    def _from_file(self) -> Strategies:
        """Raises UnusableFile."""
        return read_strategies(self._folder, self.strategies_file) if self.strategies_file else {}

    @cached_property
    def _matches(self) -> dict[Strategy, Match]:
        return {
            "EXACT": SameText(),
            "FUZZY": Fuzzy(threshold=self.fuzzy_threshold),
            "SEMANTIC": Semantic(threshold=self.semantic_threshold).model_copy(update={"backend": self.backend}),
            "NUMERIC": NumericTolerance(tolerance=self.numeric_tolerance, decimal=self.decimal),
            "DATE": Date(day_first=self.day_first, language=self.language),
            "NAME": Name(threshold=self.name_threshold),
            "UNORDERED": InAnyOrder(),
            "IGNORE": Ignore(),
        }


def _list_counted(fields: list[FieldComparison]) -> list[FieldComparison]:
    """List what counts as hit, miss or metric; an IGNORE field counts only if it is missing or invented."""
    return [field for field in fields if field.strategy != "IGNORE" or field.comparison.outcome != "match"]


def _list_compared(strategies: Strategies) -> Strategies:
    return {key: strategy for key, strategy in strategies.items() if strategy != "IGNORE"}
