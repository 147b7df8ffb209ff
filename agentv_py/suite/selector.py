"""A selection and the cases of one suite → the positions of the cases to run."""

from array import array
from collections.abc import Collection, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase
from heapq import nsmallest
from itertools import chain
from typing import TYPE_CHECKING, Any

from agentv_py.case import ABSENT
from agentv_py.errors import did_you_mean
from agentv_py.suite.case_key import CaseKey
from agentv_py.suite.condition import build_filters
from agentv_py.suite.selection import CheckedCases, SelectedCases, Selection

if TYPE_CHECKING:
    from agentv_py.suite.split import Split


class Selector:
    """Chooses cases in four steps: filters, --sample, --limit, --shard."""

    def __init__(self, selection: Selection, suite: str = "", split: "Split | None" = None) -> None:
        self.selection = selection
        self.total = 0
        """The number of cases that were read."""
        self.without_part = 0
        """The number of cases that have no value of `split.by`."""
        self._split = split
        self._by = None if split is None or split.by is None else CaseKey(split.by)
        self._filters = build_filters(selection.where)
        self._suite = suite
        self._failed: Collection[str] | None = None if selection.failed is None else selection.failed.ids.get(suite, ())
        self._failed_count = 0

    @property
    def needs_rows(self) -> bool:
        """Whether the choice depends on more than the positions of the cases."""
        return self._needs_look() or self.selection.sample is not None

    def select(self, cases: Iterable[CheckedCases]) -> "array[int]":
        """Return the positions of the cases to run. All cases are read, because reading checks them."""
        positions, hashes = array("q"), array("Q")
        if not self.needs_rows:
            for checked in cases:
                positions.extend(checked.positions)
            self.total = len(positions)
            return self._take_shard(positions[: self.selection.limit])
        from agentv_py.suite.split import hash_stably  # a run of all cases needs none

        needs_look = self._needs_look()
        sample, seed = self.selection.sample, f"sample {self.selection.seed or 0}"
        for position, id_, row in chain.from_iterable(zip(*checked, strict=True) for checked in cases):
            self.total += 1
            if needs_look and not self._fits(id_, row):
                continue
            positions.append(position)
            if sample is not None:
                hashes.append(hash_stably(seed, id_))
        if sample is not None:
            # Each case has its own random number, so that a new case replaces at most one case of the sample.
            positions = array("q", sorted(p for _, p in nsmallest(sample, zip(hashes, positions, strict=True))))
        return self._take_shard(positions[: self.selection.limit])

    def summarize(self, cases: int) -> SelectedCases:
        """Return what is known after `cases` cases were selected."""
        hint = "".join(filter_.suggest_value() for filter_ in self._filters)
        return SelectedCases(self.selection, cases, self.total, self._list_unknown(), hint)

    def explain_split(self) -> Iterator[tuple[str, str]]:
        """Yield what is wrong with the split: the key of the suite that it is about, and why."""
        name, split = self.selection.split, self._split
        if self._by is not None and self.total and not self._by.is_known:
            yield "split.by", self._by.describe_unknown()
        if name is not None and split is None:
            yield "", f"--split {name!r}: the suite has no split:"
        elif name is not None and split is not None and name not in split.shares:
            hint = did_you_mean(name, list(split.shares)) or f"; valid: {', '.join(split.shares)}"
            yield "split", f"--split {name!r}: names no part of the split{hint}"

    def count_lost(self) -> int:
        """Return how many of the cases that did not pass are no longer in the suite."""
        return len(self._failed or ()) - self._failed_count

    def _list_unknown(self) -> dict[str, str]:
        unknown = {
            f"--where {filter_.key.text}": filter_.key.describe_unknown()
            for filter_ in self._filters
            if self.total and not filter_.key.is_known
        }
        failed = self.selection.failed
        if failed is not None and self._suite not in failed.ids:
            suites = ", ".join(map(repr, failed.ids)) or "none"
            hint = did_you_mean(self._suite, list(failed.ids)) or f"; its suites: {suites}"
            unknown[failed.flag] = f"has no row of suite {self._suite!r}{hint}"
        return unknown

    def _needs_look(self) -> bool:
        """Whether any filter, or the split of the suite, must see every case."""
        cases, tags, _, where, split, failed, *_ = self.selection
        has_filter = bool(cases or tags or where or split is not None or failed is not None)
        return has_filter or self._by is not None

    def _fits(self, id_: str, row: Mapping[str, Any]) -> bool:
        """Tell whether a case passes every filter. Each filter sees every case, so that it knows what cases have."""
        cases, tags, *_ = self.selection
        has_id = not cases or any(id_ == glob or fnmatchcase(id_, glob) for glob in cases)
        has_tag = not tags or any(tag in (row.get("tags") or ()) for tag in tags)
        has_values = sum(filter_.fits(id_, row) for filter_ in self._filters) == len(self._filters)
        is_in_part = self._is_in_part(id_, row)
        return self._has_failed(id_) and is_in_part and has_id and has_tag and has_values

    def _has_failed(self, id_: str) -> bool:
        if self._failed is None:
            return True
        has_failed = id_ in self._failed
        self._failed_count += has_failed
        return has_failed

    def _is_in_part(self, id_: str, row: Mapping[str, Any]) -> bool:
        if self._split is None:
            return True
        value: Any = id_
        if self._by is not None:
            value = self._by.read(id_, row)
            if value is ABSENT or value is None:
                self.without_part += 1
                value = id_
        return self.selection.split is None or self.selection.split == self._split.choose_part(value)

    def _take_shard(self, positions: "array[int]") -> "array[int]":
        """Return one of several runs of neighbours. Their rows in order are the rows of the whole run."""
        if self.selection.shard is None:
            return positions
        number, count = self.selection.shard
        return positions[(number - 1) * len(positions) // count : number * len(positions) // count]
