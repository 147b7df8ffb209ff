"""The slices of a summary → lines of a CSV: two figures for each slice."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from agentv_py.formats.json.slices import convert_slices
from agentv_py.formats.text import format_count, format_interval
from agentv_py.report.summary import Summary


class SliceCells(NamedTuple):
    suite: str
    target: str
    path: str
    """The key and the value of the slice."""
    figure: str
    value: float | None
    note: str
    """The number of cases, and the interval."""


def list_slice_cells(summary: Summary) -> Iterator[SliceCells]:
    for table in convert_slices(summary):
        suite, target = table.get("suite", summary.suites[0]), table.get("target", "")
        for member in table["slices"]:
            for figure in ("pass_rate", "mean_score"):
                path = f"{table['by']} = {member['value']}"
                yield SliceCells(suite, target, path, figure, *_describe_figure(member, figure))


def _describe_figure(member: Mapping[str, Any], figure: str) -> tuple[float | None, str]:
    cases, estimate = format_count(member["cases"], "case"), member[figure]
    if estimate is None:
        return None, f"{cases}, too few"
    worse = ", worse than all other cases" if member["worse"] else ""
    return estimate["value"], f"{cases}, {format_interval(estimate['low'], estimate['high'], '.4f')}{worse}"
