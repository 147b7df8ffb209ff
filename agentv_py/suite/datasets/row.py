"""A row of a dataset, as its file holds it → an object."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from agentv_py import jsontext
from agentv_py.errors import Problem
from agentv_py.jsontext.repeated_keys import find_repeated_key


class InvalidRow(ValueError):  # noqa: N818  it is about a row, and not a fault of the program
    """The row cannot be read; the message says why."""


class DatasetRow(NamedTuple):
    line: int
    raw: bytes | dict[str, Any]
    """A line of JSONL stays bytes, so that the process that scores the case decodes it."""
    offset: int = 0
    column: int | None = None
    repeated_key: str | None = None
    """A key that one object of the row holds twice, if only the reader of the file can know that."""
    is_whole_file: bool = False
    """Whether the row is an object that is all of its file."""


class DecodedRow(NamedTuple):
    line: int
    value: dict[str, Any]
    plain: bool = True
    """Whether orjson alone can decode the row without loss."""
    repeated_key: str | None = None
    """A key that one object of the row holds twice."""
    offset: int = 0
    column: int | None = None


# The plain way to build a named tuple takes twice as long, and there are as many of these as rows.
_build_decoded_row: Callable[[tuple[int, dict[str, Any], bool, None, int, None]], DecodedRow] = partial(
    tuple.__new__, DecodedRow
)


class PlainRows(NamedTuple):
    """Rows of consecutive lines. Each is an object that orjson alone can decode, and repeats no key."""

    first_line: int
    values: list[dict[str, Any]]
    offset: int
    lines: Sequence[bytes]

    def list_decoded(self) -> Iterator[DecodedRow]:
        """Yield the rows one by one."""
        offset = self.offset
        for line, (value, raw) in enumerate(zip(self.values, self.lines, strict=True), self.first_line):
            yield _build_decoded_row((line, value, True, None, offset, None))
            offset += len(raw)


def decode(row: DatasetRow) -> dict[str, Any]:
    """Return the row as an object. Raises InvalidRow."""
    return decode_and_classify(row)[0]


def decode_and_classify(row: DatasetRow) -> tuple[dict[str, Any], bool]:
    """Decode the row, and say whether orjson alone can decode it without loss. Raises InvalidRow."""
    try:
        value, plain = jsontext.loads_and_classify(row.raw) if isinstance(row.raw, bytes) else (row.raw, True)
    except jsontext.NotJson as error:
        raise InvalidRow(f"not valid JSON: {error}") from None
    if not isinstance(value, dict):
        raise InvalidRow(f"a row must be an object, not {name_json_type(value)}")
    return value, plain


def decode_rows(rows: Iterable[DatasetRow | Problem], display_name: str) -> Iterator[DecodedRow | Problem]:
    return (row if isinstance(row, Problem) else decode_row(row, display_name) for row in rows)


def decode_row(row: DatasetRow, display_name: str) -> DecodedRow | Problem:
    try:
        value, plain = decode_and_classify(row)
    except InvalidRow as error:
        return Problem(str(error), "", display_name, row.line)
    repeated_key = row.repeated_key
    if isinstance(row.raw, bytes) and jsontext.may_repeat_keys(row.raw, value):
        repeated_key = find_repeated_key(row.raw.decode())
    return DecodedRow(row.line, value, plain, repeated_key, row.offset, row.column)


def find_key_repeated_in(text: str, value: Any) -> str | None:
    """Find a key that one object of a JSON text holds twice; `value` is what the text decodes to."""
    is_possible = jsontext.may_repeat_keys(text.encode("utf-8", "surrogatepass"), value)
    return find_repeated_key(text) if is_possible else None


def describe_repeated_key(key: str) -> str:
    return f"key {key!r} is repeated in one object; the last one counts"


def name_json_type(value: Any) -> str:
    return {dict: "an object", list: "a list", str: "text", type(None): "null", bool: "true or false"}.get(
        type(value), "a number"
    )
