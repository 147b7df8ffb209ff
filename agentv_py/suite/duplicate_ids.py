"""Ids → which of them stand twice, in flat memory."""

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence

from agentv_py.errors import Problem
from agentv_py.suite.datasets.row import DatasetRow, InvalidRow, decode
from agentv_py.suite.plan import Source, id_of

_BUCKETS = 256


class Ids:
    """Remembers eight bytes per id, so that a million cases cost eight megabytes."""

    def __init__(self) -> None:
        self._buckets = [array("q") for _ in range(_BUCKETS)]
        self._add = [bucket.append for bucket in self._buckets]

    def add(self, id_: str) -> None:
        digest = hash(id_)
        self._add[digest % _BUCKETS](digest)

    def repeated(self) -> set[int]:
        """The hashes that were added more than once; two ids may share one, so look again at those."""
        return {
            digest
            for bucket in self._buckets
            if len(set(bucket)) < len(bucket)
            for digest, times in Counter(bucket).items()
            if times > 1
        }


def duplicates(sources: Sequence[Source], repeated: set[int]) -> Iterator[Problem]:
    """A second look at ids whose hashes met: the problem names both places."""
    seen: dict[str, str] = {}
    for source in sources if repeated else ():
        for row in source.rows():
            id_ = _id_at(source, row)
            if isinstance(row, Problem) or id_ is None or hash(id_) not in repeated:
                continue
            place = ":".join(str(part) for part in (source.shown, row.line, row.column) if part is not None)
            if id_ in seen:
                what = f"duplicate id {id_!r}; the first is at {seen[id_]}"
                yield Problem(what, "", source.shown, row.line, row.column)
            seen.setdefault(id_, place)


def _id_at(source: Source, row: DatasetRow | Problem) -> str | None:
    if isinstance(row, Problem):
        return None
    try:
        return id_of(decode(row), source.path.stem, row.line)
    except InvalidRow:
        return None
