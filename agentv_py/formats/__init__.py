"""Report → text: one file per `--format`."""

from importlib import import_module
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from agentv_py.report.summary import Summary

Format = Literal["console", "json", "markdown", "csv"]


def render(report: "Summary", form: Format) -> str:
    # One format is used per run, and rich alone costs as much to import as the rest of the program.
    return str(import_module(f"agentv_py.formats.{form}").render(report))
