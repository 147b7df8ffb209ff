"""Words, figures and files → pieces that every report on a terminal is made of."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rich.table import Table
from rich.text import Text

from agentv_py.errors import printable

STYLES = {"pass": "green", "partial": "yellow", "fail": "red", "error": "magenta"}
SIGNS = {"pass": "✓", "partial": "◐", "fail": "✗", "error": "!"}


def table(*heads: str) -> Table:
    """Columns under dim heads; `>` before a head sets its column to the right."""
    found = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for head in heads:
        found.add_column(head.lstrip(">"), justify="right" if head[:1] == ">" else "left", overflow="fold")
    return found


def cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: max(room - 1, 0)] + "…"


class Side(NamedTuple):
    """A value behind its word."""

    word: str
    value: str
    style: str


def beside(sides: Sequence[Side], note: str, room: int) -> Text:
    """Values side by side, the longest cut first so that the others can be seen, then why."""
    why = cut(printable(note), room // 3)
    room -= sum(len(side.word) + 3 for side in sides) + len(why)
    text = Text()
    for side, width in zip(sides, _widths([len(side.value) for side in sides], room), strict=True):
        text.append(f"{side.word} ", style="dim").append(cut(side.value, width), style=side.style).append("  ")
    return text.append(why, style="yellow")


def _widths(lengths: Sequence[int], room: int) -> list[int]:
    """Each what it needs, where that is less than an equal share of what is left; the others share the rest."""
    widths = [0] * len(lengths)
    for rank, index in enumerate(sorted(range(len(lengths)), key=lengths.__getitem__)):
        widths[index] = max(1, min(lengths[index], room // (len(lengths) - rank)))
        room -= widths[index]
    return widths


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def dash(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


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
