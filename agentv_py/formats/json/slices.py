"""The slices of a summary or a diff → objects with stable keys; of each key as many slices as a page can use."""

from typing import Any

from agentv_py.comparison.counts import quality
from agentv_py.formats.slice_figures import describe_worse, group_tables
from agentv_py.report.diff.model import Diff
from agentv_py.report.diff.slices import SliceChange, SliceShift
from agentv_py.report.slices.fold import Slice, SliceTable
from agentv_py.report.slices.weakest import WorseSlice
from agentv_py.report.summary import Summary

MOST_SLICES = 100


def convert_slices(report: Summary) -> list[dict[str, Any]]:
    """Convert the slices of each suite, target and key."""
    return [_convert_table(report, table, worse) for tables, worse in group_tables(report) for table in tables]


def _convert_table(report: Summary, table: SliceTable, worse: list[WorseSlice]) -> dict[str, Any]:
    own = {each.member.value: each for each in reversed(worse) if each.table is table}
    members = [*table.list_judged(), *table.list_small()]
    weakest = next((each for each in worse[:1] if each.table is table), None)
    return {
        "by": table.key.text,
        **({"suite": table.suite} if len(report.by_suite) > 1 else {}),
        **({"target": table.target} if report.has_several_targets else {}),
        "min_cases": table.key.min_cases,
        "values": len(members),
        "cases_without": table.without,
        "cases_beyond": table.beyond,
        "weakest": None if weakest is None else _convert_worse(report, weakest),
        "slices": [_convert_slice(table, member, own.get(member.value)) for member in members[:MOST_SLICES]],
        "omitted": max(0, len(members) - MOST_SLICES),
    }


def _convert_worse(report: Summary, worse: WorseSlice) -> dict[str, Any]:
    return {
        "value": worse.member.value,
        "figure": worse.figure,
        "slice": worse.value,
        "rest": worse.rest,
        "p_adjusted": worse.p_adjusted,
        "text": describe_worse(report, worse),
    }


def _convert_slice(table: SliceTable, member: Slice, worse: WorseSlice | None) -> dict[str, Any]:
    """Convert a slice; figures of too few cases are null."""
    is_judged = member.cases >= table.key.min_cases
    return {
        "value": member.value,
        "cases": member.cases,
        "passed": member.passed,
        "errors": member.errors,
        "too_few": not is_judged,
        "pass_rate": member.pass_rate._asdict() if is_judged else None,
        "mean_score": member.mean_score._asdict() if is_judged else None,
        "worse": worse is not None,
        "f1": _convert_f1(member) if is_judged else {},
    }


def _convert_f1(member: Slice) -> dict[str, Any]:
    return {
        name: {attribute: quality(counts).f1 for attribute, counts in evaluator.attributes.items()}
        for name, evaluator in member.evaluators.items()
        if evaluator.attributes
    }


def convert_slice_shifts(diff: Diff) -> list[dict[str, Any]]:
    return [
        {
            "by": table.key.text,
            **({"suite": table.suite} if len(diff.suites) > 1 else {}),
            **({"target": table.target} if table.target else {}),
            "min_cases": table.key.min_cases,
            "values": len(table.members),
            "cases_without": table.without,
            "slices": [_convert_slice_shift(member) for member in table.members[:MOST_SLICES]],
            "omitted": max(0, len(table.members) - MOST_SLICES),
        }
        for table in diff.slices
    ]


def _convert_slice_shift(member: SliceShift) -> dict[str, Any]:
    """Convert a slice; changes of too few cases are null."""
    return {
        "value": member.value,
        "cases": member.cases,
        "broken": member.broken,
        "fixed": member.fixed,
        "too_few": member.mean_score is None,
        "worse": member.is_worse,
        "pass_rate": _convert_change(member.pass_rate),
        "mean_score": _convert_change(member.mean_score),
    }


def _convert_change(change: SliceChange | None) -> dict[str, Any] | None:
    """Convert a change; of a slice that moved too little to be tested, interval and p-value are null."""
    if change is None:
        return None
    shift = change.shift
    interval = {"low": None if shift is None else shift.low, "high": None if shift is None else shift.high}
    figures = {"baseline": change.baseline, "candidate": change.candidate, "delta": change.delta}
    return figures | interval | {"p_adjusted": change.p_adjusted}
