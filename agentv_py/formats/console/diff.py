"""A diff → the parts of a terminal report: the verdict and the figures, then the broken and the fixed cases."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from agentv_py.errors import make_printable
from agentv_py.formats.console.changes import draw_changes
from agentv_py.formats.console.layout import (
    SIGNS,
    STYLES,
    add_rows,
    build_table,
    cut_text,
    draw_change,
    draw_file,
)
from agentv_py.formats.console.sections import draw_section
from agentv_py.formats.console.slices import draw_slice_changes
from agentv_py.formats.diff_sentence import count_compared, list_uncompared, write_target_sentences
from agentv_py.formats.sections.changes import list_change_sections
from agentv_py.formats.text import format_figure, format_interval, format_p_value, format_shift
from agentv_py.report.diff.changes import list_distinct_changes
from agentv_py.report.diff.columns import ResultColumns
from agentv_py.report.diff.model import CaseChange, Diff
from agentv_py.report.diff.shifts import MeanShift, TargetShift
from agentv_py.report.differences import read_error
from agentv_py.results.label import join_labels

_MOST_CASES = 10
_MOST_ATTRIBUTES = 15
_VERDICTS = {"better": "green", "worse": "red", "tied": "yellow"}


def draw_diff(diff: Diff, width: int) -> Iterator[RenderableType]:
    suites = ", ".join(map(make_printable, diff.suites))
    yield Text.assemble((suites, "bold"), f" · {count_compared(diff)} compared")
    half = (width - 4) // 2
    files = [_draw_side(side, half) for side in (diff.baseline, diff.candidate)]
    yield Text.assemble(files[0], (" → ", "dim"), files[1])
    yield Text()
    for shift, sentence in write_target_sentences(diff):
        yield Text(make_printable(sentence), style=_VERDICTS[shift.verdict])
    yield Text()
    yield _draw_totals(diff)
    if not diff.has_several_targets:
        yield _draw_rates(diff.shifts[0])
    yield from (Text(make_printable(line), style="yellow") for line in list_uncompared(diff))
    yield from _draw_cases(diff, diff.broken, "newly broken", "fail", width)
    yield from _draw_errored(diff, width)
    yield from _draw_cases(diff, diff.fixed, "newly fixed", "pass", width)
    if diff.evaluators:
        yield Text()
        yield _draw_evaluators(diff, width)
    yield from draw_slice_changes(diff, width)
    yield from _draw_attributes(diff, width)
    for section in list_change_sections(diff):
        yield Text()
        yield from draw_section(section, width)


def _draw_side(side: ResultColumns, room: int) -> Text:
    target = "" if side.only_target is None else f" · {make_printable(side.only_target)}"
    label = f" ({make_printable(join_labels(side.labels))})" if side.labels else ""
    return Text.assemble(draw_file(side.source.shown, room - len(target) - len(label)), target, label)


def _draw_cases(diff: Diff, cases: Sequence[CaseChange], title: str, word: str, width: int) -> Iterator[RenderableType]:
    if not cases:
        return
    yield Text()
    yield Text(f"{title} ({len(cases):,})", style="dim")
    for case in cases[:_MOST_CASES]:
        yield Text.assemble(
            (f"{SIGNS[word]} ", STYLES[word]),
            (cut_text(make_printable(case.key.name), width - 24), "bold"),
            (f"  {case.baseline:.3f} → {case.candidate:.3f}", STYLES[word]),
        )
        yield from draw_changes(list_distinct_changes(*diff.read_rows(case)), width)
    yield from _draw_rest(len(cases), _MOST_CASES)


def _draw_rest(count: int, most: int) -> Iterator[Text]:
    if count > most:
        yield Text(f"and {count - most:,} more", style="dim")


def _draw_errored(diff: Diff, width: int) -> Iterator[RenderableType]:
    cases = diff.newly_errored
    if not cases:
        return
    yield Text()
    yield Text(f"passed before, err now ({len(cases):,})", style="dim")
    for case in cases[:_MOST_CASES]:
        _, row = diff.read_rows(case)
        name = cut_text(make_printable(case.key.name), width // 3)
        first_line = read_error(row).message.partition("\n")[0]
        message = cut_text(make_printable(first_line), width - cell_len(name) - 6)
        yield Text.assemble((f"{SIGNS['error']} ", STYLES["error"]), (name, "bold"), f"  {message}")
    yield from _draw_rest(len(cases), _MOST_CASES)


def _draw_evaluators(diff: Diff, width: int) -> Table:
    table = build_table("evaluator", ">before", ">after", ">delta", ">95 % interval", ">p (Holm)")
    rows = [
        (diff.name_evaluator(each.key), *_draw_mean(each.mean_score), format_p_value(each.mean_score.p_adjusted))
        for each in diff.evaluators
    ]
    return add_rows(table, rows, width)


def _draw_mean(mean: MeanShift) -> tuple[str | Text, ...]:
    interval = format_interval(mean.shift.low, mean.shift.high)
    return f"{mean.baseline:.3f}", f"{mean.candidate:.3f}", draw_change(mean.shift.delta), interval


def _draw_attributes(diff: Diff, width: int) -> Iterator[RenderableType]:
    changed = diff.changed_attributes
    if not changed:
        return
    yield Text()
    table = build_table("attribute", "evaluator", ">F1 before", ">after", ">delta", ">95 % interval")
    rows: list[tuple[str | Text, ...]] = [
        (
            each.name,
            cut_text(make_printable(diff.name_evaluator(each.key)), max(width // 6, 12)),
            *map(format_figure, each.f1),
            draw_change(each.delta),
            format_shift(each.shift),
        )
        for each in changed[:_MOST_ATTRIBUTES]
    ]
    yield add_rows(table, rows, width)
    yield from _draw_rest(len(changed), _MOST_ATTRIBUTES)


def _draw_totals(diff: Diff) -> Table:
    several = diff.has_several_targets
    first = "target" if several else ""
    table = build_table(first, ">before", ">after", ">delta", ">95 % interval", ">p (adjusted)")
    for shift in diff.shifts:
        if several:
            table.add_row(make_printable(shift.name))
        for name, *figures in _draw_shift(shift):
            table.add_row(f"  {name}" if several else name, *figures, style="bold")
    return table


def _draw_shift(shift: TargetShift) -> Iterator[tuple[str | Text, ...]]:
    mean, rate, change = shift.mean_score, shift.pass_rate, shift.pass_rate.shift
    yield "mean score", *_draw_mean(mean), format_p_value(mean.p_adjusted)
    yield (
        "pass rate",
        f"{rate.baseline.value:.1%}",
        f"{rate.candidate.value:.1%}",
        draw_change(100 * change.delta, "+.1f", " pp"),
        format_interval(100 * change.low, 100 * change.high, "+.1f", " pp"),
        format_p_value(rate.p_adjusted),
    )


def _draw_rates(shift: TargetShift) -> Text:
    before, after = (
        format_interval(rate.low, rate.high, ".1%") for rate in (shift.pass_rate.baseline, shift.pass_rate.candidate)
    )
    intervals = f"{before} before, {after} after"
    return Text(f"pass rates' 95 % intervals: {intervals}", style="dim")
