"""What a command says, and how it ends."""

import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TextIO, cast

from agentv_py.errors import UserError, printable, without_commands
from agentv_py.formats import Format, render

if TYPE_CHECKING:
    from agentv_py.report import Report
    from agentv_py.results.read import Source

INTERRUPTED = 130


class ReaderGone(UserError):  # noqa: N818  it is what happened, as in "the reader is gone"
    """Nobody reads stdout any more, as in `evalctl run ... | head`: no reason to say anything."""

    exit_code = 141  # what a shell shows for a program ended by SIGPIPE


class _Stream:
    """A standard stream that handles its own failures, so that no other error is taken for one of them."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        if text != "":  # typer writes this to try a stream out, and ignores the failure
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
            _discard(self._stream)
            self.report(error)

    def report(self, failure: OSError) -> None:
        """Say nothing: nobody reads stderr, and the exit code still says what happened."""


class _Stdout(_Stream):
    def report(self, failure: OSError) -> NoReturn:
        if isinstance(failure, BrokenPipeError):
            raise ReaderGone
        raise UserError(f"standard output cannot be written: {failure.strerror}")


def guard_streams() -> None:
    sys.stdout, sys.stderr = cast(TextIO, _Stdout(_prepare(sys.stdout))), cast(TextIO, _Stream(_prepare(sys.stderr)))


def _prepare(stream: TextIO | None) -> TextIO:
    """A stream that takes every character; a closed one is no reason not to run."""
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123  it stays open as long as we run
    stream.reconfigure(errors="backslashreplace")  # type: ignore[attr-defined]
    return stream


def _discard(stream: TextIO) -> None:
    """Send to nowhere what the stream still holds: Python tries to write it once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


@contextmanager
def ending() -> Iterator[None]:
    """Run a command, which an interrupt ends as an exception: what it has opened is closed."""
    with catch_errors():
        before = signal.getsignal(signal.SIGINT)
        if before is not signal.SIG_IGN:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)


@contextmanager
def catch_errors() -> Iterator[None]:
    """Show line by line what a user can fix, and exit with its code."""
    try:
        yield
    except UserError as error:
        say(*(f"error: {problem}" for problem in error.problems))
        if error.omitted:
            say(f"error: and {error.omitted:,} more problems")
        sys.exit(error.exit_code)
    except KeyboardInterrupt as interrupt:
        say("interrupted", *getattr(interrupt, "__notes__", ()))
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # of results that go to a pipe
        _discard(sys.stdout)
        sys.exit(ReaderGone.exit_code)
    except (OSError, MemoryError, ImportError) as error:
        say(f"error: {_describe(error)}")
        sys.exit(UserError.exit_code)


def _describe(error: OSError | MemoryError | ImportError) -> str:
    """Say what the system refused."""
    if isinstance(error, MemoryError):
        return "the memory is used up; raise the limit, or start fewer processes with -j"
    if isinstance(error, ImportError):
        return f"a library cannot be loaded: {error}; is the installation whole, and is there enough memory?"
    place = "" if error.filename is None else f"{error.filename}: "
    return f"{place}the system refuses: {error.strerror or error}"


def show(pieces: Iterable[str], *, err: bool = False) -> None:
    stream = sys.stderr if err else sys.stdout
    try:
        for piece in pieces:
            stream.write(piece)
    finally:
        stream.flush()


def deliver(report: "Report", form: Format, output: str | None, inputs: "Sequence[Source]") -> None:
    """The report to a file, or to stdout; and to the job's summary."""
    from agentv_py.cli.output import for_file, summarize_job

    on_screen = output is None or output == "-"
    put(render(report, form) if on_screen else for_file(report, form), output, [source.path for source in inputs])
    summarize_job(report)


def put(pieces: Iterable[str], output: str | None, inputs: Sequence[Path]) -> None:
    from agentv_py.cli.output import write

    if output is None or output == "-":
        show(pieces)
    else:
        write(pieces, output, inputs)


def say(*lines: str, safe: bool = False, err: bool = True) -> None:
    """Write lines of users' texts; `safe` ones may steer the terminal."""
    show((f"{without_commands(line if safe else printable(line))}\n" for line in lines), err=err)
