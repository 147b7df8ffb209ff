"""A diff and what it must not show → which gates strike."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agentv_py.errors import UserError, did_you_mean
from agentv_py.report.diff.model import AttributeShift, Diff
from agentv_py.score import SLACK

VALID = "broken, significant, mean:-0.01, mean:-1%, pass-rate:-0.5pp, f1:ATTRIBUTE:-0.02"

_FALL = re.compile(r"(?P<figure>mean|pass-rate|f1:(?P<attribute>.+)):-(?P<amount>\d*\.?\d+)(?P<unit>%|pp)?")


@dataclass(frozen=True, slots=True)
class Gate:
    """What must not happen: one of two words, or a fall by this much or more. A fall by 0 is any."""

    text: str
    figure: str
    amount: float = 0.0
    relative: bool = False
    attribute: str = ""


def parse_gates(texts: Sequence[str]) -> list[Gate]:
    """Every gate, or every text that is none."""
    gates = [_parse(text) for text in texts]
    wrong = [text for text, gate in zip(texts, gates, strict=True) if gate is None]
    if wrong:
        raise UserError(*(f"--fail-on {text!r}: is not a gate; valid ones: {VALID}" for text in wrong))
    return [gate for gate in gates if gate]


def _parse(text: str) -> Gate | None:
    if text in ("broken", "significant"):
        return Gate(text, text)
    found = _FALL.fullmatch(text)
    if found is None or (found["unit"] == "pp" and found["figure"] != "pass-rate"):
        return None
    amount = float(found["amount"]) / (100 if found["unit"] else 1)
    figure = found["figure"].partition(":")[0]
    return Gate(text, figure, amount, found["unit"] == "%", found["attribute"] or "")


def strikes(diff: Diff, gates: Sequence[Gate]) -> Iterator[str]:
    """Which gates strike, and by what; where nothing was compared, nothing is known to be well."""
    for gate in gates:
        if not diff.cases:
            yield f"{gate.text}: no case could be compared"
        elif gate.figure == "broken":
            yield from _broken(diff)
        elif gate.figure == "significant":
            if diff.verdict == "worse":
                yield f"significant: the mean score fell by {-diff.mean_score.shift.delta:.4g}, beyond what chance does"
        else:
            yield from _falls(diff, gate)


def _broken(diff: Diff) -> Iterator[str]:
    if diff.broken:
        yield f"broken: {len(diff.broken):,} passed before and do not any more"
    if diff.newly_errored:
        yield f"broken: {len(diff.newly_errored):,} passed before and err now"


def _falls(diff: Diff, gate: Gate) -> Iterator[str]:
    for name, before, after in _figures(diff, gate):
        fall = (before - after) / (before if gate.relative and before else 1.0)
        if fall >= gate.amount - SLACK and fall > SLACK:
            yield f"{gate.text}: {name} fell from {before:.4g} to {after:.4g}"


def _figures(diff: Diff, gate: Gate) -> Iterator[tuple[str, float, float]]:
    if gate.figure == "mean":
        yield "the mean score", diff.mean_score.baseline, diff.mean_score.candidate
    elif gate.figure == "pass-rate":
        yield "the pass rate", diff.pass_rate.baseline.value, diff.pass_rate.candidate.value
    else:
        for one in _attributes(diff, gate.attribute):
            before, after = one.f1
            if before is not None:  # what counted before and counts for nothing now has fallen
                yield f"F1 of {one.name!r} under {one.evaluator!r}", before, after or 0.0


def _attributes(diff: Diff, name: str) -> list[AttributeShift]:
    found = [one for one in diff.attributes if one.name == name]
    if not found:
        known = sorted({one.name for one in diff.attributes})
        raise UserError(f"--fail-on f1:{name}: no evaluator counts this attribute{did_you_mean(name, known)}")
    return found
