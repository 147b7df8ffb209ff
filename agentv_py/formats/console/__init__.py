"""Report → a terminal, 80 columns and up."""

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.padding import Padding

from agentv_py.errors import escape_commands
from agentv_py.report.summary import Summary

if TYPE_CHECKING:
    from rich.console import RenderableType

    from agentv_py.report import Explanation, Report

_SIZES = {"COLUMNS": range(20, 10_000), "LINES": range(2, 10_000)}


def render(report: "Report | Explanation") -> Iterator[str]:
    console = Console(
        highlight=False,
        markup=False,
        emoji=False,
        soft_wrap=False,
        force_jupyter=False,  # in a notebook rich would show the text itself, and capture nothing
        _environ=sane_environment(),
    )
    parts = _draw(report, console.width - 2)
    with console.capture() as captured:
        console.print(Padding(Group(*parts), (1, 1)))
    yield escape_commands("\n".join(line.rstrip(" ") for line in captured.get().split("\n")))


def _draw(report: "Report | Explanation", width: int) -> "Iterator[RenderableType]":
    """Draw the parts of a report. Each kind of report loads only what draws it."""
    if isinstance(report, Summary):
        from agentv_py.formats.console.summary import draw_summary

        return draw_summary(report, width)
    from agentv_py.report.diff.model import Diff

    if isinstance(report, Diff):
        from agentv_py.formats.console.diff import draw_diff

        return draw_diff(report, width)
    from agentv_py.report.trend import Trend

    if isinstance(report, Trend):
        from agentv_py.formats.console.trend import draw_trend

        return draw_trend(report, width)
    return _draw_explanation(report, width)


def _draw_explanation(report: "Explanation", width: int) -> "Iterator[RenderableType]":
    from agentv_py.report.explanation.model import SuiteExplanation

    if isinstance(report, SuiteExplanation):
        from agentv_py.formats.console.suite_rules import draw_suites

        return draw_suites(report, width)
    from agentv_py.formats.console.case_story import draw_stories

    return draw_stories(report, width)


def sane_environment() -> dict[str, str]:
    """Return the environment without impossible terminal sizes, because rich would use them."""
    return {name: value for name, value in os.environ.items() if name not in _SIZES or _is_size(value, _SIZES[name])}


def _is_size(value: str, sizes: range) -> bool:
    return value.isascii() and value.isdigit() and len(value) <= 5 and int(value) in sizes
