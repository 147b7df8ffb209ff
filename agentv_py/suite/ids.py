"""Ids → which of them stand twice, in flat memory."""

from array import array
from collections import Counter

_BUCKETS = 256


class Ids:
    """Remembers eight bytes per id, so that a million cases cost eight megabytes."""

    def __init__(self) -> None:
        self._buckets = [array("q") for _ in range(_BUCKETS)]

    def add(self, id_: str) -> None:
        digest = hash(id_)
        self._buckets[digest % _BUCKETS].append(digest)

    def repeated(self) -> set[int]:
        """The hashes that were added more than once; two ids may share one, so look again at those."""
        return {
            digest
            for bucket in self._buckets
            if len(set(bucket)) < len(bucket)
            for digest, times in Counter(bucket).items()
            if times > 1
        }
