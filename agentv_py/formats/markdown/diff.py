"""A diff → the blocks of a comment."""

from collections.abc import Iterator, Sequence

from agentv_py.formats.diff_sentence import describe_labels, list_uncompared, write_target_sentences
from agentv_py.formats.markdown.blocks import FoldedList, escape, limit_items, write_table, write_values
from agentv_py.formats.markdown.sections import write_sections
from agentv_py.formats.markdown.slices import write_slice_changes
from agentv_py.formats.sections.changes import list_change_sections
from agentv_py.formats.text import format_figure, format_interval, format_p_value, format_shift
from agentv_py.report.diff.changes import list_distinct_changes
from agentv_py.report.diff.model import CaseChange, Diff
from agentv_py.report.diff.shifts import MeanShift, TargetShift
from agentv_py.report.differences import MOST_DIFFERENCES

MARKS = {"better": "✓", "worse": "✗", "tied": "="}
_LONGEST_ID = 80


def write_diff(diff: Diff) -> Iterator[str | FoldedList]:
    labels = describe_labels(diff)
    yield f"### {escape(', '.join(diff.suites) + (f' · {labels}' if labels else ''))}: {diff.verdict}"
    sentences = "\n".join(_write_sentences(diff))
    yield sentences + "".join(f"\n· {escape(line)}" for line in list_uncompared(diff))
    yield _write_totals(diff)
    yield from _write_cases(diff, diff.broken, "Newly broken")
    if errored := diff.newly_errored:
        lines = [f"- **{escape(case.key.name, _LONGEST_ID)}**" for case in errored]
        yield FoldedList(f"Passed before, err now ({len(errored):,})", len(errored), lines)
    yield from _write_cases(diff, diff.fixed, "Newly fixed")
    yield write_table(
        f"Evaluators ({len(diff.evaluators)})",
        ("evaluator", "before", "after", "delta", "95 % interval", "p (Holm)"),
        [
            (
                escape(diff.name_evaluator(evaluator.key)),
                *_format_mean(evaluator.mean_score),
                _format_chance(evaluator.mean_score.p_adjusted),
            )
            for evaluator in diff.evaluators
        ],
    )
    yield from write_slice_changes(diff)
    yield from _write_attributes(diff)
    yield from write_sections(list_change_sections(diff))


def _write_sentences(diff: Diff) -> Iterator[str]:
    for shift, sentence in write_target_sentences(diff):
        yield f"- {MARKS[shift.verdict]} {escape(sentence, 500)}" if diff.has_several_targets else escape(sentence, 500)


def _write_cases(diff: Diff, cases: Sequence[CaseChange], title: str) -> Iterator[FoldedList]:
    if cases:
        yield FoldedList(f"{title} ({len(cases):,})", len(cases), (_write_case(diff, case) for case in cases))


def _write_case(diff: Diff, case: CaseChange) -> str:
    changes = [
        f"  - {change.mark} {escape(change.path)}{write_values(change.noted_texts(), change.remark)}"
        for change in list_distinct_changes(*diff.read_rows(case))
    ]
    head = f"- **{escape(case.key.name, _LONGEST_ID)}**: {case.baseline:.3f} → {case.candidate:.3f}"
    return "\n".join([head, *limit_items(changes, MOST_DIFFERENCES)])


def _write_attributes(diff: Diff) -> Iterator[str | FoldedList]:
    if changed := diff.changed_attributes:
        yield write_table(
            f"Attributes that changed ({len(changed)})",
            ("attribute", "evaluator", "F1 before", "F1 after", "delta", "95 % interval"),
            [
                (
                    escape(a.name),
                    escape(diff.name_evaluator(a.key)),
                    *map(format_figure, a.f1),
                    format_figure(a.delta, "+.3f"),
                    format_shift(a.shift),
                )
                for a in changed
            ],
        )


def _write_totals(diff: Diff) -> str | FoldedList:
    several = diff.has_several_targets
    heads = ("before", "after", "delta", "95 % interval", "p (adjusted)")
    rows = [((escape(shift.name),) if several else ()) + line for shift in diff.shifts for line in _list_totals(shift)]
    return write_table("The whole", (*(("target",) if several else ()), "", *heads), rows)


def _list_totals(shift: TargetShift) -> Iterator[tuple[str, ...]]:
    mean, rate = shift.mean_score, shift.pass_rate
    yield "mean score", *_format_mean(mean), _format_chance(mean.p_adjusted)
    yield (
        "pass rate",
        f"{rate.baseline.value:.1%}",
        f"{rate.candidate.value:.1%}",
        format_figure(100 * rate.shift.delta, "+.1f", " pp"),
        format_interval(100 * rate.shift.low, 100 * rate.shift.high, "+.1f", " pp"),
        _format_chance(rate.p_adjusted),
    )


def _format_mean(mean: MeanShift) -> tuple[str, ...]:
    interval = format_interval(mean.shift.low, mean.shift.high)
    return f"{mean.baseline:.3f}", f"{mean.candidate:.3f}", f"{mean.shift.delta:+.3f}", interval


def _format_chance(p_value: float) -> str:
    return escape(format_p_value(p_value))
