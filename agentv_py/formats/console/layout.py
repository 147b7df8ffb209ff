"""Words, figures and files → the parts that every report on a terminal uses."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from agentv_py.errors import make_printable
from agentv_py.formats.text import format_figure
from agentv_py.report.differences import MOST_DIFFERENCES

STYLES = {"pass": "green", "partial": "yellow", "fail": "red", "error": "magenta"}
SIGNS = {"pass": "✓", "partial": "◐", "fail": "✗", "error": "!"}

_USUAL_NOTE = len("invalid bounding box")


class LabelledValue(NamedTuple):
    """A value after its word."""

    word: str
    value: str
    style: str
    note: str = ""


_LEAST_NAME = 12


def build_table(*heads: str) -> Table:
    """Build a table with dim heads; `>` before a head aligns its column to the right."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for head in heads:
        table.add_column(
            make_printable(head.lstrip(">")), justify="right" if head[:1] == ">" else "left", overflow="fold"
        )
    return table


def add_rows(table: Table, rows: Sequence[Sequence[str | Text]], width: int, styles: Sequence[str] = ()) -> Table:
    """Add rows whose first cells are names; long names are cut at their start, so that the other cells stay whole."""
    heads = [str(column.header) for column in table.columns]
    others = [max(map(_measure_cell, cells)) + 2 for cells in list(zip(heads, *rows, strict=True))[1:]]
    room = max(_LEAST_NAME, width - 2 - sum(others))
    if " " not in heads[0]:  # a heading of several words wraps
        table.columns[0].header = cut_text(heads[0], room)
    for number, (name, *cells) in enumerate(rows):
        table.add_row(cut_start(make_printable(str(name)), room), *cells, style=styles[number] if styles else "")
    return table


def _measure_cell(cell: str | Text) -> int:
    return cell_len(cell.plain if isinstance(cell, Text) else cell)


def draw_differences(
    rows: Sequence[tuple[str, Sequence[LabelledValue], str]], count: int, width: int
) -> Iterator[RenderableType]:
    """Draw paths in a column, their values and notes beside them, and how many more there are."""
    longest = max((_measure(values, note) for _, values, note in rows), default=0)
    room = max(width - 6 - min(longest, width * 3 // 5), 4)
    widest = min(max((cell_len(make_printable(path)) for path, _, _ in rows), default=0), room)
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True, max_width=widest + 4)
    grid.add_column(no_wrap=True, overflow="ellipsis")
    for path, values, note in rows:
        grid.add_row(
            Text(f"    {cut_start(make_printable(path), widest)}"), _draw_values(values, note, width - widest - 6)
        )
    if rows:
        yield grid
    if count > MOST_DIFFERENCES:
        yield Text(f"    and {count - MOST_DIFFERENCES} more", style="dim")


def wrap_items(items: Iterable[str], room: int) -> list[str]:
    """Join items with dots, and break lines only between items."""
    lines: list[str] = []
    for item in items:
        longer = f"{lines[-1]} · {item}" if lines else item
        if lines and cell_len(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(item)
    return lines


def split_columns(widths: Sequence[int], room: int) -> Iterator[tuple[int, int]]:
    """Yield the first and the last of the columns that fit beside each other."""
    start, used = 0, 0
    for at, width in enumerate(widths):
        if at > start and used + width + 2 > room:
            yield start, at
            start, used = at, 0
        used += width + 2
    yield start, len(widths)


def cut_text(text: str, room: int) -> str:
    """Cut a text to the columns it may take; a wide character takes two."""
    return text if cell_len(text) <= room else set_cell_size(text, max(room - 1, 0)).rstrip() + "…"


def cut_start(path: str, room: int) -> str:
    """Cut a path at its start, since paths differ at their ends."""
    while cell_len(path) > room:
        path = "…" + path[2:]
    return path


def _measure(values: Sequence[LabelledValue], note: str) -> int:
    return sum(len(value.word) + cell_len(value.value) + 3 for value in values) + cell_len(make_printable(note))


def _draw_values(values: Sequence[LabelledValue], note: str, room: int) -> Text:
    """Draw values side by side, the longest cut first so that the others stay whole, then the note."""
    why = cut_text(make_printable(note), max(room // 3, min(room // 2, _USUAL_NOTE)))
    room -= sum(len(value.word) + 3 for value in values) + cell_len(why)
    text = Text()
    widths = _share_width([cell_len(value.value) for value in values], room)
    for value, width in zip(values, widths, strict=True):
        text.append(f"{value.word} ", style="dim").append(cut_text(value.value, width), style=value.style).append("  ")
    return text.append(why, style="yellow")


def _share_width(lengths: Sequence[int], room: int) -> list[int]:
    """Give each value the width it needs, up to an equal share of what the shorter values leave."""
    widths = [0] * len(lengths)
    for rank, index in enumerate(sorted(range(len(lengths)), key=lengths.__getitem__)):
        widths[index] = max(1, min(lengths[index], room // (len(lengths) - rank)))
        room -= widths[index]
    return widths


def draw_change(value: float | None, form: str = "+.3f", unit: str = "") -> Text:
    """Draw a change: green where it is up, red where it is down."""
    style = "dim" if not value else "green" if value > 0 else "red"
    return Text(format_figure(value, form, unit), style=style)


def draw_file(file: str, room: int) -> Text:
    """Draw a file's name, with a link to the file for terminals that support links."""
    path = Path(file)
    style = f"link {path.absolute().as_uri()}" if path.is_file() else ""
    name = make_printable(file)
    return Text(name if len(name) <= room else "…" + name[len(name) - max(room - 1, 1) :], style=style)


def draw_errors(errors: int) -> Text:
    return Text(str(errors), style=STYLES["error"] if errors else "dim")
