"""A summary → the parts of a terminal report."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from agentv_py.errors import make_printable
from agentv_py.formats.console.figures import draw_figures
from agentv_py.formats.console.layout import (
    SIGNS,
    STYLES,
    LabelledValue,
    add_rows,
    build_table,
    cut_text,
    draw_differences,
    draw_errors,
)
from agentv_py.formats.console.sections import draw_sections
from agentv_py.formats.text import (
    describe_flaky,
    describe_passes_with_misses,
    describe_same_errors,
    describe_selections,
    describe_size,
    describe_skipped,
    format_estimate,
    format_figure,
)
from agentv_py.report.attributes import AttributeFigures, build_attribute_tables
from agentv_py.report.detection import PRECISIONS, RECALLS, Figures, compute_detection_figures
from agentv_py.report.differences import (
    MOST_DIFFERENCES,
    Difference,
    find_weakest_attributes,
    list_differences,
    name_case,
)
from agentv_py.report.repeats import RepeatSummary
from agentv_py.report.summary import Summary
from agentv_py.results.label import join_labels

_MOST_RANKED = 5
_ATTRIBUTE_HEADS = ("precision", "recall", "F1", "TP", "TN", "FP", "FN")
_WIDE = 118
"""From this width on, precision and recall have their intervals."""


def draw_summary(report: Summary, width: int) -> Iterator[RenderableType]:
    label = f" · {make_printable(join_labels(report.labels))}" if report.labels else ""
    yield Text.assemble((", ".join(map(make_printable, report.suites)), "bold"), f" · {describe_size(report)}{label}")
    yield from (Text(make_printable(line), style="dim") for line in describe_selections(report))
    yield _draw_verdicts(report)
    yield Text()
    yield from draw_figures(report, width)
    yield Text()
    yield _draw_evaluators(report, width)
    yield from (Text(make_printable(line), style="dim") for line in describe_skipped(report))
    if report.slices.tables:
        from agentv_py.formats.console.slices import draw_slices  # most reports have none

        yield from draw_slices(report, width)
    if report.repeats.cases:
        yield Text()
        yield from _draw_repeats(report.repeats)
    yield from _draw_attribute_parts(report, width)
    yield from draw_sections(report, width)
    if report.failing_rows and not report.full:
        yield from _draw_failing_rows(report, width)


def _draw_attribute_parts(report: Summary, width: int) -> Iterator[RenderableType]:
    """Draw what was detected, then every attribute, or the weakest ones."""
    for evaluator, figures in compute_detection_figures(report).items():
        yield Text()
        yield _draw_detection(evaluator, figures)
    if report.full:
        for evaluator, lines in build_attribute_tables(report):
            yield Text()
            yield _draw_attributes(evaluator, lines, width)
    elif weak := _draw_weakest(report, width):
        yield Text()
        yield weak


def _draw_failing_rows(report: Summary, width: int) -> Iterator[RenderableType]:
    yield Text()
    yield Text("first cases that did not pass", style="dim")
    for row in report.failing_rows:
        yield from _draw_failing(row, name_case(report, row), width)
        if same := describe_same_errors(report.failing_rows.count_same(row)):
            yield Padding(Text(same, style="dim"), (0, 0, 0, 4))
    hidden = report.cases - report.totals.passed - report.failing_rows.count_shown()
    if hidden > 0:
        yield Text(f"and {hidden:,} more in the results", style="dim")


def _draw_verdicts(report: Summary) -> Text:
    whole = report.totals
    errors = "error" if whole.errors == 1 else "errors"
    counts = (("passed", "pass", whole.passed), ("partial", "partial", whole.partial),
              ("failed", "fail", whole.failed), (errors, "error", whole.errors))  # fmt: skip
    line = Text("answers  " if report.has_several_targets else "")
    for word, verdict, number in counts:
        style = STYLES[verdict] if number else "dim"
        line.append(f"{SIGNS[verdict]} {number:,} {word}", style=style)
        if verdict == "pass":
            line.append(describe_passes_with_misses(whole), style=STYLES["partial"])
        line.append("   ")
    return line


def _draw_evaluators(report: Summary, width: int) -> Table:
    before = [*(["suite"] if len(report.suites) > 1 else []), *(["target"] if report.has_several_targets else [])]
    rows: list[tuple[str | Text, ...]] = []
    for evaluator in report.evaluators:
        first, *names = (make_printable(getattr(evaluator, name)) for name in (*before, "name"))
        figures = f"{evaluator.mean_score:.3f}", f"{evaluator.pass_rate:.1%}"
        cells = (*(cut_text(name, max(width // 4, 12)) for name in names), evaluator.type, *figures)
        rows.append((first, *cells, draw_errors(evaluator.errors)))
    return add_rows(build_table(*before, "evaluator", "type", ">mean score", ">pass rate", ">errors"), rows, width)


def _draw_detection(evaluator: str, figures: Figures) -> Table:
    rows = build_table(make_printable(evaluator), *(f">{name}" for name in PRECISIONS))
    rows.add_row("average precision", *(format_figure(figures[name]) for name in PRECISIONS))
    rows.add_row("", *(Text(name, style="dim") for name in RECALLS))
    rows.add_row("average recall", *(format_figure(figures[name]) for name in RECALLS))
    return rows


def _draw_weakest(report: Summary, width: int) -> Table | None:
    wrong = find_weakest_attributes(report, 5)
    if not wrong:
        return None
    has_several = len(report.evaluators) > 1
    table = build_table(
        "weakest attributes", *(["evaluator"] if has_several else []), *(f">{head}" for head in _ATTRIBUTE_HEADS)
    )
    rows: list[tuple[str | Text, ...]] = []
    for attribute in wrong:
        evaluator = cut_text(make_printable(attribute.evaluator), max(width // 5, 12))
        names = (attribute.name, Text(evaluator, style="dim")) if has_several else (attribute.name,)
        rows.append((*names, *map(format_figure, attribute.quality), *map(str, attribute.counts.values())))
    return add_rows(table, rows, width)


def _draw_repeats(repeats: RepeatSummary) -> Iterator[RenderableType]:
    rows = build_table("repeats", ">best", ">mean", ">variance", ">std dev", ">consistency", "ranking")
    for number, line in enumerate(repeats.figures()):
        figures = (line.best, line.mean, line.variance, line.standard_deviation, line.consistency)
        rows.add_row(
            make_printable(line.name),
            *map(format_figure, figures),
            _format_ranking(line.ranking),
            style="" if number else "bold",
        )
    yield rows
    if len(repeats.weakest) < repeats.cases:
        yield Text(f"and {repeats.cases - len(repeats.weakest):,} more in the results", style="dim")
    yield Text(describe_flaky(repeats), style="yellow" if repeats.flaky else "dim")
    if repeats.left_out:
        yield Text(f"not in the consistency: {', '.join(map(make_printable, repeats.left_out))}", style="dim")


def _format_ranking(numbers: Sequence[int]) -> str:
    return " ".join(map(str, numbers[:_MOST_RANKED])) + (" …" if len(numbers) > _MOST_RANKED else "")


def _draw_attributes(evaluator: str, lines: Sequence[AttributeFigures], width: int) -> Table:
    """Draw counts and figures; the interval of F1, and on a wide terminal those of precision and recall."""
    is_wide = width >= _WIDE
    derived = [f">{name}" + (" (95 %)" if is_wide or name == "F1" else "") for name in ("precision", "recall", "F1")]
    title = cut_text(evaluator, max(width // 4, 12))
    table = build_table(title, ">TP", ">TN", ">FP", ">FN", *derived, *([">support"] if is_wide else []))
    rows, styles = [], []
    for line in lines:
        counts = ["" if value is None else str(value) for value in (*line.values()[:4], line.support)]
        pairs = list(zip(line.quality, line.estimates, strict=True))
        figures = [format_estimate(*pair) if is_wide else format_figure(pair[0]) for pair in pairs[:2]]
        cells = [*counts[:4], *figures, format_estimate(*pairs[2]), *(counts[4:] if is_wide else [])]
        styles.append("bold" if line is lines[-1] or line is lines[-2] else "")
        rows.append((line.name, *cells))
    return add_rows(table, rows, width, styles)


def _draw_failing(row: Mapping[str, Any], name: str, width: int) -> Iterator[RenderableType]:
    word = "error" if row["status"] == "error" else row["verdict"]
    yield Text.assemble(
        (f"{SIGNS[word]} ", STYLES[word]),
        (cut_text(make_printable(name), width - 24), "bold"),
        (f"  {word} {row['score']:.3f}", STYLES[word]),
    )
    items = list(list_differences(row))
    with_values = [item for item in items[:MOST_DIFFERENCES] if item.expected or item.actual]
    for item in items[:MOST_DIFFERENCES]:
        if item not in with_values:
            lines = (cut_text(make_printable(line), 3 * width) for line in str(item).split("\n"))
            yield Padding(Text("\n".join(lines)), (0, 0, 0, 4))
    rows = [(item.where, _label_values(item), item.remark) for item in with_values]
    yield from draw_differences(rows, len(items), width)


def _label_values(item: Difference) -> list[LabelledValue]:
    both = (("expected", item.expected, "green"), ("got", item.actual, "red"))
    return [LabelledValue(word, value, style) for word, value, style in both if value is not None]
