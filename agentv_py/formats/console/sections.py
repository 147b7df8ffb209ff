"""The further sections of a summary → tables and lines on a terminal."""

from collections.abc import Iterator

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from agentv_py.errors import make_printable
from agentv_py.formats.console.layout import build_table, cut_start
from agentv_py.formats.sections import Section, list_sections
from agentv_py.report.summary import Summary

_LEAST_ROOM = 12


def draw_sections(report: Summary, width: int) -> Iterator[RenderableType]:
    for section in list_sections(report):
        yield Text()
        yield from draw_section(section, width)


def draw_section(section: Section, width: int) -> Iterator[RenderableType]:
    if section.rows:
        table, room = build_table(*section.head), _measure_room(section, width)
        for first, *others in section.rows:
            table.add_row(cut_start(make_printable(first), room), *map(make_printable, others))
        yield table
    yield from (Text(make_printable(remark), style="dim") for remark in section.remarks)
    yield from (Text(f"! {make_printable(warning)}", style="yellow") for warning in section.warnings)


def _measure_room(section: Section, width: int) -> int:
    """Return how wide the first column may be, so that the others stay whole."""
    columns = zip(*([section.columns, *section.rows]), strict=True)
    others = [max(cell_len(cell) for cell in column) + 2 for column in columns][1:]
    return max(_LEAST_ROOM, width - 2 - sum(others))
