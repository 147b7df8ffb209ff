"""Report → text: one file per `--format`.

A format is `formats/<name>.py` with `render(report) -> Iterator[str]`, and a line in the table below. It yields pieces
of text, so that a format that shows every case holds one case at a time. It reads rows from the report only as it needs
them: `summary.rows()` reads the results again, row by row; `diff.read_pairs()` reads both rows of each matched case,
and `diff.read_rows(case)` those of one case.
"""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from agentv_py.report import Explanation, Report

Format = Literal["console", "json", "markdown", "csv", "junit", "html", "brief"]
ExplanationFormat = Literal["console", "json", "markdown", "brief"]
"""The formats that also render an explanation."""

# Colours and links, which a terminal can show and a file cannot.
_TERMINAL_CODES = r"\x1b\[[0-9;]*m|\x1b\]8;[^\x1b]*\x1b\\"


class FormatTraits(NamedTuple):
    suffixes: tuple[str, ...]
    """A file whose name ends so is written in this format."""
    shows_rows: bool = False
    """Whether the format shows cases one by one. A run that writes its results to stdout then has to keep them too."""


FORMATS: dict[Format, FormatTraits] = {
    "json": FormatTraits((".json",)),
    "markdown": FormatTraits((".md",)),
    "csv": FormatTraits((".csv",), shows_rows=True),
    "junit": FormatTraits((".xml",), shows_rows=True),
    "html": FormatTraits((".html",), shows_rows=True),
    "console": FormatTraits((".txt",)),
    "brief": FormatTraits((), shows_rows=True),
}
SHOW_ROWS: frozenset[Format] = frozenset(name for name, traits in FORMATS.items() if traits.shows_rows)
BY_SUFFIX: dict[str, Format] = {suffix: name for name, traits in FORMATS.items() for suffix in traits.suffixes}


def render(report: "Report | Explanation", form: Format) -> "Iterator[str]":
    """Yield the text piece by piece: a report that shows every case need not fit into memory."""
    # One format is used per run, and rich alone costs as much to import as the rest of the program.
    pieces: Iterator[str] = import_module(f"agentv_py.formats.{form}").render(report)
    return pieces


def render_for_file(report: "Report | Explanation", form: Format) -> Iterator[str]:
    """Render a report without the codes that only a terminal understands."""
    pieces = render(report, form)
    return (re.sub(_TERMINAL_CODES, "", piece) for piece in pieces) if form == "console" else pieces
