"""Cells under named columns → a row. A dotted column names a value inside an object."""

from collections.abc import Iterator, Sequence
from typing import Any

from agentv_py import jsontext
from agentv_py.errors import Problem
from agentv_py.suite.datasets.row import DatasetRow, find_key_repeated_in

OBJECT_COLUMNS = ("expected", "candidate", "input", "metadata")
_OWN_COLUMNS = frozenset({*OBJECT_COLUMNS, "id", "candidates", "tags", "evaluators"})
_STRUCTURE_COLUMNS = _OWN_COLUMNS - {"id", "input"}


def check_columns(columns: Sequence[str], display_name: str) -> Iterator[Problem]:
    earlier: set[str] = set()
    names = set(columns)
    lengths = set(map(len, names))
    for column in columns:
        if column in earlier:
            yield Problem(f"column {column!r} is listed twice", "", display_name, 1)
        earlier.add(column)
        # A column of a million dots has a million prefixes; only those as long as another column can be equal to it.
        for above in (column[:at] for at, mark in enumerate(column) if mark == "." and at in lengths):
            if above in names:
                yield Problem(f"columns {above!r} and {column!r} exclude each other", "", display_name, 1)


def count_own_columns(columns: Sequence[str]) -> int:
    """Return how many columns are keys of a case, or of an object in it."""
    return sum(column.partition(".")[0].strip() in _OWN_COLUMNS for column in columns)


def build_row(line: int, columns: Sequence[str], values: Sequence[Any], repeated_key: str | None = None) -> DatasetRow:
    """Build a row from values; None is an empty cell: null under a dotted column, else absent."""
    row: dict[str, Any] = {}
    for column, value in zip(columns, values, strict=True):
        root, *steps = column.split(".")
        if column == "tags":
            row[column] = _read_tags(value)
        elif steps and root in OBJECT_COLUMNS:
            _set_value(row, [root, *steps], value)
        elif value is not None:
            row[column] = value
    return DatasetRow(line, row, repeated_key=repeated_key)


def read_structure(column: str, text: str) -> Any:
    """Return the object or list that a text holds whole, where a case may have one; else the text.

    The input stays text: it is what the system under test gets.
    """
    if not text.lstrip().startswith(("{", "[")) or column.partition(".")[0] not in _STRUCTURE_COLUMNS:
        return text
    try:
        value = jsontext.loads_text(text)
    except jsontext.NotJson:
        return text
    return value if isinstance(value, dict | list) else text


def find_repeated_key(texts: Sequence[Any], values: Sequence[Any]) -> str | None:
    """Find a key that one object of a row of cells holds twice; `values` is what the texts were read as."""
    pairs = zip(texts, values, strict=True)
    read = (
        find_key_repeated_in(text, value)
        for text, value in pairs
        if isinstance(value, dict | list) and isinstance(text, str) and text.count('"') > 3  # two keys have four quotes
    )
    return next((key for key in read if key is not None), None)


def _set_value(row: dict[str, Any], steps: list[str], value: Any) -> None:
    for step in steps[:-1]:
        row = row.setdefault(step, {})
    row[steps[-1]] = value


def _read_tags(value: Any) -> Any:
    if not isinstance(value, str):
        return [] if value is None else value
    return [tag.strip() for tag in value.replace(";", ",").split(",") if tag.strip()]
