"""Rows of results → the figures of each slice: the cases of one suite and target that share a tag or metadata value."""

from collections.abc import Mapping, Sequence
from typing import Any

from agentv_py.errors import UserError
from agentv_py.report.evaluator_summary import EvaluatorSummary
from agentv_py.report.tally import Tally
from agentv_py.suite.slice_key import KeyNames, ReadValues, SliceKey

MOST_VALUES = 1_000
"""Values of one key that are counted apart. Further values are counted together, so that memory is bounded."""
_ALL_SUITES = ""


class Slice(Tally):
    """The cases of one suite and target that share a value."""

    def __init__(self, value: str) -> None:
        super().__init__()
        self.value = value
        self.evaluators: dict[str, EvaluatorSummary] = {}
        """By name; their attributes give the F1 of this slice."""

    def add(self, row: Mapping[str, Any], only: str | None = None) -> None:
        self.count(row)
        for result in row["evaluator_results"]:
            if only is None or result["name"] == only:
                self._find_evaluator(result["name"], result["type"]).add(result)

    def merge(self, other: "Slice") -> None:
        self.add_counts(other)
        for name, evaluator in other.evaluators.items():
            self._find_evaluator(name, evaluator.type).merge(evaluator)

    def _find_evaluator(self, name: str, kind: str) -> EvaluatorSummary:
        evaluator = self.evaluators.get(name)
        if evaluator is None:
            evaluator = self.evaluators[name] = EvaluatorSummary(name, kind)
        return evaluator


class SliceTable:
    """The slices of one suite and target by one key."""

    def __init__(self, key: SliceKey, suite: str, target: str) -> None:
        self.key = key
        self.suite = suite
        self.target = target
        self.whole = Tally()
        """All cases of the suite and target, also those without a value."""
        self.members: dict[str, Slice] = {}
        """By value, in the order of their first rows."""
        self.without = 0
        """Cases that have no value of the key."""
        self.beyond = 0
        """Cases, once per value, whose value came after the greatest number of values."""

    def add(self, row: Mapping[str, Any], values: Sequence[str], only: str | None) -> None:
        self.whole.count(row)
        self.without += not values
        for value in values:
            if (member := self._find(value)) is not None:
                member.add(row, only)

    def merge(self, other: "SliceTable") -> None:
        self.whole.add_counts(other.whole)
        self.without += other.without
        self.beyond += other.beyond
        for value, member in other.members.items():
            if (own := self._find(value, member.cases)) is not None:
                own.merge(member)

    def list_judged(self) -> list[Slice]:
        """List the slices that have enough cases; the lowest pass rate comes first, then the lowest mean score."""
        judged = (member for member in self.members.values() if member.cases >= self.key.min_cases)
        return sorted(judged, key=lambda member: (member.pass_rate.value, member.mean_score.value, member.value))

    def list_small(self) -> list[Slice]:
        """List the slices that have too few cases; the largest comes first."""
        small = (member for member in self.members.values() if member.cases < self.key.min_cases)
        return sorted(small, key=lambda member: (-member.cases, member.value))

    def _find(self, value: str, cases: int = 1) -> Slice | None:
        member = self.members.get(value)
        if member is None and len(self.members) >= MOST_VALUES:
            self.beyond += cases
        elif member is None:
            member = self.members[value] = Slice(value)
        return member


class Slices:
    def __init__(self, keys: Mapping[str, Sequence[SliceKey]] | None = None) -> None:
        self.keys = keys or {}
        """By suite: what its rows are broken down by. The empty name is for suites that have no keys of their own."""
        self.tables: dict[tuple[str, str, str], SliceTable] = {}
        """By suite, target and key."""
        self._readers: dict[str, list[tuple[SliceKey, ReadValues]]] = {}
        self.names = KeyNames()
        """The keys that rows have, for a message."""

    @classmethod
    def for_all_suites(cls, keys: Sequence[SliceKey]) -> "Slices":
        return cls({_ALL_SUITES: keys} if keys else {})

    def __getstate__(self) -> dict[str, Any]:
        """Return what can be sent to another process: readers are functions, which it builds anew."""
        return {**self.__dict__, "_readers": {}, "names": KeyNames()}

    def add(self, row: Mapping[str, Any], only: str | None = None) -> None:
        suite, target = row["suite"], str(row["target"]) if "target" in row else ""
        for key, read_values in self._find_readers(suite):
            values = read_values(row)
            if not values:
                self.names.add(row)
            self._find(key, suite, target).add(row, values, only)

    def merge(self, other: "Slices") -> None:
        for table in other.tables.values():
            self._find(table.key, table.suite, table.target).merge(table)

    def list_tables(self) -> list[SliceTable]:
        return [table for table in self.tables.values() if table.members]

    def _find(self, key: SliceKey, suite: str, target: str) -> SliceTable:
        table = self.tables.get((suite, target, key.text))
        if table is None:
            table = self.tables[suite, target, key.text] = SliceTable(key, suite, target)
        return table

    def _find_readers(self, suite: str) -> list[tuple[SliceKey, ReadValues]]:
        readers = self._readers.get(suite)
        if readers is None:
            keys = self.keys.get(suite, self.keys.get(_ALL_SUITES, ()))
            readers = self._readers[suite] = [(key, key.build_reader()) for key in keys]
        return readers


def refuse_unknown(several: Sequence[Slices]) -> None:
    """Raise a UserError for a key of `--slice` that no row has. Rows may be counted in several folds."""
    known = {table.key.text for slices in several for table in slices.list_tables()}
    asked = dict.fromkeys(key.text for slices in several for keys in slices.keys.values() for key in keys)
    missing = [text for text in asked if text not in known]
    names = KeyNames()
    for slices in several:
        names.merge(slices.names)
    if missing:
        raise UserError(*(f"--slice: {names.explain(text)}" for text in missing))
