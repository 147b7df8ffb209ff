"""A case → whether the right tools were called, with the right arguments and in the right order."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from agentv_py import jsontext
from agentv_py.case import ABSENT, Case
from agentv_py.comparison.comparison import Comparison, build_full_match
from agentv_py.comparison.counts import count_outcomes, quality, sum_counts
from agentv_py.comparison.field_rule import FieldRule
from agentv_py.comparison.limits import get_fact
from agentv_py.comparison.mismatch import describe_mismatches, split_hits_and_misses
from agentv_py.comparison.paths import Get, join_path, parse_path
from agentv_py.comparison.readers.tool_calls import ToolCall, read_tool_calls
from agentv_py.comparison.scoring import score_unlabelled
from agentv_py.comparison.truth import Truth
from agentv_py.comparison.truth.build import collect_keys
from agentv_py.comparison.truth.collector import parse_expected
from agentv_py.errors import EvaluationError
from agentv_py.evaluators.base import Evaluator, Place, ReadExpected
from agentv_py.evaluators.tool_trajectory.expected_call import ExpectedCall
from agentv_py.evaluators.tool_trajectory.order import (
    Partners,
    pair_by_position,
    pair_in_any_order,
    pair_in_order,
)
from agentv_py.score import Score

Mode = Literal["any_order", "in_order", "exact", "superset", "subset"]
_PAIRINGS = {"in_order": pair_in_order, "exact": pair_by_position}
_ROOTS = ("trace", "candidate", "metadata")


class ToolTrajectory(Evaluator):
    type: Literal["tool_trajectory"]
    mode: Mode = Field(
        "any_order",
        description="any_order and superset: each expected call is made; in_order: in this order, others may come "
        "between; exact: these calls and no others; subset: no other calls than these.",
    )
    expected: list[ExpectedCall] | None = Field(
        None, description="The expected calls; default: the expected value of the case, a list of calls."
    )
    minimums: dict[str, Annotated[int, Field(ge=1)]] | None = Field(
        None, min_length=1, description="How often each tool is called at least, instead of expected calls."
    )
    trace: str = Field("trace", min_length=1, description="Where the calls are: a path from trace or candidate.")

    field_options: ClassVar[frozenset[str]] = frozenset({"expected", "minimums"})
    harmless_details: ClassVar[frozenset[str]] = Evaluator.harmless_details | {"precision", "recall", "f1"}

    @model_validator(mode="after")
    def _check_calls(self) -> Self:
        if self.minimums is not None and (self.expected is not None or self.mode != "any_order"):
            raise ValueError("minimums goes with mode: any_order, and without expected:")
        if parse_path(self.trace).steps is None or self.trace.replace("[", ".").partition(".")[0] not in _ROOTS:
            raise ValueError(f"trace: {self.trace!r} is not a path from {', '.join(_ROOTS)}")
        return self

    def evaluate(self, case: Case) -> Score:
        expected = self._find_expected(case)
        if expected is None:
            return score_unlabelled()
        calls = self._read_calls(case)
        if self.minimums is not None:
            return _score_minimums(self.minimums, Counter(call.tool for call in calls))
        return self._score_calls(expected, calls)

    def for_consistency(self) -> None:
        """The traces of two answers are not compared with each other."""

    def truths(self) -> Iterator[Truth]:
        if (self.expected is None and self.minimums is None) or self._takes_values:
            yield collect_keys({}, required=False)

    def warnings(self) -> Iterator[tuple[Place, str]]:
        for index, one in enumerate(self.expected or ()):
            if one.args is None and "args_match" in one.model_fields_set:
                yield ("expected", index, "args_match"), "args_match has no effect without args"

    def list_rules(self, read_expected: ReadExpected) -> Iterator[FieldRule]:  # noqa: ARG002  the options are the rules
        for tool, least in (self.minimums or {}).items():
            yield FieldRule(join_path("", tool), "at least", f"≥ {least} calls", place=("minimums", tool))
        for index, one in enumerate(self.expected or ()):
            yield FieldRule(one.path, "call", one.describe_arguments(), place=("expected", index))

    def _find_expected(self, case: Case) -> Sequence[ExpectedCall] | None:
        """Return the expected calls; None if neither the options nor the case has any."""
        if self._takes_values:
            return _fill_values(self.expected or (), _read_expected_calls(case) or ())
        if self.expected is not None or self.minimums is not None:
            return self.expected or ()
        calls = _read_expected_calls(case)
        if calls is None:
            return None
        return [ExpectedCall(tool=call.tool, args=call.args if isinstance(call.args, dict) else None) for call in calls]

    def _read_calls(self, case: Case) -> list[ToolCall]:
        values = {"trace": get_fact(case, "trace"), "candidate": case.candidate, "metadata": case.metadata}
        if self._reads_candidate and isinstance(case.candidate, str):
            with suppress(jsontext.NotJson):
                values["candidate"], case.parsed = jsontext.find(case.candidate)
        trace = self._get_trace(values)
        if trace is None or trace is ABSENT:
            raise EvaluationError("no_data", f"the answer has no {self.trace}, so that its calls are not known")
        calls = read_tool_calls(trace)
        if calls is None:
            raise EvaluationError("trace", f"{self.trace} is neither a list of calls nor of messages with tool_calls")
        return calls

    def _score_calls(self, expected: Sequence[ExpectedCall], calls: Sequence[ToolCall]) -> Score:
        partners = _PAIRINGS.get(self.mode, pair_in_any_order)(expected, calls)
        total = {"exact": max(len(expected), len(calls)), "subset": len(calls)}.get(self.mode, len(expected))
        comparisons = list(_compare_calls(expected, calls, partners, self.mode))
        hits, misses, wrong = split_hits_and_misses(comparisons)
        paired = partners if self.mode not in _PAIRINGS else pair_in_any_order(expected, calls)
        right, missing, others = _count_calls(expected, calls, paired)
        counted = [*right, *missing, *(others if self.mode in ("exact", "subset") else ())]
        precision, recall, f1 = quality(sum_counts(count_outcomes([*right, *missing, *others]).values()))
        details = {"metrics": count_outcomes(counted), "precision": precision, "recall": recall, "f1": f1}
        return Score(
            len(partners) / total if total else 1.0,
            tuple(hits),
            tuple(misses),
            f"{len(partners)} of {len(expected)} expected calls, {len(calls)} made",
            details | describe_mismatches(wrong),
        )

    @cached_property
    def _takes_values(self) -> bool:
        return any(one.needs_values for one in self.expected or ())

    @cached_property
    def _reads_candidate(self) -> bool:
        return self.trace.startswith("candidate")

    @cached_property
    def _get_trace(self) -> Get:
        return parse_path(self.trace).build_getter()


def _read_expected_calls(case: Case) -> list[ToolCall] | None:
    """Return the calls that the case itself expects; None if it has no expected value."""
    if case.expected is ABSENT or case.expected is None:
        return None
    calls = read_tool_calls(parse_expected(case.expected) if isinstance(case.expected, str) else case.expected)
    if calls is None:
        raise EvaluationError("expected", "the expected value of the case is no list of calls such as {tool, args}")
    return calls


def _fill_values(expected: Sequence[ExpectedCall], calls: Sequence[ToolCall]) -> list[ExpectedCall]:
    """Return the expected calls with the values that the case has for them, in the order of the calls of each tool."""
    left = list(calls)
    filled = []
    for one in expected:
        call = next((call for call in left if call.tool == one.tool), None)
        if call is not None:
            left.remove(call)
        filled.append(one.fill_values(None if call is None else call.args) if one.needs_values else one)
    return filled


def _compare_calls(
    expected: Sequence[ExpectedCall], calls: Sequence[ToolCall], partners: Partners, mode: Mode
) -> Iterator[Comparison]:
    """Yield a comparison for each expected call, and for calls that must not be there."""
    unused = [call for number, call in enumerate(calls) if number not in partners.values()]
    for index, one in enumerate(expected):
        if index in partners:
            yield build_full_match(one.path)
        elif mode != "subset":
            there = calls[index] if mode == "exact" and index < len(calls) else None
            yield from _explain_miss(one, unused if there is None else [there], there)
    if mode == "subset":
        for call in unused:
            yield Comparison("extra", join_path("", call.tool), 0.0, 0.0, "unexpected", ABSENT, call.tool)
    if mode == "exact" and len(calls) != len(expected):
        note = f"expected {len(expected)}, got {len(calls)}"
        yield Comparison("mismatch", "calls", 0.0, 0.0, note, len(expected), len(calls))


def _explain_miss(one: ExpectedCall, calls: Sequence[ToolCall], there: ToolCall | None) -> Iterator[Comparison]:
    """Yield the arguments that differ from the nearest call of the tool, or that there is no such call."""
    same = [list(one.list_differences(call)) for call in calls if call.tool == one.tool]
    if differences := min((found for found in same if found), key=len, default=[]):
        yield from differences
    elif there is not None:
        yield Comparison("mismatch", one.path, 0.0, 0.0, f"got {there.tool}", one.tool, there.tool)
    else:
        note = "not in this order" if same else "not called"
        yield Comparison("missing", one.path, 0.0, 0.0, note, one.tool, ABSENT)


def _count_calls(
    expected: Sequence[ExpectedCall], calls: Sequence[ToolCall], partners: Partners
) -> tuple[list[Comparison], list[Comparison], list[Comparison]]:
    """Return the calls that are right, those that are missing, and others, in whatever order they were made."""
    taken = set(partners.values())
    return (
        [build_full_match(expected[index].path) for index in partners],
        [_miss("missing", one.path) for index, one in enumerate(expected) if index not in partners],
        [_miss("extra", join_path("", call.tool)) for index, call in enumerate(calls) if index not in taken],
    )


def _miss(outcome: Literal["missing", "extra"], path: str) -> Comparison:
    return Comparison(outcome, path, 0.0, 0.0, "", None, None)


def _score_minimums(minimums: Mapping[str, int], made: Mapping[str, int]) -> Score:
    comparisons = [_compare_count(join_path("", tool), least, made.get(tool, 0)) for tool, least in minimums.items()]
    hits, misses, wrong = split_hits_and_misses(comparisons)
    metrics = {
        comparison.path: {
            "tp": min(least, made.get(tool, 0)),
            "tn": 0,
            "fp": 0,
            "fn": max(0, least - made.get(tool, 0)),
        }
        for comparison, (tool, least) in zip(comparisons, minimums.items(), strict=True)
    }
    return Score(
        len(hits) / len(minimums),
        tuple(hits),
        tuple(misses),
        f"{len(hits)}/{len(minimums)} tools called often enough",
        {"metrics": metrics, **describe_mismatches(wrong)},
    )


def _compare_count(path: str, least: int, made: int) -> Comparison:
    if made >= least:
        return build_full_match(path)
    return Comparison(
        "mismatch" if made else "missing", path, 0.0, made / least, f"{made} of {least} calls", least, made
    )
