"""Rows that did not pass → the first few of them; of rows with the same error, the first one and their number."""

from collections.abc import Iterator, Mapping
from typing import Any

MOST_FAILING_ROWS = 5
_MOST_ERRORS = 1_000

_ErrorKey = tuple[str, str]


class FailingRows:
    """The first rows that did not pass, including errored ones. An error of many rows is in one of them only."""

    __slots__ = ("_counts", "_rows")

    def __init__(self) -> None:
        self._rows: list[Mapping[str, Any]] = []
        self._counts: dict[_ErrorKey, int] = {}

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        return iter(self._rows)

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, row: Mapping[str, Any]) -> None:
        key = _read_key(row)
        is_known = key in self._counts
        if key is not None:
            self._count(key, 1)
        if not is_known and len(self._rows) < MOST_FAILING_ROWS:
            self._rows.append(row)

    def merge(self, other: "FailingRows") -> None:
        new = [row for row in other if _read_key(row) not in self._counts]
        self._rows.extend(new[: MOST_FAILING_ROWS - len(self._rows)])
        for key, number in other._counts.items():  # noqa: SLF001  of the same class
            self._count(key, number)

    def count_same(self, row: Mapping[str, Any]) -> int:
        """Return how many other rows have the same error as this row."""
        key = _read_key(row)
        return 0 if key is None else max(0, self._counts.get(key, 1) - 1)

    def count_shown(self) -> int:
        """Return how many rows these rows stand for."""
        return sum(1 + self.count_same(row) for row in self)

    def _count(self, key: _ErrorKey, number: int) -> None:
        if key in self._counts or len(self._counts) < _MOST_ERRORS:
            self._counts[key] = self._counts.get(key, 0) + number


def _read_key(row: Mapping[str, Any]) -> _ErrorKey | None:
    """Return the suite and the error of a row; None if it did not err."""
    error = row.get("error")
    return (row["suite"], repr(error)) if row["status"] == "error" and error else None
