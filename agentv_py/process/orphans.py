"""Processes that a child leaves behind, also outside its group → killed."""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from agentv_py.process.c_library import set_process_option

MARK = "EVALCTL_CHILD"
"""A variable in the environment of everything that evalctl starts. Descendants inherit it, unless they clear it."""

MARK_VALUE = f"{os.getpid()}-{os.urandom(8).hex()}"
"""Tells what this process and its forks start from what the judge of another run starts, be it this process itself."""

_THREADS = "/proc/self/task"
_SET_PARENT_DEATH_SIGNAL = 1
_SET_CHILD_SUBREAPER = 36
# A process may start others faster than they can be killed. That must not stop the run.
_MOST_SECONDS = 5.0

STARTING = threading.RLock()
"""Held from the start of a process until its session is known, so that no thread takes it for an orphan."""

_older_children: set[int] | None = None


def adopt() -> None:
    """On Linux: make daemons whose parent ends children of this process, so that it can find them."""
    _adopt(os.getpid())


@lru_cache(maxsize=1)
def _adopt(_process: int) -> None:
    # A fork inherits the cache but not the kernel's setting, so the process is the key.
    set_process_option(_SET_CHILD_SUBREAPER, 1)


def claim_children() -> None:
    """Declare that this process is evalctl's alone: every later child in another session then belongs to a judge.

    In the process of a caller of the Python API, only a child with the mark or in a judge's session is a judge's.
    """
    global _older_children  # noqa: PLW0603  a fact about this process
    _older_children = _list_children()


def end_with_parent(parent: int) -> None:
    """On Linux: send this process SIGTERM when its parent dies, also when SIGKILL ends the parent."""
    set_process_option(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
    if os.getppid() != parent:  # it died before
        sys.exit(0)


def kill_orphans(get_sessions: Callable[[], set[int]], ended: int | None = None) -> None:
    """Kill children of this process that programs left behind, until there are no more.

    Programs that still run keep what is in their sessions; `ended` is the session of a program that has ended. The
    children of a killed process become children of this one, so it looks again after each round.
    """
    with STARTING:
        _kill_orphans(get_sessions(), ended)


def _kill_orphans(sessions: set[int], ended: int | None) -> None:
    deadline = time.monotonic() + _MOST_SECONDS
    immune = set[int]()
    while pids := [pid for pid in _list_children() - immune if _is_orphan(pid, sessions, ended)]:
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:  # it runs as another user
                immune.add(pid)
                continue
            with suppress(OSError):
                os.waitpid(pid, 0)
        if time.monotonic() > deadline:
            return


def _is_orphan(pid: int, sessions: set[int], ended: int | None) -> bool:
    try:
        session = os.getsid(pid)
        # A judge has a session of its own, and nothing that it starts can come back into ours.
        if session == os.getsid(0) or session in sessions:
            return False
        if _older_children is not None:
            return pid not in _older_children
        return session == ended or f"{MARK}={MARK_VALUE}".encode() in Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False


def _list_children() -> set[int]:
    """Return the children that any thread of this process started or adopted; empty if the kernel has no such list."""
    pids = set[int]()
    with suppress(OSError):
        for thread in os.listdir(_THREADS):  # noqa: PTH208  after each process; pathlib takes several times as long
            with suppress(OSError), open(f"{_THREADS}/{thread}/children", "rb", 0) as file:  # noqa: PTH123  as above
                pids.update(map(int, file.read().split()))
    return pids
