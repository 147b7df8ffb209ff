"""A diff and the gates of `--fail-on` → the gates that the diff violates."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agentv_py.errors import UserError, did_you_mean
from agentv_py.report.diff.model import Diff
from agentv_py.report.diff.shifts import AttributeShift, TargetShift
from agentv_py.score import SLACK

VALID = "broken, significant, mean:-0.01, mean:-1%, pass-rate:-0.5pp, f1:ATTRIBUTE:-0.02, f1:ATTRIBUTE:significant"

_SIGNIFICANT = ":significant"
_FALL = re.compile(r"(?P<figure>mean|pass-rate|f1:(?P<attribute>.+)):-(?P<amount>\d*\.?\d+)(?P<unit>%|pp)?")


@dataclass(frozen=True, slots=True)
class Gate:
    """A limit: no broken case, no significant fall, or no fall by this amount or more. The amount 0 is any fall."""

    text: str
    figure: str
    amount: float = 0.0
    is_relative: bool = False
    attribute: str = ""
    """The attribute; after its evaluator and a slash where one evaluator is meant."""
    is_significance: bool = False
    """Whether the gate allows what chance explains."""


def parse_gates(texts: Sequence[str]) -> list[Gate]:
    """Parse every gate, or raise with all the texts that are not gates."""
    gates = [_parse_gate(text) for text in texts]
    wrong = [text for text, gate in zip(texts, gates, strict=True) if gate is None]
    if wrong:
        raise UserError(*(f"--fail-on {text!r}: is not a gate; valid ones: {VALID}" for text in wrong))
    return [gate for gate in gates if gate]


def _parse_gate(text: str) -> Gate | None:
    if text in ("broken", "significant"):
        return Gate(text, text)
    if text.startswith("f1:") and text.endswith(_SIGNIFICANT) and len(text) > len("f1:") + len(_SIGNIFICANT):
        return Gate(text, "f1", attribute=text[len("f1:") : -len(_SIGNIFICANT)], is_significance=True)
    fall = _FALL.fullmatch(text)
    if fall is None or (fall["unit"] == "pp" and fall["figure"] != "pass-rate"):
        return None
    amount = float(fall["amount"]) / (100 if fall["unit"] else 1)
    figure = fall["figure"].partition(":")[0]
    return Gate(text, figure, amount, fall["unit"] == "%", fall["attribute"] or "")


def find_violations(diff: Diff, gates: Sequence[Gate]) -> Iterator[str]:
    """List the gates that the diff violates, and how; of several targets, one that violates a gate is enough.

    A target none of whose cases can be compared violates every gate.
    """
    for gate in gates:
        for shift in diff.shifts:
            found = _find_shift_violations(shift, gate)
            yield from (f"{text} (target {shift.name!r})" if diff.has_several_targets else text for text in found)
        if gate.is_significance and diff.cases:
            yield from _find_significant_attributes(diff, gate)
        elif gate.figure == "f1" and diff.cases:
            yield from _find_falls(gate, _list_attributes(diff, gate.attribute))


def _find_shift_violations(shift: TargetShift, gate: Gate) -> Iterator[str]:
    if not shift.cases:
        yield f"{gate.text}: no case could be compared"
    elif gate.figure == "broken":
        yield from _find_broken_cases(shift)
    elif gate.figure == "significant":
        yield from _find_significant_falls(shift)
    elif gate.figure == "mean":
        mean = shift.mean_score
        yield from _find_falls(gate, [("the mean score", mean.baseline, mean.candidate)])
    elif gate.figure == "pass-rate":
        rate = shift.pass_rate
        yield from _find_falls(gate, [("the pass rate", rate.baseline.value, rate.candidate.value)])


def _find_broken_cases(shift: TargetShift) -> Iterator[str]:
    if shift.broken:
        yield f"broken: {shift.broken:,} passed before and do not pass now"
    if shift.newly_errored:
        yield f"broken: {shift.newly_errored:,} passed before and err now"


def _find_significant_falls(shift: TargetShift) -> Iterator[str]:
    mean, rate = shift.mean_score.shift, shift.pass_rate.shift
    if mean.verdict == "worse":
        yield f"significant: the mean score fell by {-mean.delta:.4g}, more than chance explains"
    if rate.verdict == "worse":
        yield f"significant: the pass rate fell by {-100 * rate.delta:.4g} points, more than chance explains"


def _find_falls(gate: Gate, figures: Iterable[tuple[str, float, float]]) -> Iterator[str]:
    for name, before, after in figures:
        fall = (before - after) / (before if gate.is_relative and before else 1.0)
        if fall >= gate.amount - SLACK and fall > SLACK:
            yield f"{gate.text}: {name} fell from {before:.4g} to {after:.4g}"


def _find_significant_attributes(diff: Diff, gate: Gate) -> Iterator[str]:
    """Yield the attributes that fell by more than chance explains; one that is counted no more has fallen too."""
    for attribute in _find_attributes(diff, gate.attribute):
        before, after = attribute.f1
        has_vanished = before is not None and after is None
        if has_vanished or (attribute.shift is not None and attribute.shift.verdict == "worse"):
            name = f"F1 of {attribute.name!r} under {diff.name_evaluator(attribute.key)!r}"
            yield f"{gate.text}: {name} fell from {before:.4g} to {after or 0.0:.4g}, more than chance explains"


def _list_attributes(diff: Diff, name: str) -> Iterator[tuple[str, float, float]]:
    for attribute in _find_attributes(diff, name):
        before, after = attribute.f1
        if before is not None:  # an attribute that was counted before and is not counted now has fallen
            yield f"F1 of {attribute.name!r} under {diff.name_evaluator(attribute.key)!r}", before, after or 0.0


def _find_attributes(diff: Diff, name: str) -> list[AttributeShift]:
    """Find an attribute under every evaluator, or under the one that is named before a slash."""
    attributes = [each for each in diff.attributes if name in (each.name, *_list_full_names(diff, each))]
    if not attributes:
        known = dict.fromkeys(name for each in diff.attributes for name in (each.name, *_list_full_names(diff, each)))
        raise UserError(f"--fail-on f1:{name}: no evaluator counts this attribute{did_you_mean(name, list(known))}")
    return attributes


def _list_full_names(diff: Diff, attribute: AttributeShift) -> tuple[str, str]:
    return f"{attribute.key.name}/{attribute.name}", f"{diff.name_evaluator(attribute.key)}/{attribute.name}"
