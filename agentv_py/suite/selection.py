"""The cases of a suite → the positions of the cases to run."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

PositionedCase = tuple[int, str, Mapping[str, Any]]
"""The position of a case among all cases of its suite, its id and its row."""


class Selection(NamedTuple):
    """Which cases of a suite run. Each field is a flag of the command line."""

    cases: Sequence[str] = ()
    tags: Sequence[str] = ()
    limit: int | None = None

    def select(self, cases: Iterable[PositionedCase]) -> "array[int]":
        """Return the positions of the cases to run. Cases after the limit are read too, because reading checks them.

        Filters decide by the id and the row of one case. Then bounds decide by the positions that remain.
        """
        if self._has_filter():
            fitting = (position for position, id_, row in cases if self._fits(id_, row))
        else:
            fitting = (position for position, _, _ in cases)
        return self._limit(array("q", fitting))

    def describe_flags(self) -> str:
        """Return the flags that narrow this selection, as text for a message; "" if every case runs."""
        flags = {"--case": self.cases, "--tag": self.tags, "--limit": self.limit is not None}
        used = [flag for flag, is_used in flags.items() if is_used]
        return " and ".join(filter(None, (", ".join(used[:-1]), *used[-1:])))

    def _has_filter(self) -> bool:
        return bool(self.cases or self.tags)

    def _fits(self, id_: str, row: Mapping[str, Any]) -> bool:
        has_id = not self.cases or any(id_ == glob or fnmatchcase(id_, glob) for glob in self.cases)
        return has_id and (not self.tags or any(tag in (row.get("tags") or ()) for tag in self.tags))

    def _limit(self, positions: "array[int]") -> "array[int]":
        return positions[: self.limit]
