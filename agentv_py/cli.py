"""argv → one pipeline → exit code."""

import gc
import os
import signal
import sys
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from agentv_py import __version__
from agentv_py.commands import strategies
from agentv_py.commands.diff import diff
from agentv_py.commands.init import init
from agentv_py.commands.report import report
from agentv_py.commands.run import NO_PLUGINS, run
from agentv_py.commands.schema import schema
from agentv_py.commands.trend import trend
from agentv_py.commands.validate import validate

if TYPE_CHECKING:
    from typing import TextIO

app = typer.Typer(
    name="evalctl",
    help="Score structured answers of AI systems against ground truth.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for command in (run, validate, report, diff, trend, schema, init):
    app.command()(command)
below = typer.Typer(help="Strategies of json_quality.", no_args_is_help=True, rich_markup_mode=None)
below.command()(strategies.infer)
app.add_typer(below, name="strategies")


def main() -> NoReturn:
    # A parent that ignores its children leaves that to us, and then nobody could tell how a judge ended.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.environ.setdefault(NO_PLUGINS, "__all__")  # looking for pydantic's plugins takes longer than any suite's models
    gc.disable()  # everything that is loaded from here to the first case stays
    sys.stdout, sys.stderr = _ready(sys.stdout), _ready(sys.stderr)
    if sys.argv[1:] == ["--version"]:  # typer loads pydantic to read even this
        _show_version()
        sys.exit(0)
    app()
    sys.exit(0)


def program() -> NoReturn:
    """`main`, and gone at once: to take the interpreter apart takes longer than to run most suites."""
    try:
        main()
    except SystemExit as end:
        if not isinstance(end.code, int):
            raise
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(end.code)


def _ready(stream: "TextIO | None") -> "TextIO":
    """A stream that takes every character; a closed one is no reason not to run."""
    if stream is None:
        return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123  it stays open as long as we run
    stream.reconfigure(errors="backslashreplace")  # type: ignore[attr-defined]
    return stream


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False,
) -> None:
    if version:
        _show_version()
        raise typer.Exit
    if context.invoked_subcommand is None:
        context.fail("Missing command.")


def _show_version() -> None:
    typer.echo(f"evalctl {__version__}")
