"""Chunks and pauses → stretches of chunks; a chunk → its result, or the problem that its process tells the caller's."""

import traceback
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from typing import Any, NamedTuple, cast

from agentv_py.errors import UserError
from agentv_py.run.engines import Chunk


class Reply(NamedTuple):
    """What a worker sends back for a chunk."""

    problem: Exception | str | None
    """An error of the user's or of the system; or the traceback of a bug."""
    result: Any

    def unwrap(self) -> Any:
        """Return the result, or raise the problem."""
        if isinstance(self.problem, Exception):
            raise self.problem
        if self.problem is not None:
            raise RuntimeError(self.problem)
        return self.result


def split_at_pauses(chunks: Iterable[Chunk | None]) -> Iterator[Iterable[Chunk]]:
    """Yield the chunks between two pauses; a stretch is used up before the next begins."""
    source = iter(chunks)
    for first in source:
        if first is not None:
            yield chain([first], cast("Iterator[Chunk]", iter(partial(next, source, None), None)))


def attempt(work: Callable[[Any], Any], chunk: Any) -> Reply:
    """Return the result of the work, or why it failed."""
    try:
        return Reply(None, work(chunk))
    except (UserError, OSError, MemoryError) as error:
        return Reply(error, None)
    except Exception:  # noqa: BLE001  the caller's process raises it
        return Reply(traceback.format_exc(), None)
