"""What functions of the user print → stderr, because stdout may hold the rows of the results."""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TextIO

_is_users: ContextVar[bool] = ContextVar("is_users", default=False)
"""True inside a function of the user, and in the thread that runs it. Other threads print as ever."""

_lock = threading.Lock()


class _Divider:
    """A stdout that is stderr for functions of the user."""

    def __init__(self, stdout: TextIO) -> None:
        self.stdout = stdout
        self.uses = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stderr if _is_users.get() else self.stdout, name)


@contextmanager
def print_to_stderr() -> Iterator[None]:
    """Send what is printed in this context, and in threads that run in a copy of it, to stderr."""
    divider = _install()
    token = _is_users.set(True)
    try:
        yield
    finally:
        _is_users.reset(token)
        _uninstall(divider)


def _install() -> _Divider:
    """Put the divider in front of stdout, unless it is there already."""
    with _lock:
        current: Any = sys.stdout
        divider = current if isinstance(current, _Divider) else _Divider(current)
        sys.stdout = divider
        divider.uses += 1
        return divider


def _uninstall(divider: _Divider) -> None:
    """Take the divider away after its last use, unless something else has replaced it."""
    with _lock:
        divider.uses -= 1
        if not divider.uses and sys.stdout is divider:
            sys.stdout = divider.stdout
