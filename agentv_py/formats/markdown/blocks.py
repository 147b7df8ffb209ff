"""Blocks of Markdown → a text that fits a pull-request comment."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agentv_py.errors import make_printable

LIMIT = 65_000
"""GitHub accepts 65,536 characters."""
_MOST_LINES = 20
"""A table with more lines is folded."""
_MOST_FOLDED = 20_000
"""Characters of one folded list, so that the blocks after it have room."""

_ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "@": "&#64;"}
_ESCAPES = str.maketrans({mark: "\\" + mark for mark in "\\`*_[]|"} | _ENTITIES)
_LONGEST_TEXT = 200


@dataclass(frozen=True, slots=True)
class FoldedList:
    """A list that opens at a click on its title. Its items are read as long as there is room."""

    title: str
    count: int
    items: Iterable[str]
    head: str = ""


def join_blocks(blocks: Iterable[str | FoldedList]) -> str:
    """Join the blocks, and leave out those that would exceed the limit."""
    text, left_out = "", False
    for block in blocks:
        piece = block if isinstance(block, str) else _write_folded(block, min(_MOST_FOLDED, LIMIT - len(text)))
        if len(text) + len(piece) > LIMIT:
            left_out = True
            continue
        text += ("\n" if text else "") + piece.rstrip("\n") + "\n"
    return text + ("\nParts that would not fit are left out.\n" if left_out else "")


def _write_folded(block: FoldedList, room: int) -> str:
    text, written = f"<details><summary>{block.title}</summary>\n\n{block.head}", 0
    for item in block.items:
        if len(text) + len(item) + 100 > room:
            break
        text, written = f"{text}{item}\n", written + 1
    if written < block.count:
        text += f"\nand {block.count - written:,} more\n"
    return f"{text}\n</details>"


def write_table(title: str, head: Sequence[str], rows: Sequence[Sequence[object]]) -> str | FoldedList:
    """Write a table; a long one is folded behind its title."""
    top = f"| {' | '.join(head)} |\n| {' | '.join('---' for _ in head)} |\n"
    lines = [f"| {' | '.join(map(str, row))} |" for row in rows]
    return FoldedList(title, len(lines), lines, top) if len(lines) > _MOST_LINES else top + "\n".join(lines)


def escape(text: str, most: int = _LONGEST_TEXT) -> str:
    """Escape a user's text, so that Markdown shows it as it is."""
    text = make_printable(text)
    return (text if len(text) <= most else text[: most - 1] + "…").translate(_ESCAPES)


def write_values(texts: Iterable[tuple[str, str | None]], note: str) -> str:
    """Write each value after its word, then the note."""
    values = [f"{word} {escape(value)}" for word, value in texts if value]
    return (": " if values else "") + ", ".join(values) + (f" ({escape(note)})" if note else "")


def limit_items(items: Sequence[str], most: int) -> Iterator[str]:
    yield from items[:most]
    if len(items) > most:
        yield f"  - and {len(items) - most} more"
