"""argv → a command → exit code."""

import gc
import os
import signal
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:  # `program` imports everything else, so that Ctrl-C during an import ends without a traceback
    import typer

# Python searches for garbage after every 700 new objects. A start makes many, and all of them stay.
_OBJECTS_BEFORE_SEARCH = 100_000
COMMANDS = {
    "run": "Run suites, write their results and show a summary.",
    "validate": "Check suites, their datasets and predictions.",
    "report": "Summarize results files.",
    "diff": "Show what changed between two results files.",
    "trend": "Show the scores and pass rates of many runs, the oldest first.",
    "score": "Compare one answer with the expected value, without a suite.",
    "explain": "Explain how fields are compared, or what happened to a case.",
    "merge": "Join the results files of the shards of a run.",
    "accept": "Make an answer the expected value of its case.",
    "convert": "Write a suite of another tool in evalctl's own spelling.",
    "guide": "Print a page from which a coding agent can write a suite.",
    "schema": "Print the JSON Schema of the suite file.",
    "init": "Write a suite that runs.",
    "baseline": "Keep results that later runs are compared with.",
    "strategies": "Detect strategies for json_quality.",
}
"""Each command, with the first sentence of its help: so `evalctl --help` loads no command."""
_GROUPS = {"baseline": "set_", "strategies": "infer"}
"""Commands of two words: the function of the second."""
_READERS = ("report", "diff", "trend")
"""Commands that only read results: they run no code of the user."""


class Interruption(BaseException):
    """Ctrl-C before a command begins; typer would end a KeyboardInterrupt without a message."""


def program() -> NoReturn:
    """Run the command line as a process of its own. Ctrl-C ends it with one line, even while it starts."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a parent process may have chosen to ignore it
        signal.signal(signal.SIGINT, _interrupt)
    sys.unraisablehook = _interrupt_again
    gc.set_threshold(_OBJECTS_BEFORE_SEARCH)
    try:
        main()
    except Interruption:
        from agentv_py.cli.errors import INTERRUPTED
        from agentv_py.cli.output import print_lines

        print_lines("interrupted")
        sys.exit(INTERRUPTED)
    finally:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # nothing is left to interrupt
        gc.freeze()  # Python would search all modules for garbage before it ends: a seventh of a small run


def main() -> NoReturn:
    """Run the command that argv names, and exit. `program` handles signals around it."""
    from agentv_py.cli.errors import catch_errors
    from agentv_py.cli.pydantic_plugins import leave_out_plugins
    from agentv_py.cli.streams import guard_streams

    # A parent that ignores its children passes this setting on; the kernel would then discard a judge's exit code.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    leave_out_plugins()
    if sys.argv[1:2] and sys.argv[1] in _READERS:  # numpy's matrices are small there: threads cost more than they save
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    guard_streams()
    with catch_errors():
        if sys.argv[1:] == ["--version"]:  # typer loads pydantic to read even this
            _print_version()
        else:
            _build_app_for(sys.argv[1:])(_add_defaults(sys.argv[1:]), prog_name="evalctl")
    sys.exit(0)


def _interrupt(*_: object) -> NoReturn:
    raise Interruption


def _interrupt_again(unraisable: "sys.UnraisableHookArgs") -> None:
    """Repeat an interrupt that comes while Python deletes an object; Python would print it and continue."""
    import _thread
    import time

    def interrupt() -> None:
        time.sleep(0.001)
        _thread.interrupt_main()

    if issubclass(unraisable.exc_type, KeyboardInterrupt | Interruption):
        _thread.start_new_thread(interrupt, ())
    else:
        sys.__unraisablehook__(unraisable)


def _build_app_for(arguments: Sequence[str]) -> "typer.Typer":
    """Build the command that the arguments name; all commands if they begin with none."""
    if arguments in (["--help"], ["-h"]):
        return build_overview()
    return build_app(arguments[:1] if arguments and arguments[0] in COMMANDS else tuple(COMMANDS))


def _add_defaults(arguments: Sequence[str]) -> list[str]:
    """Return the arguments with the defaults of pyproject.toml. Raises UserError."""
    from agentv_py.cli.defaults import add_defaults, find_table, list_flags

    file, table = find_table() if arguments and arguments[0] in COMMANDS else ("", {})
    if not table:
        return list(arguments)
    from typer.main import get_command

    commands: dict[str, Any] = getattr(get_command(build_app()), "commands", {})
    return add_defaults(arguments, file, table, {name: list_flags(command) for name, command in commands.items()})


def build_app(commands: Sequence[str] = tuple(COMMANDS)) -> "typer.Typer":
    from importlib import import_module

    import typer

    from agentv_py.cli.group import Subgroup
    from agentv_py.cli.plain_values import Command

    app = _build_empty_app()
    for name in commands:
        module = import_module(f"agentv_py.cli.{name}")
        if name in _GROUPS:
            group = typer.Typer(
                cls=Subgroup, help=COMMANDS[name], epilog=module.EPILOG, no_args_is_help=True, rich_markup_mode=None
            )
            function = _GROUPS[name]
            group.command(function.rstrip("_"), cls=Command, epilog=module.EPILOG)(getattr(module, function))
            app.add_typer(group, name=name)
        else:
            app.command(cls=Command, epilog=module.EPILOG)(getattr(module, name))
    return app


def build_overview() -> "typer.Typer":
    """Build an app that shows all commands and runs none: typer would read the options of each."""
    app = _build_empty_app()
    for name, sentence in COMMANDS.items():
        app.command(name, help=sentence)(lambda: None)
    return app


def _build_empty_app() -> "typer.Typer":
    import typer

    from agentv_py.cli.group import Group

    app = typer.Typer(
        cls=Group,
        help="Score structured answers of AI systems against ground truth.",
        epilog=_write_epilog(),
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
    )

    @app.callback(invoke_without_command=True)
    def root(
        context: typer.Context,
        version: bool = typer.Option(False, "--version", help="Show the version and exit."),
    ) -> None:
        if version:
            _print_version()
            raise typer.Exit
        if context.invoked_subcommand is None:
            context.fail("Missing command.")

    return app


def _write_epilog() -> str:
    from agentv_py.cli.options import write_epilog

    return write_epilog(
        {
            "evalctl init evals": "Write a small suite.",
            "evalctl run evals/suite.yaml -o results.jsonl": "Run it.",
            "evalctl diff baseline.jsonl results.jsonl": "Compare the results with those of another run.",
            "evalctl run --help": "Read more about one command.",
        },
        {
            0: "All is well.",
            1: "A case did not pass, or a gate was missed.",
            2: "The usage or a file is wrong, or something could not be read or written.",
            3: "The run finished, but a case erred.",
            5: "No case was selected.",
        },
    )


def _print_version() -> None:
    from agentv_py import __version__
    from agentv_py.cli.output import print_text

    print_text([f"evalctl {__version__}\n"])
