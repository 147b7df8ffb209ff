"""Lines of a brief report → its text: as many as fit, and the next command."""

import shlex
from collections.abc import Iterable

from agentv_py.errors import escape_commands, make_printable

MOST_LINES = 40
_LONGEST = 200


def join_lines(lines: Iterable[str], command: str) -> str:
    """Join the lines, cut what is too long, and add the next command; without one, only the lines."""
    last = [f"next: {command}"] if command else []
    most = MOST_LINES - len(last)
    kept = [_cut(line) for line in lines]
    if len(kept) > most:
        kept = [*kept[: most - 1], f"({len(kept) - most + 1:,} more lines; --format json has everything)"]
    return "".join(f"{escape_commands(line)}\n" for line in [*kept, *map(make_printable, last)])


def quote(*words: str) -> str:
    """Write a command so that a shell reads these words."""
    return shlex.join(words)


def _cut(line: str) -> str:
    printable = make_printable(line)
    return printable if len(printable) <= _LONGEST else f"{printable[: _LONGEST - 1]}…"
