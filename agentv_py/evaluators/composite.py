"""A case and several evaluators → one score: their mean, whether all or any of them pass, or the share that passes."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from time import perf_counter
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Discriminator, Field, PrivateAttr, Tag

from agentv_py.case import Case
from agentv_py.comparison.counts import sum_counts
from agentv_py.comparison.mismatch import MOST_MISMATCHES
from agentv_py.evaluators import Evaluators
from agentv_py.evaluators.base import Evaluator
from agentv_py.evaluators.grade import (
    NamedEvaluator,
    assign_names,
    combine,
    describe_score,
    measure_milliseconds,
    misses_required,
)
from agentv_py.options import Options, Share
from agentv_py.score import SKIPPED, SLACK, EvaluatorResult, Score, Thresholds, VerdictName

Results = Sequence[EvaluatorResult]


class PassShare(Options):
    """The score is the share of members that pass."""

    pass_share: Share = Field(description="The least share that passes.")


class ScoreMark(Options):
    """The score is the weighted mean of the members' scores."""

    score: Share = Field(description="The least score that passes.")


def _tag(value: Any) -> str:
    if isinstance(value, str):
        return "<word>"
    return "<score>" if isinstance(value, ScoreMark) or (isinstance(value, dict) and "score" in value) else "<share>"


Aggregate = Annotated[
    Annotated[Literal["weighted_average", "all", "any"], Tag("<word>")]
    | Annotated[PassShare, Tag("<share>")]
    | Annotated[ScoreMark, Tag("<score>")],
    Discriminator(_tag),
]


class Composite(Evaluator):
    type: Literal["composite"]
    members: Evaluators = Field(description="The evaluators whose scores become one.")
    aggregate: Aggregate = Field(
        "weighted_average",
        description="How: weighted_average, all, any, {pass_share: 0.5} or {score: 0.7}.",
    )

    field_options: ClassVar[frozenset[str]] = frozenset({"members"})

    _thresholds: Thresholds = PrivateAttr(default_factory=Thresholds)

    def evaluate(self, case: Case) -> Score:
        scores = _grade_members(self._evaluators, case, self._thresholds)
        results = [result for result, score in scores if not score.skipped]
        if not any(result["weight"] for result in results):
            return SKIPPED
        number, verdict = self._decide(results)
        whole = combine(results, self._thresholds)
        return Score(
            number,
            tuple(whole["hits"]),
            tuple(whole["misses"]),
            _describe(results, [score.skipped for _, score in scores].count(True)),
            {"members": results, **_merge_details(results)},
            "fail" if misses_required(self._evaluators, results) else verdict,
            sum(score.leaves for _, score in scores),
            tuple(lifetime for _, score in scores for lifetime in score.awaits),
            observations=_merge_observations([score for _, score in scores]),
        )

    def with_thresholds(self, thresholds: Thresholds) -> Self:
        copy = self._copy()
        copy._thresholds = thresholds  # noqa: SLF001  it is this class's own
        return copy

    def for_consistency(self) -> Self | None:
        """Compare two answers by the members that can."""
        members = [member.for_consistency() for member in self.members]
        able = [member for member in members if member is not None and member.weight]
        return self._copy(members=able, aggregate="weighted_average") if able else None

    def remove_data(self, result: EvaluatorResult) -> EvaluatorResult:
        reduced = super().remove_data(result)
        by_name = {named.name: named for named in self._evaluators}
        members = [
            remove(member) if (remove := by_name[member["name"]].remove_data) is not None else member
            for member in result.get("details", {}).get("members", ())
        ]
        if members:
            reduced["details"] = {**reduced.get("details", {}), "members": members}
        return reduced

    def _copy(self, **changes: Any) -> Self:
        copy = self.model_copy(update=changes)
        vars(copy).pop("_evaluators", None)
        return copy

    def _decide(self, results: Results) -> tuple[float, VerdictName | None]:
        """Return the score, and the verdict if the suite's verdicts do not decide it."""
        share = [result["verdict"] for result in results].count("pass") / len(results)
        if isinstance(self.aggregate, PassShare):
            return share, _judge(share, self.aggregate.pass_share)
        if self.aggregate == "all":
            return float(share == 1), _judge(share, 1.0)
        if self.aggregate == "any":
            return float(share > 0), "pass" if share > 0 else "fail"
        whole = combine(results, self._thresholds)
        if isinstance(self.aggregate, ScoreMark):
            return whole["score"], _judge(whole["score"], self.aggregate.score)
        return whole["score"], whole["verdict"] if len(results) == 1 else None

    @cached_property
    def _evaluators(self) -> list[NamedEvaluator]:
        return assign_names(self.members, self._thresholds)


