"""The C library of Linux → what Python does not offer: options of a process, and memory that it keeps for later."""

import sys
from contextlib import suppress
from functools import lru_cache
from typing import Any

_TRIM_THRESHOLD, _MMAP_THRESHOLD = -1, -3
# Larger blocks go back to the system when they are freed, and so does more free memory at the end of the heap.
_LARGEST_BLOCK, _MOST_FREE = 2**23, 2**24


@lru_cache(maxsize=1)
def load_c_library() -> Any:
    """Return the C library on Linux, elsewhere None. Processes that are forked later have it, too."""
    if sys.platform != "linux":
        return None
    import ctypes

    return ctypes.CDLL(None)


def set_process_option(option: int, value: int) -> None:
    """On Linux: set an option of this process, as `prctl` does."""
    if (library := load_c_library()) is not None:
        library.prctl(option, value, 0, 0, 0)


def keep_freed_memory() -> None:
    """Let this process use freed memory again, instead of returning it to the system and asking for more.

    A worker needs some megabytes for each range. If it returned them, the system would have to clear as many pages for
    the next range.
    """
    if (library := load_c_library()) is not None:
        with suppress(AttributeError):  # only GNU's C library has this function
            library.mallopt(_MMAP_THRESHOLD, _LARGEST_BLOCK)
            library.mallopt(_TRIM_THRESHOLD, _MOST_FREE)
