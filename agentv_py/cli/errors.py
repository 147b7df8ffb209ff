"""Exceptions → messages on stderr and an exit code."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from agentv_py.cli.output import print_lines
from agentv_py.cli.streams import ReaderGone, discard
from agentv_py.errors import UserError

INTERRUPTED = 130


@contextmanager
def exit_on_user_error() -> Iterator[None]:
    """Run a command. Ctrl-C raises KeyboardInterrupt in it, so that it closes the files that it has opened."""
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
    """Print each problem that a user can fix on a line of its own, and exit with the error's code."""
    try:
        yield
    except UserError as error:
        print_lines(*(f"error: {problem}" for problem in error.problems))
        if error.omitted:
            print_lines(f"error: and {error.omitted:,} more problems")
        sys.exit(error.exit_code)
    except KeyboardInterrupt as interrupt:
        print_lines("interrupted", *getattr(interrupt, "__notes__", ()))
        sys.exit(INTERRUPTED)
    except BrokenPipeError:  # of results that go to a pipe
        discard(sys.stdout)
        sys.exit(ReaderGone.exit_code)
    except (OSError, MemoryError, ImportError) as error:
        print_lines(f"error: {_describe(error)}")
        sys.exit(UserError.exit_code)
    except Exception as error:
        if not _is_interrupt(error):
            raise
        print_lines("interrupted")
        sys.exit(INTERRUPTED)


def _is_interrupt(error: Exception) -> bool:
    """Tell whether Ctrl-C came while pydantic built a model: pydantic makes an error of its own of it."""
    return type(error).__name__ == "SchemaError" and ("KeyboardInterrupt" in str(error) or "Interruption" in str(error))


def _describe(error: OSError | MemoryError | ImportError) -> str:
    if isinstance(error, MemoryError):
        return "the memory is used up; raise the limit, or start fewer processes with -j"
    if isinstance(error, ImportError):
        return f"a library cannot be loaded: {error}; is the installation whole, and is there enough memory?"
    place = "" if error.filename is None else f"{error.filename}: "
    return f"{place}the system refuses: {error.strerror or error}"
