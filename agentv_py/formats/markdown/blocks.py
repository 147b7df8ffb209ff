"""Blocks of Markdown → a text that fits a pull-request comment."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agentv_py.errors import printable

LIMIT = 65_000
"""GitHub takes 65,536 characters."""
_LONG = 20
"""Lines, above which a table is folded."""
_MOST = 20_000
"""Characters of one folded list, so that what follows has room."""

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"}
_ESCAPES = str.maketrans({mark: "\\" + mark for mark in "\\`*_[]|"} | _ENTITIES)
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Folded:
    """A list behind its title; it is asked for items as long as there is room."""

    title: str
    count: int
    items: Iterable[str]
    head: str = ""


def fitted(blocks: Iterable[str | Folded]) -> str:
    text, left_out = "", False
    for block in blocks:
        piece = block if isinstance(block, str) else _unfolded(block, min(_MOST, LIMIT - len(text)))
        if len(text) + len(piece) > LIMIT:
            left_out = True
            continue
        text += ("\n" if text else "") + piece.rstrip("\n") + "\n"
    return text + ("\nParts that would not fit are left out.\n" if left_out else "")


def _unfolded(block: Folded, room: int) -> str:
    text, shown = f"<details><summary>{block.title}</summary>\n\n{block.head}", 0
    for item in block.items:
        if len(text) + len(item) + 100 > room:
            break
        text, shown = f"{text}{item}\n", shown + 1
    if shown < block.count:
        text += f"\nand {block.count - shown:,} more\n"
    return f"{text}\n</details>"


def table(title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> str | Folded:
    """Folded behind its title where it is long."""
    top = f"| {' | '.join(head)} |\n| {' | '.join('---' for _ in head)} |\n"
    lines = [f"| {' | '.join(map(str, row))} |" for row in rows]
    return Folded(title, len(lines), lines, top) if len(lines) > _LONG else top + "\n".join(lines)


def plain(text: str, most: int = _LONGEST) -> str:
    """A user's text as text, whatever Markdown would make of it."""
    shown = printable(text)
    return (shown if len(shown) <= most else shown[: most - 1] + "…").translate(_ESCAPES)


def sides(texts: Iterable[tuple[str, str | None]], note: str) -> str:
    """Each value behind its word, then why."""
    found = [f"{word} {plain(value)}" for word, value in texts if value]
    return (": " if found else "") + ", ".join(found) + (f" ({plain(note)})" if note else "")


def dash(value: float | None, form: str = ".3f") -> str:
    return "–" if value is None else format(value, form)


def chance(p_value: float) -> str:
    """A p-value, which is never 0."""
    return "<0.001" if p_value < 0.001 else f"{p_value:.3f}"


def limited(items: Sequence[str], most: int) -> Iterator[str]:
    yield from items[:most]
    if len(items) > most:
        yield f"  - and {len(items) - most} more"
