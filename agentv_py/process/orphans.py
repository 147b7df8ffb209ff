"""What a child leaves behind, even outside its group → ended."""

import os
import signal
import sys
import time
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

MARK = "EVALCTL_CHILD"
"""In the environment of everything that evalctl starts, and so of everything that those start, unless they clear it."""

_SET_PARENT_DEATH_SIGNAL = 1
_SET_CHILD_SUBREAPER = 36
# Who starts processes faster than they can be killed does not stop the run.
_LONGEST = 5.0

_older: set[int] | None = None


def adopt() -> None:
    """On Linux: a daemon whose parent ends becomes this process's child, and can be found."""
    _adopt(os.getpid())


@lru_cache(maxsize=1)
def _adopt(_process: int) -> None:
    # A fork inherits the cache but not what the kernel was told, so the process is the key.
    _tell_kernel(_SET_CHILD_SUBREAPER, 1)


def own_process() -> None:
    """Say that this process is evalctl's alone: then no child in another session than ours is anybody else's.

    In the process of a caller of the Python API only what bears the mark or a judge's session is known to be ours.
    """
    global _older  # noqa: PLW0603  a fact about this process
    _older = _children()


def follow_parent(parent: int) -> None:
    """On Linux: let this process be asked to end when its parent dies, also by SIGKILL."""
    _tell_kernel(_SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)
    if os.getppid() != parent:  # it died before
        sys.exit(0)


def end(staying: set[int], session: int | None = None) -> None:
    """Kill what judges left behind: children of this process that are not `staying`, until there are no more.

    A child's own children come to this process when it dies, so one look is not enough.
    """
    deadline = time.monotonic() + _LONGEST
    immune = set(staying)
    while leftovers := [pid for pid in _children() - immune if _is_leftover(pid, session)]:
        for pid in leftovers:
            try:
                os.kill(pid, signal.SIGKILL)
            except OSError:  # it runs as another user
                immune.add(pid)
                continue
            with suppress(OSError):
                os.waitpid(pid, 0)
        if time.monotonic() > deadline:
            return


def _is_leftover(pid: int, session: int | None) -> bool:
    try:
        its_session = os.getsid(pid)
        # A judge has a session of its own, and nothing that it starts can come back into ours.
        if its_session == os.getsid(0):
            return False
        if _older is not None:
            return pid not in _older
        return its_session == session or f"{MARK}=".encode() in Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return False


def _children() -> set[int]:
    """The children that any thread of this process started or adopted; none where the kernel does not list them."""
    found = set[int]()
    for listed in Path("/proc/self/task").glob("*/children"):
        with suppress(OSError):
            found.update(map(int, listed.read_text(encoding="ascii").split()))
    return found


def _tell_kernel(option: int, value: int) -> None:
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)
