"""The figures of a suite, its attributes and its slices → which gates they meet or miss."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from agentv_py.comparison.counts import quality
from agentv_py.report.evaluator_summary import EvaluatorSummary
from agentv_py.report.gate_result import GateResult
from agentv_py.report.slices.fold import SliceTable
from agentv_py.report.tally import Tally
from agentv_py.suite.schema import FigureGates, Gates, SliceGates

_MOST_NAMED = 3
_FIGURES: tuple[Literal["mean_score", "pass_rate"], ...] = ("mean_score", "pass_rate")


def merge_gates(gates: Gates, target: str) -> FigureGates:
    """Return the gates of a target: its own ones replace those of all targets."""
    own = (gates.targets or {}).get(target)
    if own is None:
        return gates
    given = {name: value for name, value in own if value is not None}
    return gates.model_copy(update=given | {"f1": {**(gates.f1 or {}), **(own.f1 or {})} or None})


def check_figures(tally: Tally, gates: FigureGates, target: str) -> Iterator[GateResult]:
    for figure in _FIGURES:
        limit = getattr(gates, figure)
        if limit is not None:
            yield GateResult(figure, getattr(tally, figure).value, limit, target)


def check_attributes(evaluators: Sequence[EvaluatorSummary], gates: FigureGates, target: str) -> Iterator[GateResult]:
    """Compare the F1 of each attribute, under each evaluator that counts it, and the share of invented values."""
    for wanted, limit in (gates.f1 or {}).items():
        matches = list(_find_attributes(evaluators, wanted))
        for evaluator, attribute, counts in matches:
            name = f"{evaluator}/{attribute}" if len(matches) > 1 else wanted
            f1 = 0.0 if not counts["tp"] and (counts["fp"] or counts["fn"]) else quality(counts).f1
            yield GateResult(f"f1 of {name}", f1, limit, target, note="" if f1 is not None else "no case has a value")
        if not matches:
            yield GateResult(f"f1 of {wanted}", None, limit, target, note="no evaluator counted this attribute")
    if gates.invented is not None:
        yield _check_invented(evaluators, gates.invented, target)


def _find_attributes(
    evaluators: Iterable[EvaluatorSummary], wanted: str
) -> Iterator[tuple[str, str, Mapping[str, int]]]:
    for evaluator in evaluators:
        for attribute, counts in evaluator.attributes.items():
            if wanted in (attribute, f"{evaluator.name}/{attribute}"):
                yield evaluator.name, attribute, counts


def _check_invented(evaluators: Sequence[EvaluatorSummary], limit: float, target: str) -> GateResult:
    """Compare the share of the evaluator that finds the most invented values.

    Where rows list a part of their mismatches, the greatest possible share counts: a gate is met only if that is sure.
    """
    shares = {each.name: share for each in evaluators if (share := each.invented_share) is not None}
    if not shares:
        note = "no evaluator counted a value of a candidate"
        return GateResult("invented", None, limit, target, is_ceiling=True, note=note)
    worst = max(shares, key=lambda name: shares[name][::-1])
    name = f"invented by {worst}" if len(shares) > 1 else "invented"
    least, most = shares[worst]
    note = (
        "" if least == most else f"at most; at least {least:.4g}: cases list 50 mismatches each, others may be invented"
    )
    return GateResult(name, most, limit, target, is_ceiling=True, note=note)


def check_slices(tables: Iterable[SliceTable], gates: Mapping[str, SliceGates], target: str) -> Iterator[GateResult]:
    """Compare the weakest slice of each key that has enough cases. One gate is shown for each key and figure."""
    for table in tables:
        wanted = gates.get(table.key.text)
        for figure in _FIGURES if wanted is not None else ():
            limit = getattr(wanted, figure)
            if limit is not None:
                least = (wanted and wanted.min_cases) or table.key.min_cases
                yield _check_slice(table, figure, limit, least, target)


def _check_slice(
    table: SliceTable, figure: Literal["mean_score", "pass_rate"], limit: float, least: int, target: str
) -> GateResult:
    figures = sorted(
        (getattr(member, figure).value, value) for value, member in table.members.items() if member.cases >= least
    )
    if not figures:
        note = f"no slice has {least:,} {'case' if least == 1 else 'cases'}"
        return GateResult(f"{figure} of {table.key.text}", None, limit, target, note=note)
    results = [
        GateResult(f"{figure} of {table.key.text} = {value}", reached, limit, target) for reached, value in figures
    ]
    return _note_others(results, [value for _, value in figures])


def _note_others(results: list[GateResult], values: Sequence[str]) -> GateResult:
    """Return the result of the weakest slice, which also names the other slices that miss the gate."""
    missed = [value for result, value in zip(results, values, strict=True) if not result.is_met]
    if not missed:
        return results[0]._replace(note=f"the weakest of {len(results):,}" if len(results) > 1 else "")
    others = ", ".join(missed[1 : _MOST_NAMED + 1]) + (", …" if len(missed) > _MOST_NAMED + 1 else "")
    note = f"{len(missed):,} of {len(results):,} slices miss it" + (f", also {others}" if others else "")
    return results[0]._replace(note=note if len(results) > 1 else "")
