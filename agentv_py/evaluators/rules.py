"""Rules of the user about a case, such as "the items add up to the total" → the share of the rules that hold."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from agentv_py.case import CandidateNotJson, Case
from agentv_py.comparison.comparison import Comparison, build_full_match
from agentv_py.comparison.field_rule import FieldRule
from agentv_py.comparison.paths import join_path
from agentv_py.comparison.rule import DoesNotApply, DoesNotHold, check_rule, get_values, holds
from agentv_py.comparison.scoring import score_from_trace
from agentv_py.comparison.trace import Trace
from agentv_py.evaluators.base import Evaluator, ReadExpected
from agentv_py.options import Options, Weight
from agentv_py.score import Score, score_not_json

_NO_RULE = "(no rule applies)"

Expression = Annotated[str, AfterValidator(check_rule)]


class Rule(Options):
    name: str = Field("", min_length=1, description="The name in hits and misses; default: rule-1, rule-2, ...")
    that: Expression = Field(description="An expression that must be true.")
    when: Expression | None = Field(None, description="An expression; where it is not true, the rule does not apply.")
    message: str = Field("does not hold", min_length=1, description="What a miss says.")
    weight: Weight = Field(1.0, description="How much this rule counts beside the others.")


class Rules(Evaluator):
    type: Literal["rules"]
    rules: list[Rule] = Field(min_length=1, description="What must be true of the case.")

    field_options: ClassVar[frozenset[str]] = frozenset({"rules"})
    harmless_details: ClassVar[frozenset[str]] = Evaluator.harmless_details | {"not_applicable"}

    @model_validator(mode="after")
    def _check_rules(self) -> Self:
        names = self._list_names()
        for name in names:
            if names.count(name) > 1:
                raise ValueError(f"two rules are named {name!r}")
        if not any(rule.weight for rule in self.rules):
            raise ValueError("every weight is 0, so nothing would count")
        return self

    def evaluate(self, case: Case) -> Score:
        try:
            values = get_values(case)
        except CandidateNotJson:
            return score_not_json()
        trace, weights, others = Trace(), list[float](), dict[str, str]()
        for name, rule in zip(self._list_names(), self.rules, strict=True):
            try:
                trace.comparisons.append(_check(name, rule, values))
                weights.append(rule.weight)
            except DoesNotApply as missing:
                others[name] = str(missing)
        return _score(trace, weights, others)

    def for_consistency(self) -> None:
        """Rules do not say how far two answers agree."""

    def list_rules(self, read_expected: ReadExpected) -> Iterator[FieldRule]:  # noqa: ARG002  the options are the rules
        for index, (name, rule) in enumerate(zip(self._list_names(), self.rules, strict=True)):
            passes = rule.that if rule.when is None else f"{rule.that}, when {rule.when}"
            yield FieldRule(name, "rule", passes, weight=rule.weight, place=("rules", index))

    def _list_names(self) -> list[str]:
        return [join_path("", rule.name or f"rule-{number}") for number, rule in enumerate(self.rules, 1)]


def _check(name: str, rule: Rule, values: Mapping[str, Any]) -> Comparison:
    """Return whether a rule holds. Raises DoesNotApply."""
    if rule.when is not None and not _is_met(rule.when, values):
        raise DoesNotApply(f"not when {rule.when}")
    try:
        if holds(rule.that, values):
            return build_full_match(name)
        note = rule.message
    except DoesNotHold as why:
        note = str(why) if rule.message == Rule.model_fields["message"].default else f"{rule.message}: {why}"
    return Comparison("mismatch", name, 0.0, 0.0, note, rule.that, False)


def _is_met(text: str, values: Mapping[str, Any]) -> bool:
    try:
        return holds(text, values)
    except DoesNotHold as why:
        raise DoesNotApply(f"{text}: {why}") from None


def _score(trace: Trace, weights: list[float], others: Mapping[str, str]) -> Score:
    total = sum(weights)
    reasons = {"not_applicable": dict(others)} if others else {}
    if not total:
        return Score(0.0, misses=(_NO_RULE,), reasoning=_NO_RULE.strip("()"), details=reasons or None)
    gained = sum(weight * one.score for weight, one in zip(weights, trace.comparisons, strict=True))
    score = score_from_trace(gained / total, trace)
    said = f"{len(score.hits)}/{len(weights)} rules hold" + (f"; {len(others)} do not apply" if others else "")
    return score._replace(reasoning=said, details={**(score.details or {}), **reasons})
