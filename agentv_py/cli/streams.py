"""stdout and stderr → streams that handle their own failures."""

import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn, TextIO, cast

from agentv_py.errors import UserError


class ReaderGone(UserError):  # noqa: N818  the name states an event, as in "the reader is gone"
    """The reader of stdout left, as in `evalctl run ... | head`; the command ends without a message."""

    exit_code = 141  # what a shell shows for a program ended by SIGPIPE


def guard_streams() -> None:
    """Replace stdout and stderr, so that a failure to write is never mistaken for another error."""
    sys.stdout = cast(TextIO, _GuardedStdout(_prepare(sys.stdout)))
    sys.stderr = cast(TextIO, _GuardedStream(_prepare(sys.stderr)))


def discard(stream: TextIO) -> None:
    """Discard the text in the stream's buffer; otherwise Python tries to write it again when it exits."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _prepare(stream: TextIO | None) -> TextIO:
    """Make a stream accept every character; replace a closed stream by one that discards its text."""
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123  it stays open as long as the program runs
    stream.reconfigure(errors="backslashreplace")  # type: ignore[attr-defined]
    return stream


class _GuardedStream:
    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        if text != "":  # typer writes an empty text to test a stream, and ignores the failure
            self._attempt(lambda: self._stream.write(text))
        return len(text)

    def flush(self) -> None:
        self._attempt(self._stream.flush)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def _attempt(self, step: Callable[[], object]) -> None:
        try:
            step()
        except OSError as error:
            discard(self._stream)
            self.report(error)

    def report(self, failure: OSError) -> None:
        """Report nothing, because the report would go to stderr. The exit code still shows what happened."""


class _GuardedStdout(_GuardedStream):
    def report(self, failure: OSError) -> NoReturn:
        if isinstance(failure, BrokenPipeError):
            raise ReaderGone
        raise UserError(f"standard output cannot be written: {failure.strerror}")
