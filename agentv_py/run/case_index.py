"""The cases of a run, in order → the number of each, found by suite, id and target; in flat memory."""

from array import array
from collections.abc import Callable, Sequence

from agentv_py.errors import UserError
from agentv_py.results.row import Fingerprint
from agentv_py.run.fingerprint import list_fingerprints
from agentv_py.suite.plan import Plan

CaseKey = tuple[str, str, str | None]
"""Suite, case and target."""

# Up to so many cases, a dictionary of 10 MB at most takes less time than the import of numpy.
_FEW = 2**17
_SAME_HASH = "the ids of two cases have the same hash in this process; run the command again"


class CaseIndex:
    """Every case of some plans, with the fingerprint of its row. It takes 16 bytes a case.

    A key is known by its hash, which Python draws anew for each process. Two of 2,000,000 keys have the same one in one
    of ten million runs.
    """

    def __init__(self, plans: Sequence[Plan]) -> None:
        self.numbers: dict[str, range] = {}
        """By the name of a suite: the numbers of its cases."""
        self._hashes = array("q")
        self._options, self._cases = array("I"), array("I")
        for plan in plans:
            first = len(self._hashes)
            for (id_, target), fingerprint in list_fingerprints(plan):
                self._hashes.append(hash((plan.name, id_, target)))
                self._options.append(fingerprint.options)
                self._cases.append(fingerprint.case)
            self.numbers[plan.name] = range(first, len(self._hashes))
        self._next = 0
        self._search: Callable[[int], int | None] | None = None

    def __len__(self) -> int:
        return len(self._hashes)

    def find(self, key: CaseKey) -> int | None:
        """Return the number of a case; None if the run has no such case."""
        digest, number = hash(key), self._next
        # Rows are in the order of the cases, so that the next row is nearly always that of the next case.
        if number == len(self._hashes) or self._hashes[number] != digest:
            if self._search is None:
                self._search = _build_search(self._hashes)
            found = self._search(digest)
            if found is None:
                return None
            number = found
        self._next = number + 1
        return number

    def get_fingerprint(self, number: int) -> Fingerprint:
        return Fingerprint(self._options[number], self._cases[number])


def _build_search(hashes: "array[int]") -> Callable[[int], int | None]:
    """Return a function that finds the place of a hash. Raises UserError if it cannot tell two keys apart."""
    if len(hashes) <= _FEW:
        numbers = {digest: number for number, digest in enumerate(hashes)}
        if len(numbers) < len(hashes):
            raise UserError(_SAME_HASH)
        return numbers.get
    import numpy as np

    plain = np.frombuffer(hashes, np.int64)
    order = np.argsort(plain)
    ascending = plain[order]
    if (ascending[1:] == ascending[:-1]).any():
        raise UserError(_SAME_HASH)

    def search(digest: int) -> int | None:
        place = int(np.searchsorted(ascending, digest))
        return int(order[place]) if place < len(order) and ascending[place] == digest else None

    return search
