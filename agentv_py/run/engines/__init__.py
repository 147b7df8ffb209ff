"""Where the work runs: the protocol of an engine, and the table of engines."""

from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Final, Literal, Protocol, TypeVar, cast

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")

EngineName = Literal["local"]
ENGINES: Final[dict[EngineName, str]] = {"local": "agentv_py.run.engines.local"}
"""By name: the module that has the engine as `run`. It is imported when the engine is used."""


class Engine(Protocol):
    """Applies `work` to every chunk, in up to `jobs` processes, and yields the results in the order of the chunks.

    A chunk that is None is a pause: when all work before it is done, every process that works calls `pause`, and the
    engine yields what each call returns. There is one more pause after the last chunk. Without `pause` a None only
    separates chunks.

    Every process that worked calls `finish` before it ends, and the caller's process calls it last, also when the work
    fails or the caller closes the iterator. An exception of `work` ends the iteration and is raised to the caller.

    Chunks are read only a few ahead of the results, so that memory stays flat. Work, chunks and results can be
    pickled.
    """

    def __call__(
        self,
        work: Callable[[Chunk], Result],
        chunks: Iterable[Chunk | None],
        jobs: int,
        finish: Callable[[], None] = ...,
        pause: Callable[[], Result] | None = None,
    ) -> Iterator[Result]: ...


def load_engine(name: EngineName) -> Engine:
    return cast("Engine", import_module(ENGINES[name]).run)
