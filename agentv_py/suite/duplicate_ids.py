"""Ids → the ids that are used twice, in flat memory."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from agentv_py.errors import Problem
from agentv_py.suite.case_files import CaseFile
from agentv_py.suite.datasets.row import DatasetRow, InvalidRow, decode
from agentv_py.suite.raw_case import get_case_id

# Up to so many hashes, a set takes less time than the import of numpy.
_FEW = 2**17


class IdHashes:
    """Remembers eight bytes per id, so that a million cases cost eight megabytes."""

    def __init__(self) -> None:
        self._hashes = array("q")
        self._different: set[int] | None = None
        """The same hashes, if other processes send them and they are few. It grows while this process has to wait."""

    def add(self, ids: Iterable[str]) -> None:
        self._extend(array("q", map(hash, ids)))

    def add_hashes(self, hashes: "array[int]") -> None:
        if self._different is None and len(self._hashes) <= _FEW:
            self._different = set(self._hashes)
        self._extend(hashes)

    def _extend(self, hashes: "array[int]") -> None:
        self._hashes.extend(hashes)
        if self._different is not None:
            self._different.update(hashes)
            if len(self._hashes) > _FEW:
                self._different = None

    def take_hashes(self) -> "array[int]":
        """Return the hashes since the last call. Only a process that was forked has the same hashes."""
        hashes, self._hashes, self._different = self._hashes, array("q"), None
        return hashes

    def find_repeated(self) -> set[int]:
        """Return the hashes that were added more than once. Two different ids may share a hash."""
        if len(self._hashes) > _FEW:
            import numpy as np

            hashes = np.frombuffer(self._hashes, np.int64)
            hashes.sort()  # in place, because a copy would take as much memory again
            return set(hashes[1:][hashes[1:] == hashes[:-1]].tolist())
        different = set(self._hashes) if self._different is None else self._different
        if len(different) == len(self._hashes):
            return set()
        return {digest for digest, times in Counter(self._hashes).items() if times > 1}


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
