"""What a command says, and how it ends."""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from agentv_py.errors import UserError, printable
from agentv_py.formats import Format, render

if TYPE_CHECKING:
    from agentv_py.report.kinds import Report
    from agentv_py.results import Source

INTERRUPTED = 130
READER_LEFT = 141  # what a shell shows for a program ended by SIGPIPE


@contextmanager
def ending() -> Iterator[None]:
    """What a user can fix is shown line by line, and ends the command with its exit code."""
    try:
        yield
        sys.stdout.flush()
    except UserError as error:
        say(*(f"error: {problem}" for problem in error.problems))
        if error.omitted:
            say(f"error: and {error.omitted:,} more problems")
        raise typer.Exit(error.exit_code) from None
    except KeyboardInterrupt as interrupt:
        say("interrupted", *getattr(interrupt, "__notes__", ()))
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:  # as in `evalctl run ... | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(READER_LEFT) from None
    except OSError as error:
        say(f"error: standard output cannot be written: {error.strerror}")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(UserError.exit_code) from None


def show(pieces: Iterable[str], *, err: bool = False) -> None:
    for piece in pieces:
        typer.echo(piece, nl=False, err=err, color=True)  # what renders it has decided about colour


def deliver(report: "Report", form: Format, output: str | None, inputs: "Sequence[Source]") -> None:
    """The report to a file, or to stdout; and to the job's summary."""
    from agentv_py.delivery import for_file, summarize_job

    on_screen = output is None or output == "-"
    put(render(report, form) if on_screen else for_file(report, form), output, [source.path for source in inputs])
    summarize_job(report)


def put(pieces: Iterable[str], output: str | None, inputs: Sequence[Path]) -> None:
    from agentv_py.delivery import write

    if output is None or output == "-":
        show(pieces)
    else:
        write(pieces, output, inputs)


def say(*lines: str, safe: bool = False) -> None:
    for line in lines:
        typer.echo(line if safe else printable(line), err=True, color=True)
