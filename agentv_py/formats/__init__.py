"""Report → text: one file per `--format`."""

from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from agentv_py.report.kinds import Report

Format = Literal["console", "json", "markdown", "csv", "junit", "html"]

# These show cases one by one, so a run that writes its results to stdout has to keep them as well.
SHOW_ROWS = frozenset({"csv", "junit", "html"})


def render(report: "Report", form: Format) -> "Iterator[str]":
    """The text, piece by piece: a report that shows every case need not fit into memory."""
    # One format is used per run, and rich alone costs as much to import as the rest of the program.
    pieces: Iterator[str] = import_module(f"agentv_py.formats.{form}").render(report)
    return pieces
