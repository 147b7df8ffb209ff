"""Rows of results → the figures of each target, file, suite, tag or metadata value, side by side."""

import math
from array import array
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from agentv_py.errors import UserError, did_you_mean
from agentv_py.report.tally import Tally

ROW_GROUPS = ("target", "file", "suite", "tag")
METADATA = "metadata."
_MOST_ROWS = 1_000

CaseResult = tuple[float, bool]
"""A score, and whether the case passes."""


class Group(Tally):
    """The rows of one suite that share a value."""

    def __init__(self, suite: str, value: str) -> None:
        super().__init__()
        self.suite = suite
        self.value = value
        self.cost = 0.0
        self.priced = 0
        """The number of rows that tell what their answer cost."""
        self.latencies = array("d")
        """In milliseconds, of the rows that tell it."""
        self.results: dict[str, CaseResult] = {}
        """By case id: its result, for the test that pairs two groups; errored rows have none."""

    def add(self, row: Mapping[str, Any]) -> None:
        self.count(row)
        if (cost := _read_number(row.get("cost"))) is not None:
            self.cost, self.priced = self.cost + cost, self.priced + 1
        if (latency := _read_number(row.get("latency_ms"))) is not None:
            self.latencies.append(latency)
        if row["status"] != "error":
            self.results[row["case_id"]] = (row["score"], row["verdict"] == "pass")

    def merge(self, other: "Group") -> None:
        self.add_counts(other)
        self.cost, self.priced = self.cost + other.cost, self.priced + other.priced
        self.latencies.extend(other.latencies)
        self.results |= other.results

    def find_latency(self, share: float) -> float | None:
        """Return the latency that this share of the answers does not exceed (the nearest rank); None if unknown."""
        if not self.latencies:
            return None
        ordered = sorted(self.latencies)
        return ordered[math.ceil(share * len(ordered)) - 1]


class Groups:
    """The figures of each group of rows."""

    def __init__(self, by: str = "target") -> None:
        self.by = by
        """What rows are grouped by: `target`, `file`, `suite`, `tag` or `metadata.KEY`."""
        self.members: dict[tuple[str, str], Group] = {}
        """By suite and value, in the order of their first rows."""

    def add(self, row: Mapping[str, Any], file: str = "") -> None:
        for value in read_values(row, self.by, file):
            self._find(row["suite"], value).add(row)

    def merge(self, other: "Groups") -> None:
        for (suite, value), group in other.members.items():
            self._find(suite, value).merge(group)

    def name(self, group: Group) -> str:
        """Name a group by its value; where two suites share values, after the name of its suite."""
        is_shared = len({value for _, value in self.members}) < len(self.members)
        return f"{group.suite}/{group.value}" if is_shared else group.value

    def _find(self, suite: str, value: str) -> Group:
        group = self.members.get((suite, value))
        if group is None:
            group = self.members[suite, value] = Group(suite, value)
        return group


def read_values(row: Mapping[str, Any], by: str, file: str) -> Iterator[str]:
    """Yield the values by which a row is grouped: one, several where it has several tags, or none."""
    target = row.get("target")
    if by == "target":
        yield from [str(target)] if target is not None else []
        return
    for value in _read_own_values(row, by, file):  # two targets are never added up
        yield value if target is None else f"{value} · {target}"


def _read_own_values(row: Mapping[str, Any], by: str, file: str) -> Iterator[str]:
    if by == "file":
        yield file
    elif by == "suite":
        yield row["suite"]
    elif by == "tag":
        tags = row.get("tags")
        yield from (str(tag) for tag in tags) if isinstance(tags, list) else ()
    else:
        metadata = row.get("metadata")
        value = metadata.get(by.removeprefix(METADATA)) if isinstance(metadata, dict) else None
        yield from [value if isinstance(value, str) else str(value)] if value is not None else []


def _read_number(value: Any) -> float | None:
    """Read a number that is finite and not negative; a results file may hold anything."""
    return float(value) if type(value) in (int, float) and 0 <= value < float("inf") else None


def check_grouping(by: str) -> None:
    """Raise a UserError unless rows can be grouped by this."""
    if by not in ROW_GROUPS and not (by.startswith(METADATA) and len(by) > len(METADATA)):
        valid = f"{', '.join(sorted(ROW_GROUPS))} or metadata.KEY"
        raise UserError(f"--by {by!r}: is not valid{did_you_mean(by, ROW_GROUPS)}; valid: {valid}")


def explain_no_groups(by: str, rows: Iterable[Mapping[str, Any]]) -> str:
    """Say that no row has what `--by` names."""
    if not by.startswith(METADATA):
        return f"--by {by}: no row has a {by}"
    first = [
        row["metadata"]
        for row, _ in zip(rows, range(_MOST_ROWS), strict=False)
        if isinstance(row.get("metadata"), dict)
    ]
    known = sorted({f"{METADATA}{key}" for metadata in first for key in metadata})
    return f"--by {by}: no row has this metadata{did_you_mean(by, known)}"
