"""A summary → the lines of a brief report: the figures, the gates, the weakest parts, then the worst cases."""

from collections.abc import Iterator, Mapping
from heapq import nsmallest
from itertools import islice
from typing import Any

from agentv_py.formats.brief.lines import quote
from agentv_py.formats.sections import list_sections
from agentv_py.formats.slice_figures import list_weakest
from agentv_py.formats.text import (
    describe_errors_in_mean,
    describe_passes_with_misses,
    describe_selections,
    describe_size,
    describe_skipped,
    format_count,
    format_figure,
    format_gate,
)
from agentv_py.report.differences import find_weakest_attributes, list_differences, name_case
from agentv_py.report.summary import Summary

_MOST_EVALUATORS = 6
_MOST_ATTRIBUTES = 5
_MOST_REMARKS = 4
_MOST_CASES = 6
_MOST_GATES = 8
_MOST_SLICES = 3
_MOST_MISSES = 2


def write_summary(report: Summary) -> tuple[list[str], str]:
    """Return the lines, and the command that tells more about the worst case."""
    worst = _find_worst(report)
    return [*_list_lines(report, worst)], _suggest_command(report, worst)


def _list_lines(report: Summary, worst: list[Mapping[str, Any]]) -> Iterator[str]:
    yield from _write_figures(report)
    yield from describe_selections(report)
    yield from describe_skipped(report)
    gates = sorted(report.gates, key=lambda each: each[1].is_met)
    yield from (f"gate {gate.word}: {suite}: {format_gate(gate)}" for suite, gate in gates[:_MOST_GATES])
    yield from islice(list_weakest(report), _MOST_SLICES)
    below = sorted((each for each in report.evaluators if each.pass_rate < 1), key=lambda each: each.mean_score)
    for each in below[:_MOST_EVALUATORS]:
        errors = f", {format_count(each.errors, 'error')}" if each.errors else ""
        name = report.name_evaluator(each)
        yield f"evaluator {name}: mean score {each.mean_score:.3f}, pass rate {each.pass_rate:.1%}{errors}"
    for weak in find_weakest_attributes(report, _MOST_ATTRIBUTES):
        counts = f"TP {weak.counts['tp']} FP {weak.counts['fp']} FN {weak.counts['fn']}"
        yield f"attribute {weak.name} ({weak.evaluator}): F1 {format_figure(weak.quality.f1)}, {counts}"
    remarks = (f"{section.name}: {remark}" for section in list_sections(report) for remark in section.remarks[:2])
    yield from islice(remarks, _MOST_REMARKS)
    for row in worst:
        yield from _write_case(report, row)
    whole = report.totals
    left = whole.cases - whole.passed - len(worst)
    if left > 0:
        yield f"({format_count(left, 'more case')} did not pass)"


def _write_figures(report: Summary) -> Iterator[str]:
    whole = report.totals
    is_met = all(gate.is_met for _, gate in report.gates) if report.gates else whole.passed == whole.cases
    passed = f"{whole.passed:,} passed{describe_passes_with_misses(whole)}"
    figures = f"{passed}, {whole.partial:,} partial, {whole.failed:,} failed, {format_count(whole.errors, 'error')}"
    note = describe_errors_in_mean(whole)
    if not report.has_several_targets:
        figures += f", mean score {format_figure(whole.mean_score.value)}{note and f' ({note})'}"
    word = "PASS" if is_met and not whole.errors and whole.cases else "FAIL"
    yield f"{word} {', '.join(report.suites)}: {describe_size(report)}: {figures}"


def _find_worst(report: Summary) -> list[Mapping[str, Any]]:
    """Return the cases to look at first: errors, then the lowest scores; one case for each error."""
    seen = set[str]()

    def is_new(row: Mapping[str, Any]) -> bool:
        error = repr(row.get("error")) if row["status"] == "error" else ""
        is_known = bool(error) and error in seen
        seen.add(error)
        return not is_known

    wrong = (row for row in report.rows() if row["status"] == "error" or row["verdict"] != "pass")
    return nsmallest(_MOST_CASES, filter(is_new, wrong), key=lambda row: (row["status"] != "error", row["score"]))


def _write_case(report: Summary, row: Mapping[str, Any]) -> Iterator[str]:
    word = "error" if row["status"] == "error" else row["verdict"]
    yield f"case {name_case(report, row)}: {word}, score {row['score']:.3f}"
    misses = [str(difference) for difference in list_differences(row)]
    yield from (f"  {miss}" for miss in misses[:_MOST_MISSES])
    if len(misses) > _MOST_MISSES:
        yield f"  ({len(misses) - _MOST_MISSES} more)"


def _suggest_command(report: Summary, worst: list[Mapping[str, Any]]) -> str:
    if not report.results:
        return ""
    if not worst:
        return quote("evalctl", "report", report.results)
    target = ["--target", str(worst[0]["target"])] if report.has_several_targets and "target" in worst[0] else []
    return quote("evalctl", "explain", report.results, str(worst[0]["case_id"]), *target)
