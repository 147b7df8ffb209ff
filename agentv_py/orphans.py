"""What a child leaves behind, even outside its group → ended."""

import os
import signal
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

MARK = "EVALCTL_CHILD"
"""In the environment of everything that evalctl starts, and so of everything that those start."""

_SET_CHILD_SUBREAPER = 36


@lru_cache(maxsize=1)
def adopt() -> None:
    """On Linux: a daemon whose parent ends becomes this process's child, and can be found."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end(staying: set[int]) -> None:
    """Kill every child of this process that bears the mark and is not meant to stay."""
    for pid in _children() - staying:
        with suppress(OSError):
            environment = Path(f"/proc/{pid}/environ").read_bytes()
            if f"{MARK}=".encode() in environment:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            elif not environment:  # it has ended, and waits to be asked how
                os.waitpid(pid, os.WNOHANG)


def _children() -> set[int]:
    me = os.getpid()
    try:
        return set(map(int, Path(f"/proc/{me}/task/{me}/children").read_text(encoding="ascii").split()))
    except OSError:  # not Linux, or a kernel without that file
        return set()
