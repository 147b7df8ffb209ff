"""Ids → the ids that are used twice, in flat memory."""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from operator import lt
from typing import NamedTuple

from agentv_py.errors import Problem
from agentv_py.suite.case_files import CaseFile
from agentv_py.suite.datasets.row import DatasetRow, InvalidRow, decode
from agentv_py.suite.raw_case import get_case_id

# Up to so many hashes, a set takes less time than the import of numpy.
_FEW = 2**17


class IdFacts(NamedTuple):
    """What is known about the ids of consecutive cases."""

    hashes: "array[int]"
    first: str
    last: str
    are_ascending: bool
    """Whether each id is greater than the one before it."""


class IdHashes:
    """Remembers eight bytes per id, so that a million cases cost eight megabytes.

    Ids that ascend cannot repeat. Numbered cases do, and then nothing is searched.
    """

    def __init__(self) -> None:
        self._hashes = array("q")
        self._first = self._last = ""
        self._are_ascending = True

    def add(self, ids: Sequence[str]) -> None:
        """Add the ids of cases that follow those before."""
        if ids:
            are_ascending = self._are_ascending and _are_ascending(ids)
            self.add_facts(IdFacts(array("q", map(hash, ids)), ids[0], ids[-1], are_ascending))

    def add_facts(self, facts: IdFacts) -> None:
        """Add what is known about the ids of later cases, in this process or in one that has the same hashes."""
        if not facts.hashes:
            return
        if not self._hashes:
            self._first, self._are_ascending = facts.first, facts.are_ascending
        elif not facts.are_ascending or _measure(self._last) >= _measure(facts.first):
            self._are_ascending = False
        self._hashes.extend(facts.hashes)
        self._last = facts.last

    def take_facts(self) -> IdFacts:
        """Return what is known about the ids since the last call."""
        facts = IdFacts(self._hashes, self._first, self._last, self._are_ascending)
        self._hashes, self._are_ascending = array("q"), True
        return facts

    def find_repeated(self) -> set[int]:
        """Return the hashes that were added more than once. Two different ids may share a hash."""
        if self._are_ascending:
            return set()
        if len(self._hashes) > _FEW:
            import numpy as np

            hashes = np.frombuffer(self._hashes, np.int64)
            hashes.sort()  # in place, because a copy would take as much memory again
            return set(hashes[1:][hashes[1:] == hashes[:-1]].tolist())
        if len(set(self._hashes)) == len(self._hashes):
            return set()
        return {digest for digest, times in Counter(self._hashes).items() if times > 1}


def _are_ascending(ids: Sequence[str]) -> bool:
    if len(set(map(len, ids))) == 1:
        return all(map(lt, ids, ids[1:]))
    keys = list(map(_measure, ids))
    return all(map(lt, keys, keys[1:]))


def _measure(id_: str) -> tuple[int, str]:
    """Return the place of an id in an order in which `case-10` comes after `case-9`."""
    return len(id_), id_


def find_duplicates(case_files: Sequence[CaseFile], repeated_hashes: set[int]) -> Iterator[Problem]:
    """Read the cases again and compare the ids that share a hash. A problem names both places."""
    first_places: dict[str, str] = {}
    for case_file in case_files if repeated_hashes else ():
        for row in case_file.read_rows():
            id_ = None if isinstance(row, Problem) else _read_id(case_file, row)
            if isinstance(row, Problem) or id_ is None or hash(id_) not in repeated_hashes:
                continue
            place = ":".join(str(part) for part in (case_file.display_name, row.line, row.column) if part is not None)
            if id_ in first_places:
                what = f"duplicate id {id_!r}; the first is at {first_places[id_]}"
                yield Problem(what, "", case_file.display_name, row.line, row.column, kind="duplicate id")
            first_places.setdefault(id_, place)


def _read_id(case_file: CaseFile, row: DatasetRow) -> str | None:
    try:
        return get_case_id(decode(row), case_file.path.stem, row.line)
    except InvalidRow:
        return None
