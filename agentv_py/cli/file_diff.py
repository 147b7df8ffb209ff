"""A change of a file → the values that change, and the lines before and after."""

from collections.abc import Iterator, Sequence

from agentv_py import jsontext
from agentv_py.case import ABSENT
from agentv_py.run.accept import ValueChange
from agentv_py.suite.edit.case_edit import FileEdit

_CONTEXT = 3
_LONGEST = 160
_BEFORE = 60
"""Characters of a long line before the first one that changes."""
_LONGEST_VALUE = 80


def draw_change(change: ValueChange) -> str:
    return f"{change.path}: {_show(change.old)} → {_show(change.new)}"


def draw_lines(edit: FileEdit) -> Iterator[str]:
    """Yield the lines that change, with some lines around them, as `diff -u` shows them."""
    old, new = (content.decode().splitlines() for content in (edit.old, edit.new))
    first = _count_same(old, new)
    last = _count_same(old[first:][::-1], new[first:][::-1])
    start, end = max(0, first - _CONTEXT), len(old) - last
    after = old[end : end + _CONTEXT]
    yield f"--- {edit.shown}"
    yield f"+++ {edit.shown}"
    size = first - start + len(after)
    yield f"@@ -{start + 1},{size + end - first} +{start + 1},{size + len(new) - last - first} @@"
    removed, added = old[first:end], new[first : len(new) - last]
    skipped = max(0, _count_same(removed[0], added[0]) - _BEFORE) if len(removed) == len(added) == 1 else 0
    yield from (f" {_cut(line)}" for line in old[start:first])
    yield from (f"-{_cut(line, skipped)}" for line in removed)
    yield from (f"+{_cut(line, skipped)}" for line in added)
    yield from (f" {_cut(line)}" for line in after)


def _count_same(old: Sequence[str], new: Sequence[str]) -> int:
    """Return how many lines, or characters of a line, are the same at the beginning."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((number for number, (one, other) in pairs if one != other), min(len(old), len(new)))


def _show(value: object) -> str:
    text = "nothing" if value is ABSENT else jsontext.dumps(value).decode()
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"


def _cut(line: str, skipped: int = 0) -> str:
    """Return a long line without its first and last characters."""
    if len(line) <= _LONGEST:
        return line
    rest = line[skipped:]
    return ("…" if skipped else "") + (rest if len(rest) <= _LONGEST else f"{rest[:_LONGEST]}…")
