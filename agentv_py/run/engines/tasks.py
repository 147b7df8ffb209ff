"""Chunks → tasks for workers; results of tasks → results in the order of the chunks, even if a worker dies."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from agentv_py.errors import UserError
from agentv_py.run.engines import Recovery

# So many cases may end their workers. With more of them, the cause is hardly a case.
_MOST_FATAL_CASES = 20
# How often a chunk runs as a whole that ends its worker each time.
_TRIES = 2


class Task(NamedTuple):
    """A chunk, or a part of a chunk that has ended two workers."""

    number: int
    chunk: Any
    part: int = 0
    is_part: bool = False
    deaths: int = 0
    """How many workers have died at it."""


class Tasks:
    """Hands out the tasks of one stretch of chunks, and puts their results in order."""

    def __init__(self, chunks: Iterable[Any], recovery: Recovery | None, tries: int = 1) -> None:
        self._chunks = enumerate(chunks)
        self._tries = tries
        """How often a case runs alone that ends its worker each time."""
        self._again: deque[Task] = deque()
        self._results: dict[tuple[int, int], Any] = {}
        self._parts: dict[int, int] = {}
        """For each chunk that was split: the number of its parts."""
        self._turn = self._part = 0
        self._recovery = recovery
        self._fatal_cases = 0

    def take(self, most_waiting: int) -> Task | None:
        """Return the next task; None after the last one, and while `most_waiting` results wait for earlier ones."""
        if self._again:
            return self._again.popleft()
        number, chunk = (None, None) if len(self._results) >= most_waiting else next(self._chunks, (None, None))
        return None if number is None else Task(number, chunk)

    def finish(self, task: Task, result: Any) -> None:
        self._results[task.number, task.part] = result

    def put_back(self, task: Task) -> None:
        """Hand out a task again, before all others, that was not sent."""
        self._again.appendleft(task)

    def retry(self, task: Task) -> None:
        """Run a task again that could not run."""
        self._again.append(task)

    def is_next(self, task: Task) -> bool:
        """Whether the result of a task is the next one in order."""
        return (task.number, task.part) == (self._turn, self._part)

    def is_done(self) -> bool:
        """Whether no result waits for its turn and no task must run again. There may be new chunks."""
        return not self._again and not self._results

    def list_ready(self) -> Iterator[Any]:
        """Yield the results whose turn has come."""
        while (self._turn, self._part) in self._results:
            yield self._results.pop((self._turn, self._part))
            self._part += 1
            if self._part == self._parts.get(self._turn, 1):
                self._turn, self._part = self._turn + 1, 0

    def recover(self, task: Task, how: str) -> None:
        """Run a task again whose worker has died: first the whole chunk, then case by case. Then give the case up."""
        if self._recovery is None or self._fatal_cases == _MOST_FATAL_CASES:
            raise build_death_error(how)
        deaths = task.deaths + 1
        if deaths < (self._tries if task.is_part else _TRIES):
            self._again.append(task._replace(deaths=deaths))
        elif task.is_part:
            self._fatal_cases += 1
            self.finish(task, self._recovery.give_up(task.chunk, how))
        else:
            parts = self._recovery.split(task.chunk)
            self._parts[task.number] = len(parts)
            alone = deaths if len(parts) == 1 else 0
            self._again.extend(
                Task(task.number, part, index, is_part=True, deaths=alone) for index, part in enumerate(parts)
            )


def build_death_error(how: str) -> UserError:
    return UserError(f"a worker process {how}; the rows before it are whole; try -j 1")
