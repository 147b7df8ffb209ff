"""Dataset file → the values of its rows: many at once where nothing about them is in doubt, else one by one."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from agentv_py import jsontext
from agentv_py.errors import Problem
from agentv_py.jsontext.repeated_keys import find_repeated_key
from agentv_py.suite.datasets.rows import BOM, InvalidRow, Row, decode_examined, explain_failure, holds_lines, read_rows

_BATCH = 2**13


class Value(NamedTuple):
    """A row, decoded."""

    line: int
    value: dict[str, Any]
    plain: bool = True
    """Whether it can be read again the fastest way."""
    repeated: str | None = None
    """A key that one of its objects holds twice."""
    offset: int = 0
    column: int | None = None


# The plain way to build a named tuple takes twice as long, and there are as many of these as lines.
_line_value: Callable[[tuple[int, dict[str, Any], bool, None, int, None]], Value] = partial(tuple.__new__, Value)


def read_values(path: Path, shown: str) -> Iterator[Value | Problem]:
    """Every row; one that cannot be read is a problem in the stream, and the rest goes on."""
    return _read_lines(path, shown) if holds_lines(path) else examine_rows(read_rows(path, shown), shown)


def examine_rows(rows: Iterable[Row | Problem], shown: str) -> Iterator[Value | Problem]:
    return (row if isinstance(row, Problem) else _examine(row, shown) for row in rows)


def repeats_key(key: str) -> str:
    """What there is to say of a key that stands twice."""
    return f"key {key!r} stands twice in one object; the last one counts"


def _read_lines(path: Path, shown: str) -> Iterator[Value | Problem]:
    first = offset = 0
    with explain_failure(shown) as problems, path.open("rb") as file:
        while lines := file.readlines(_BATCH):
            if not first and lines[0].startswith(BOM):
                lines[0], offset = lines[0].removeprefix(BOM), len(BOM)
            values = jsontext.loads_many(lines)
            for number, (line, value) in enumerate(zip(lines, values or lines, strict=True), first + 1):
                if type(value) is dict:
                    yield _line_value((number, value, True, None, offset, None))
                elif not line.isspace():
                    yield _examine(Row(number, line, offset), shown)
                offset += len(line)
            first += len(lines)
    yield from problems


def _examine(row: Row, shown: str) -> Value | Problem:
    try:
        value, plain = decode_examined(row)
    except InvalidRow as error:
        return Problem(str(error), "", shown, row.line)
    repeated = row.repeated
    if isinstance(row.raw, bytes) and jsontext.may_repeat_keys(row.raw, value):
        repeated = find_repeated_key(row.raw.decode())
    return Value(row.line, value, plain, repeated, row.offset, row.column)
