"""A diff → tables of the kinds of error that became more or fewer, and of how far confidences can be trusted."""

from collections.abc import Iterator

from agentv_py.formats.sections import Section
from agentv_py.formats.text import format_count, format_figure
from agentv_py.report.diff.model import Diff

_MOST_LINES = 8


def list_change_sections(diff: Diff) -> Iterator[Section]:
    if diff.error_shifts:
        yield _build_errors(diff)
    if any(column.confidence for side in (diff.baseline, diff.candidate) for column in side.evaluators.values()):
        yield from _list_confidences(diff)


def _build_errors(diff: Diff) -> Section:
    """Show the kinds that rose most and fell most."""
    shifts = diff.error_shifts
    shown = shifts if len(shifts) <= _MOST_LINES else [*shifts[: _MOST_LINES // 2], *shifts[-_MOST_LINES // 2 :]]
    has_several = len({shift.key for shift in shifts}) > 1
    rows = [
        (
            f"{diff.name_evaluator(each.key)}/{each.attribute}" if has_several else each.attribute,
            each.kind,
            f"{each.baseline:,}",
            f"{each.candidate:,}",
            f"{each.delta:+,}",
        )
        for each in shown
    ]
    hidden, unread = len(shifts) - len(shown), diff.cases_not_read
    remarks = [f"and {format_count(hidden, 'more kind')} between these"] if hidden else []
    remarks += [f"{format_count(unread, 'more case')} with errors not read"] if unread else []
    return Section("errors", ("errors that changed", "kind", ">before", ">after", ">change"), rows, remarks)


def _list_confidences(diff: Diff) -> Iterator[Section]:
    from agentv_py.formats.sections.confidence import write_acceptance  # it needs numpy
    from agentv_py.report.diff.confidence_shifts import compare_confidences

    for key, *sides in compare_confidences(diff):
        if any(sides):
            rows = [
                ("values", *(format_figure(side and side.observations, ",") for side in sides)),
                ("right", *(format_figure(side and side.accuracy, ".1%") for side in sides)),
                ("AUROC", *(format_figure(side and side.auroc) for side in sides)),
                ("ECE", *(format_figure(side and side.ece) for side in sides)),
                ("accept", *map(write_acceptance, sides)),
            ]
            yield Section("confidence", (f"confidence, {diff.name_evaluator(key)}", ">before", ">after"), rows)
