"""Words, figures and files → pieces that every report on a terminal is made of."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from agentv_py.errors import printable
from agentv_py.report.differences import MOST_DIFFERENCES

STYLES = {"pass": "green", "partial": "yellow", "fail": "red", "error": "magenta"}
SIGNS = {"pass": "✓", "partial": "◐", "fail": "✗", "error": "!"}


_USUAL_NOTE = len("invalid bounding box")


class Side(NamedTuple):
    """A value behind its word."""

    word: str
    value: str
    style: str


def table(*heads: str) -> Table:
    """Columns under dim heads; `>` before a head sets its column to the right."""
    found = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for head in heads:
        found.add_column(head.lstrip(">"), justify="right" if head[:1] == ">" else "left", overflow="fold")
    return found


def listed(rows: Sequence[tuple[str, Sequence[Side], str]], found: int, width: int) -> Iterator[RenderableType]:
    """Paths in a column, what stands there beside them, and how many more there are."""
    whole = max((_whole_length(sides, note) for _, sides, note in rows), default=0)
    room = max(width - 6 - min(whole, width * 3 // 5), 4)
    widest = min(max((cell_len(printable(path)) for path, _, _ in rows), default=0), room)
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(no_wrap=True, max_width=widest + 4)
    grid.add_column(no_wrap=True, overflow="ellipsis")
    for path, sides, note in rows:
        grid.add_row(Text(f"    {_end(printable(path), widest)}"), beside(sides, note, width - widest - 6))
    if rows:
        yield grid
    if found > MOST_DIFFERENCES:
        yield Text(f"    and {found - MOST_DIFFERENCES} more", style="dim")


def cut(text: str, room: int) -> str:
    """By the columns it takes: a wide character has two of them."""
    return text if cell_len(text) <= room else set_cell_size(text, max(room - 1, 0)).rstrip() + "…"


def _end(path: str, room: int) -> str:
    """A path cut at its start: what tells paths apart stands at their ends."""
    while cell_len(path) > room:
        path = "…" + path[2:]
    return path


def _whole_length(sides: Sequence[Side], note: str) -> int:
    return sum(len(side.word) + cell_len(side.value) + 3 for side in sides) + cell_len(printable(note))


def beside(sides: Sequence[Side], note: str, room: int) -> Text:
    """Values side by side, the longest cut first so that the others can be seen, then why."""
    why = cut(printable(note), max(room // 3, min(room // 2, _USUAL_NOTE)))
    room -= sum(len(side.word) + 3 for side in sides) + cell_len(why)
    text = Text()
    for side, width in zip(sides, _widths([cell_len(side.value) for side in sides], room), strict=True):
        text.append(f"{side.word} ", style="dim").append(cut(side.value, width), style=side.style).append("  ")
    return text.append(why, style="yellow")


def _widths(lengths: Sequence[int], room: int) -> list[int]:
    """Each what it needs, where that is less than an equal share of what is left; the others share the rest."""
    widths = [0] * len(lengths)
    for rank, index in enumerate(sorted(range(len(lengths)), key=lengths.__getitem__)):
        widths[index] = max(1, min(lengths[index], room // (len(lengths) - rank)))
        room -= widths[index]
    return widths


def signed(value: float | None, form: str = "+.3f", unit: str = "") -> Text:
    """A change, green where it is up and red where it is down."""
    if value is None:
        return Text("–", style="dim")
    text = format(value, form) + unit
    return Text(text, style="green" if value > 0 else "red" if value < 0 else "dim")


def file(shown: str, room: int) -> Text:
    """A file's name; a terminal that can follow links finds the file behind it."""
    path = Path(shown)
    style = f"link {path.absolute().as_uri()}" if path.is_file() else ""
    name = printable(shown)
    return Text(name if len(name) <= room else "…" + name[len(name) - max(room - 1, 1) :], style=style)
