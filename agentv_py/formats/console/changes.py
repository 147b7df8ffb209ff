"""The changes of a case → lines of a terminal, with values that are cut around the place where they differ."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from agentv_py.errors import make_printable
from agentv_py.formats.console.layout import LabelledValue, cut_start, cut_text
from agentv_py.report.diff.changes import FieldChange
from agentv_py.report.differences import MOST_DIFFERENCES

_INDENT = "    "
_STYLES = {"↓": "red", "↑": "green", "·": "yellow"}
_BEFORE = 12
"""Characters that are shown before the place where two values differ."""


def draw_changes(changes: Sequence[FieldChange], width: int) -> Iterator[RenderableType]:
    shown = changes[:MOST_DIFFERENCES]
    lines = [_draw_line(change, _label_values(change)) for change in shown]
    for change, line in zip(shown, lines, strict=True):
        if line.cell_len <= width:
            yield line
        else:
            yield from _draw_block(change, _label_values(change), width)
    if len(changes) > MOST_DIFFERENCES:
        yield Text(f"{_INDENT}and {len(changes) - MOST_DIFFERENCES} more", style="dim")


def cut_around(text: str, others: Sequence[str], room: int) -> str:
    """Cut a text to the columns it may take, around the place where the text that is most like it differs."""
    if cell_len(text) <= room:
        return text
    place = max((_find_difference(text, other) for other in others if other != text), default=0)
    start = place - _BEFORE if place > room - _BEFORE else 0
    return cut_text(f"…{text[start:]}" if start > 0 else text, room)


def _find_difference(text: str, other: str) -> int:
    pairs = enumerate(zip(text, other, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(text), len(other)))


def _draw_line(change: FieldChange, values: Sequence[LabelledValue]) -> Text:
    line = _draw_path(change, make_printable(change.path))
    for value in values:
        line.append(f"  {value.word} ", style="dim").append(value.value, style=value.style)
        if value.note:
            line.append(f" ({make_printable(value.note)})", style="yellow")
    return line.append(f"  {make_printable(change.remark)}" if change.remark else "", style="dim")


def _draw_block(change: FieldChange, values: Sequence[LabelledValue], width: int) -> Iterator[Text]:
    """Draw a line for each value, because they do not fit beside each other."""
    remark = cut_text(f"  {make_printable(change.remark)}" if change.remark else "", width // 2)
    room = width - len(_INDENT) - 2 - cell_len(remark)
    yield _draw_path(change, cut_start(make_printable(change.path), room)).append(remark, style="dim")
    longest = max(len(value.word) for value in values)
    for value in values:
        note = f" ({make_printable(value.note)})" if value.note else ""
        room = width - 2 * len(_INDENT) - longest - 2 - cell_len(note)
        others = [other.value for other in values]
        yield (
            Text(f"{_INDENT * 2}{value.word:<{longest}}  ", style="dim")
            .append(cut_around(value.value, others, max(room, 8)), style=value.style)
            .append(cut_text(note, width // 2), style="yellow")
        )


def _draw_path(change: FieldChange, path: str) -> Text:
    return Text(_INDENT).append(f"{change.mark} ", style=_STYLES[change.mark]).append(path)


def _label_values(change: FieldChange) -> list[LabelledValue]:
    was, now = ("green" if is_right else "red" for is_right in (change.was_right, change.is_right))
    styles = {"expected": "", "was": was, "now": now}
    notes = {"was": change.baseline_note, "now": change.candidate_note}
    values = [LabelledValue(word, text, styles[word], notes.get(word, "")) for word, text in change.texts()]
    if len(values) == 3 and values[0].value == values[1].value:
        return [values[1]._replace(word="expected and was"), values[2]]
    return values