def _judge(score: float, mark: float) -> VerdictName:
    return "pass" if score >= mark - SLACK else "fail"


def _grade_members(
    members: Sequence[NamedEvaluator], case: Case, thresholds: Thresholds
) -> list[tuple[EvaluatorResult, Score]]:
    """Score each member; raise the first error after all of them, so that every member asks its questions."""
    scores, failure = [], None
    for member in members:
        started = perf_counter()
        try:
            score = member.evaluate(case)
        except Exception as error:  # noqa: BLE001  it is raised below, and `grade` makes it a result
            error.args = (f"{member.name}: {error}", *error.args[1:])
            failure = failure or error
            continue
        if member.adjustment is not None:
            score = member.adjustment.apply(score, thresholds)
        result = describe_score(member, score, case, thresholds)
        result["duration_ms"] = measure_milliseconds(started)
        scores.append((result, score))
    if failure is not None:
        raise failure
    return scores


def _describe(results: Results, skipped: int) -> str:
    passed = [result["name"] for result in results if result["verdict"] == "pass"]
    others = [result["name"] for result in results if result["verdict"] != "pass"]
    said = f"{len(passed)}/{len(results)} members pass" + (f"; not {', '.join(others)}" if others else "")
    return f"{said}; {skipped} skipped" if skipped else said


def _merge_details(results: Results) -> dict[str, Any]:
    """Return the counts, mismatches and alignments of all members, in the shapes that reports read."""
    merged: dict[str, Any] = {}
    mismatches = [item for details in _list_details(results, "mismatches", list) for item in details]
    omitted = sum(_list_details(results, "mismatches_omitted", int)) + max(0, len(mismatches) - MOST_MISMATCHES)
    if metrics := _merge_metrics(results):
        merged["metrics"] = metrics
    for alignment in _list_details(results, "alignment", dict):
        merged["alignment"] = {**merged.get("alignment", {}), **alignment}
    if mismatches:
        merged["mismatches"] = mismatches[:MOST_MISMATCHES]
    if omitted:
        merged["mismatches_omitted"] = omitted
    return merged


def _merge_observations(scores: Sequence[Score]) -> Mapping[str, Any] | None:
    from agentv_py.comparison.observations import merge_observations  # few answers have confidences

    observed = [score.observations for score in scores if score.observations]
    return merge_observations(observed) if observed else None


def _list_details(results: Results, key: str, kind: type[Any]) -> Iterator[Any]:
    """Yield what the members have under a key of their details; a judge may write anything there."""
    for result in results:
        if isinstance(value := result.get("details", {}).get(key), kind):
            yield value


def _merge_metrics(results: Results) -> dict[str, dict[str, int]]:
    by_attribute = defaultdict[str, list[Mapping[str, int]]](list)
    for metrics in _list_details(results, "metrics", dict):
        for attribute, counts in metrics.items():
            if isinstance(counts, Mapping) and all(type(counts.get(key)) is int for key in ("tp", "tn", "fp", "fn")):
                by_attribute[attribute].append(counts)
    return {attribute: sum_counts(counts) for attribute, counts in by_attribute.items()}
