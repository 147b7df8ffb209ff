"""The further sections of a summary → tables and lines on a terminal."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from agentv_py.errors import make_printable
from agentv_py.formats.console.layout import add_rows, build_table, cut_text
from agentv_py.formats.sections import Section, list_sections
from agentv_py.report.summary import Summary


def draw_sections(report: Summary, width: int) -> Iterator[RenderableType]:
    for section in list_sections(report):
        yield Text()
        yield from draw_section(section, width)


def draw_section(section: Section, width: int) -> Iterator[RenderableType]:
    if section.rows:
        rows = [[first, *map(make_printable, others)] for first, *others in section.rows]
        title, *heads = section.head
        yield add_rows(build_table(cut_text(title, width // 2), *heads), rows, width)
    yield from (Text(make_printable(remark), style="dim") for remark in section.remarks)
    yield from (Text(f"! {make_printable(warning)}", style="yellow") for warning in section.warnings)
