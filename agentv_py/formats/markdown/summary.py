"""A summary → the blocks of a comment."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from agentv_py.formats.group_figures import build_group_table
from agentv_py.formats.markdown.blocks import FoldedList, escape, limit_items, write_table, write_values
from agentv_py.formats.markdown.sections import write_sections
from agentv_py.formats.markdown.slices import write_slices
from agentv_py.formats.sections import list_sections
from agentv_py.formats.text import (
    describe_errors_in_mean,
    describe_flaky,
    describe_lowest_pass,
    describe_parsed,
    describe_passes_with_misses,
    describe_same_errors,
    describe_selections,
    describe_size,
    describe_skipped,
    format_count,
    format_estimate,
    format_figure,
    format_gate,
    format_interval,
)
from agentv_py.report.attributes import AttributeFigures, build_attribute_tables
from agentv_py.report.detection import PRECISIONS, RECALLS, compute_detection_figures
from agentv_py.report.differences import MOST_DIFFERENCES, find_weakest_attributes, list_differences, name_case
from agentv_py.report.gate_result import GateResult
from agentv_py.report.repeats import RepeatFigures, RepeatSummary
from agentv_py.report.statistics import Estimate
from agentv_py.report.suite_summary import SuiteSummary
from agentv_py.report.summary import Summary
from agentv_py.results.label import join_labels

_LONGEST_ID = 80


def write_summary(report: Summary) -> Iterator[str | FoldedList]:
    has_several = len(report.suites) > 1
    label = f" · {join_labels(report.labels)}" if report.labels else ""
    yield f"### {escape(', '.join(report.suites) + label)}: {_write_headline(report)}"
    yield _write_figures(report)
    if has_several:
        yield _write_suites(report)
    if report.groups.members:
        yield from _write_groups(report)
    before = [*(["suite"] if has_several else []), *(["target"] if report.has_several_targets else [])]
    yield write_table(
        "Evaluators",
        (*before, "evaluator", "type", "mean score", "pass rate", "errors"),
        [(*(escape(getattr(e, name)) for name in (*before, "name")), escape(e.type), f"{e.mean_score:.3f}",
          f"{e.pass_rate:.1%}", e.errors) for e in report.evaluators],
    )  # fmt: skip
    yield from write_slices(report)
    if report.repeats.cases:
        yield from _write_repeats(report.repeats)
    yield from _write_detection(report)
    if report.full:
        yield from _write_attributes(report)
    else:
        yield from _write_weakest(report)
    yield from write_sections(list_sections(report))
    if not report.full:
        yield from _write_failing(report)


def _write_headline(report: Summary) -> str:
    whole = report.totals
    passed = f"{whole.passed:,} of {whole.cases:,} passed{describe_passes_with_misses(whole)}"
    return describe_size(report) if report.has_several_targets else passed


def _write_figures(report: Summary) -> str:
    """Write the figures of all cases. Several targets have their own, and are not averaged."""
    whole = report.totals
    note, lowest = describe_errors_in_mean(whole), describe_lowest_pass(whole)
    figures = (
        f"\n· pass rate {_format_estimate(whole.pass_rate, '.1%')}{lowest and f', {lowest}'}"
        f" · mean score {_format_estimate(whole.mean_score, '.3f')}{note and f', {note}'}"
    )
    answers = f"{format_count(whole.cases, 'answer')}: {whole.passed:,} passed{describe_passes_with_misses(whole)}, "
    return (
        (answers if report.has_several_targets else "")
        + f"{whole.partial:,} partial, {whole.failed:,} failed, {format_count(whole.errors, 'error')}"
        + ("" if report.has_several_targets else figures)
        + "".join(f"\n· {escape(line)}" for line in describe_selections(report))
        + (f"\n· models: {report.usage}" if report.usage else "")
        + "".join(f"\n· {escape(line)}" for line in describe_skipped(report))
        + (f"\n· {parsed}" if (parsed := describe_parsed(report.parsed_answers)) else "")
        + (f"\n· gates: {_write_gates(gate for _, gate in report.gates)}" if _has_own_gates(report) else "")
    )


def _has_own_gates(report: Summary) -> bool:
    """Return whether the gates need a line of their own; those of several suites are in the table of suites."""
    return bool(report.gates) and len(report.suites) < 2


def _write_groups(report: Summary) -> Iterator[str | FoldedList]:
    table = build_group_table(report.groups, has_whole=True)
    if not table.lines:
        return
    rows = [(label, *map(escape, figures)) for label, figures in table.lines]
    yield write_table(f"By {table.by}", (escape(table.by), *map(escape, table.names)), rows)
    if table.remark:
        yield escape(table.remark)


def _write_suites(report: Summary) -> str | FoldedList:
    return write_table(
        f"Suites ({len(report.suites)})",
        ("suite", "cases", "pass rate", "mean score", "errors", "gates"),
        [(escape(s.name), s.cases, *_write_suite_figures(s),
          s.errors, _write_gates(s.gates)) for s in report.by_suite.values()],
    )  # fmt: skip


def _write_suite_figures(suite: SuiteSummary) -> tuple[str, str]:
    if suite.has_several_targets:
        return format_figure(None), format_figure(None)
    return _format_estimate(suite.pass_rate, ".1%"), _format_estimate(suite.mean_score, ".3f")


def _write_gates(gates: Iterable[GateResult]) -> str:
    return "; ".join(f"{'✓' if gate.is_met else '✗'} {escape(format_gate(gate))}" for gate in gates)


def _write_repeats(repeats: RepeatSummary) -> Iterator[str | FoldedList]:
    yield write_table(
        f"Repeats ({repeats.cases})",
        ("repeats", "best", "mean", "variance", "standard deviation", "consistency", "ranking"),
        [_write_repeat_figures(figures) for figures in repeats.figures()],
    )
    yield describe_flaky(repeats)
    if repeats.left_out:
        yield f"Not in the consistency: {escape(', '.join(repeats.left_out))}"


def _write_repeat_figures(case: RepeatFigures) -> Sequence[str]:
    figures = (case.best, case.mean, case.variance, case.standard_deviation, case.consistency)
    return escape(case.name, _LONGEST_ID), *map(format_figure, figures), " ".join(map(str, case.ranking))


def _write_detection(report: Summary) -> Iterator[str | FoldedList]:
    for evaluator, figures in compute_detection_figures(report).items():
        for word, names in (("Average precision", PRECISIONS), ("Average recall", RECALLS)):
            row = (word.lower(), *(format_figure(figures[name]) for name in names))
            yield write_table(f"{word} of {escape(evaluator)}", (escape(evaluator), *map(escape, names)), [row])


def _write_attributes(report: Summary) -> Iterator[str | FoldedList]:
    for evaluator, lines in build_attribute_tables(report):
        rows = [(escape(line.name), *_write_attribute(line)) for line in lines]
        head = (escape(evaluator), "TP", "TN", "FP", "FN", "precision", "recall", "F1 (95 %)", "support")
        yield write_table(f"Attributes of {escape(evaluator)} ({len(rows)})", head, rows)


def _write_attribute(line: AttributeFigures) -> Iterator[str]:
    *counts, precision, recall, f1, support = line.values()
    yield from (format_figure(count, "d") for count in counts)
    yield from map(format_figure, (precision, recall))
    yield format_estimate(f1, line.estimates.f1)
    yield format_figure(support, "d")


def _write_weakest(report: Summary) -> Iterator[str | FoldedList]:
    wrong = find_weakest_attributes(report, 10)
    if wrong:
        yield write_table(
            "Weakest attributes",
            ("weakest attributes", "evaluator", "precision", "recall", "F1", "TP", "TN", "FP", "FN"),
            [(escape(a.name), escape(a.evaluator), format_figure(a.quality.precision), format_figure(a.quality.recall),
              format_figure(a.quality.f1), *a.counts.values()) for a in wrong],
        )  # fmt: skip


def _write_failing(report: Summary) -> Iterator[FoldedList]:
    if report.failing_rows:
        count = len(report.failing_rows)
        cases = (
            _write_case(row, name_case(report, row), report.failing_rows.count_same(row)) for row in report.failing_rows
        )
        yield FoldedList(f"First cases that did not pass ({count})", count, cases)


def _write_case(row: Mapping[str, Any], name: str, same: int) -> str:
    word = "error" if row["status"] == "error" else row["verdict"]
    lines = []
    for item in list_differences(row):
        values = (("expected", item.expected), ("got", item.actual))
        lines.append(f"  - {escape(item.where)}{write_values(values, item.remark)}")
    head = f"- **{escape(name, _LONGEST_ID)}**: {word}, {row['score']:.3f}"
    if same:
        head += f" ({describe_same_errors(same)})"
    return "\n".join([head, *limit_items(lines, MOST_DIFFERENCES)])


def _format_estimate(estimate: Estimate, form: str) -> str:
    return f"{format_figure(estimate.value, form)} ({format_interval(estimate.low, estimate.high, form)})"
