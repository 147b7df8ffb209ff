"""A reply of a worker → the same reply in the caller's process. Its large parts are in memory that both share."""

import mmap
import pickle
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from agentv_py.run.engines.work import Reply

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

# A reply whose parts are larger goes through the pipe. Memory that no reply fills costs nothing.
_SIZE = 2**23


class SharedMemory:
    """Room for two replies: while the caller's process reads one, the worker may write the next one.

    Both processes have such an object, and both call `switch` for each reply.
    """

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, 2 * _SIZE)
        self._start = 0

    def switch(self) -> None:
        self._start = _SIZE - self._start

    def write(self, parts: Iterable[memoryview]) -> None:
        start = self._start
        for part in parts:
            self._memory[start : start + len(part)] = part
            start += len(part)

    def view(self, lengths: Iterable[int]) -> list[memoryview]:
        parts, start, memory = list[memoryview](), self._start, memoryview(self._memory).toreadonly()
        for length in lengths:
            parts.append(memory[start : start + length])
            start += length
        return parts


def share_memory() -> SharedMemory | None:
    """Return memory that this process shares with the next one that it forks; None where it forks none."""
    return SharedMemory() if sys.platform == "linux" else None


def send_reply(pipe: "Connection", reply: Reply, memory: SharedMemory | None) -> None:
    """Send a reply. The caller's process reads it before it sends work for the next but one."""
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(reply, protocol=5, buffer_callback=buffers.append)
    parts = [buffer.raw() for buffer in buffers]
    if memory is None or sum(map(len, parts)) > _SIZE:
        data, parts = pickle.dumps(reply, protocol=5), []
    if memory is not None:
        memory.switch()
        memory.write(parts)
    pipe.send((data, [len(part) for part in parts]))


def receive_reply(pipe: "Connection", memory: SharedMemory | None, *, copies: bool = True) -> Reply:
    """Wait for a reply. Raises EOFError or OSError if the worker has died.

    Without copies, its large parts are the worker's memory. The worker may get one more task while they are used: the
    reply to the second task after this one would overwrite them.
    """
    data, lengths = pipe.recv()
    if memory is not None:
        memory.switch()
    views = [] if memory is None else memory.view(lengths)
    parts = map(bytes, views) if copies else views
    reply: Reply = pickle.loads(data, buffers=parts)  # noqa: S301  it comes from a process that this one started
    return reply
