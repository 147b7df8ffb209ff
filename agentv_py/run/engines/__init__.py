"""Where the work runs: the protocol of an engine, and the table of engines."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeVar, cast

Chunk = TypeVar("Chunk")
Result = TypeVar("Result")

EngineName = Literal["local", "ray"]
ENGINES: Final[dict[EngineName, str]] = {
    "local": "agentv_py.run.engines.local",
    "ray": "agentv_py.run.engines.ray",
}
"""By name: the module that has the engine as `run`. It is imported when the engine is used."""


class Recovery(NamedTuple):
    """What becomes of a chunk at which workers die, or that they cannot read. It runs in the caller's process."""

    split: Callable[[Any], Sequence[Any]]
    """A chunk that ended two workers → a chunk for each of its cases."""
    give_up: Callable[[Any, str], Any]
    """A chunk of one case that ended its worker, and how that died → the result without the work."""
    report_death: Callable[[int], Any] | None = None
    """The pid of a worker that died → a result that says so, before any further result of the engine."""
    ship: Callable[[Any], Any] | None = None
    """A chunk that names a file → the same chunk with what the file holds. Raises a UserError."""


class Unread(NamedTuple):
    """The result of a chunk that names a file, if the file is not there or differs where the work runs.

    The engine of a cluster then sends what the file holds; the caller gets an Unread if it cannot read the file either.
    """

    chunk: Any


class Engine(Protocol):
    """Applies `work` to every chunk, in up to `jobs` processes, and yields the results in the order of the chunks.

    A chunk that is None is a pause: when all work before it is done, every process that works calls `pause`, and the
    engine yields what each call returns. There is one more pause after the last chunk. Without `pause` a None only
    separates chunks.

    Every process that worked calls `finish` before it ends, and the caller's process calls it last, also when the work
    fails or the caller closes the iterator. An exception of `work` ends the iteration and is raised to the caller.

    A worker that dies is replaced, and its chunk runs again. With `recovery`, a chunk that ends two workers runs case
    by case, and only a case that ends a third one has no result of `work`. A cluster may lose machines at any time, so
    its engine tries each case more often.

    With `sends_ahead`, the next small chunk may wait at a worker, so that the worker need not wait for the caller. This
    is for chunks that take milliseconds, because a chunk does not move to another worker that is idle.

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
        recovery: Recovery | None = None,
        *,
        sends_ahead: bool = ...,
    ) -> Iterator[Result]: ...


class EngineChoice(NamedTuple):
    """Which engine a run uses, and the address of its cluster."""

    name: EngineName = "local"
    address: str | None = None

    def load(self) -> Engine:
        engine = import_module(ENGINES[self.name]).run
        return cast("Engine", engine if self.address is None else partial(engine, address=self.address))


LOCAL = EngineChoice()
