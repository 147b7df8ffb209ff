"""Cases → chunks that are scored at once; and what becomes of a chunk: its rows, and their sums."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from agentv_py.errors import InputChanged
from agentv_py.report.summary import Summary
from agentv_py.suite.raw_case import RawCase

if TYPE_CHECKING:
    from agentv_py.process.persistent import Lifetime

CHUNK = 100


def split_into_chunks(cases: Iterable[RawCase], size: int = CHUNK) -> Iterator[list[RawCase]]:
    cases = iter(cases)
    while chunk := list(islice(cases, size)):
        yield chunk


class ScoredChunk(NamedTuple):
    """The rows of a chunk of cases, and their sums."""

    rows: bytes | memoryview
    """Memory of another process, perhaps, which holds them only until the next chunk is asked for."""
    summary: Summary
    awaits: Mapping["Lifetime", Collection[str]] = {}
    """Persistent processes whose end shows whether these scores belong to their cases; with the evaluators' names."""
    outcomes: Mapping["Lifetime", bool] = {}
    """Such processes that have ended, and whether their answers can be trusted."""
    error: InputChanged | None = None
    """Why the chunk's last cases have no rows."""

    def __reduce_ex__(self, protocol: Any) -> tuple[Any, ...]:
        """Let the rows reach another process without being copied into the rest."""
        from pickle import PickleBuffer  # a run in one process needs none

        return ScoredChunk, (PickleBuffer(self.rows) if protocol >= 5 else self.rows, *self[1:])
