"""A reply of a worker → the same reply in the caller's process. Its large parts are in memory that both share."""

import mmap
import pickle
import sys
from typing import TYPE_CHECKING, Any

from agentv_py.run.engines.work import Reply

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

# A reply whose parts are larger goes through the pipe. Memory that no reply fills costs nothing.
_SIZE = 2**23

SharedMemory = mmap.mmap


def share_memory() -> SharedMemory | None:
    """Return memory that this process shares with the next one that it forks; None where it forks none."""
    return mmap.mmap(-1, _SIZE) if sys.platform == "linux" else None


def send_reply(pipe: "Connection", reply: Reply, memory: SharedMemory | None) -> None:
    """Send a reply. The caller's process reads it before it sends more work, so the next reply may replace it."""
    buffers: list[pickle.PickleBuffer] = []
    data = pickle.dumps(reply, protocol=5, buffer_callback=buffers.append)
    parts = [buffer.raw() for buffer in buffers]
    if memory is None or sum(map(len, parts)) > _SIZE:
        data, parts = pickle.dumps(reply, protocol=5), []
    start = 0
    for part in parts:
        memory[start : start + len(part)] = part  # type: ignore[index]  # without memory there are no parts
        start += len(part)
    pipe.send((data, [len(part) for part in parts]))


def receive_reply(pipe: "Connection", memory: SharedMemory | None) -> Reply:
    """Wait for a reply. Raises EOFError or OSError if the worker has died."""
    data, lengths = pipe.recv()
    parts, start = list[Any](), 0
    for length in lengths:
        parts.append(memory[start : start + length] if memory is not None else b"")
        start += length
    reply: Reply = pickle.loads(data, buffers=parts)  # noqa: S301  it comes from a process that this one started
    return reply
