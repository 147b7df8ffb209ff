"""A model's answer → its parts, in one pass: thinking, fenced blocks, and regions between brackets that match."""

import re
from collections import deque
from typing import NamedTuple

from agentv_py.jsontext.depth import MAX_DEPTH

_TAG = r"<(?P<end>/?)(?P<tag>think|thinking|reasoning)\s*+>"
_FENCE = r"(?P<fence>```[^`\n]*+\n?)"
# Outside a region a quote means nothing, and only what can begin JSON opens a region: prose is full of brackets.
_OUTSIDE = re.compile(rf"{_TAG}|{_FENCE}|(?P<open>\{{(?=\s*+[\"}}])|\[(?=\s*+[\"{{\[\]0-9tfnNI-]))", re.IGNORECASE)
_INSIDE = re.compile(
    rf'(?P<string>"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+")|(?P<quote>")|(?P<open>[{{\[])|(?P<close>[}}\]])|{_TAG}|{_FENCE}',
    re.IGNORECASE,
)
_STAYS_INSIDE = frozenset({"string", "open", "close"})
_HIDEABLE = re.compile(r"[{\[<`]")
_PAIRS = {"}": "{", "]": "["}
_MOST_REGIONS = 1_000
_MOST_REPETITIONS = 10


class Region(NamedTuple):
    """A text from an opening bracket to the closing bracket that matches it, and the regions in it."""

    start: int
    end: int
    inner: list["Region"]


class _Opening:
    """An opening bracket whose closing bracket is not yet read."""

    __slots__ = ("hidden", "inner", "start")

    def __init__(self, start: int) -> None:
        self.start = start
        self.inner: list[Region] = []
        self.hidden: int | None = None
        """The first string that holds a bracket, a tag or a fence. If the region never ends, it may be no string."""


class Parts:
    """The parts of a text. What is in a string of a region is no bracket, no tag and no fence.

    The pass takes linear time: it goes back only into a text that looked like a string, and all in all not over more
    than some times the length of the text.
    """

    def __init__(self, text: str) -> None:
        self.thinking: list[tuple[int, int]] = []
        self.blocks: list[tuple[int, int]] = []
        self.regions: list[Region] = []
        self._text = text
        self._open: deque[_Opening] = deque()
        self._block: int | None = None
        self._left = _MOST_REPETITIONS * len(text)
        position: int | None = 0
        while position is not None:
            position = self._read_token(position)

    def _read_token(self, position: int) -> int | None:
        """Read the next token; return the position behind it, None at the end."""
        token = (_INSIDE if self._open else _OUTSIDE).search(self._text, position)
        kind = None if token is None else token.lastgroup
        if self._open and kind not in _STAYS_INSIDE:
            return self._abandon_regions(len(self._text) if token is None else token.start())
        if token is None:
            self._end_block(len(self._text))
            return None
        if kind == "string":
            self._note_string(token)
        elif kind == "open":
            self._open_region(token.start())
        elif kind == "close":
            return self._close_region(token)
        elif kind == "fence":
            return self._read_fence(token)
        else:
            return self._read_tag(token)
        return token.end()

    def _note_string(self, token: re.Match[str]) -> None:
        opening = self._open[-1]
        if opening.hidden is None and _HIDEABLE.search(token[0]):
            opening.hidden = token.start() + 1

    def _open_region(self, start: int) -> None:
        self._open.append(_Opening(start))
        if len(self._open) > MAX_DEPTH:  # no value may be so deep
            _add(self.regions, self._open.popleft().inner)

    def _close_region(self, token: re.Match[str]) -> int:
        opening = self._open[-1]
        if self._text[opening.start] != _PAIRS[token[0]]:
            return self._abandon_regions(token.end())
        self._open.pop()
        _add(self._open[-1].inner if self._open else self.regions, [Region(opening.start, token.end(), opening.inner)])
        return token.end()

    def _abandon_regions(self, position: int) -> int:
        """Leave the regions that are open, which are not JSON. Return where to read on."""
        hidden = min((opening.hidden for opening in self._open if opening.hidden is not None), default=position)
        for opening in self._open:
            _add(self.regions, opening.inner)
        self._open.clear()
        self._left -= position - hidden
        return hidden if self._left >= 0 else position

    def _read_fence(self, token: re.Match[str]) -> int:
        start = token.start()
        if self._block is not None:
            self._end_block(start)
        elif token[0].endswith("\n"):
            self._block = token.end()
            return token.end()
        return start + len("```")

    def _end_block(self, end: int) -> None:
        if self._block is not None:
            self.blocks.append((self._block, end))
            self._block = None

    def _read_tag(self, token: re.Match[str]) -> int:
        if token["end"]:  # the beginning is not in the text, so all that precedes is thinking
            self.thinking, self.blocks, self.regions = [(0, token.end())], [], []
            self._block = None
            return token.end()
        end = re.compile(rf"</{token['tag']}\s*+>", re.IGNORECASE).search(self._text, token.end())
        position = len(self._text) if end is None else end.end()
        self.thinking.append((token.start(), position))
        return position


def _add(regions: list[Region], more: list[Region]) -> None:
    """Add regions, and keep only the last ones: a text may have millions."""
    regions.extend(more)
    if len(regions) > 2 * _MOST_REGIONS:
        del regions[:-_MOST_REGIONS]
