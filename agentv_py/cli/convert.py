"""A suite of another tool → the same suite in our own spelling, in a new file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from agentv_py.cli.errors import exit_on_user_error
from agentv_py.cli.options import write_epilog
from agentv_py.cli.output import print_lines, print_text

if TYPE_CHECKING:
    from agentv_py.suite.convert import ConvertedSuite

EPILOG = write_epilog(
    {
        "evalctl convert promptfooconfig.yaml": "Write promptfooconfig.evalctl.yaml and the scripts that it needs.",
        "evalctl convert evals/suite.yaml -o evals/mine.yaml": "Convert a suite of AgentV.",
        "evalctl convert suite.yaml -o -": "Only show the suite.",
    },
    {
        0: "The suite is written, and it is valid.",
        2: "Something cannot be converted, or the new suite is not valid here, or a file exists already.",
    },
)


def convert(
    suite: Annotated[str, typer.Argument(metavar="SUITE", help="A suite of AgentV, or a configuration of promptfoo.")],
    origin: Annotated[
        Literal["agentv", "promptfoo"] | None,
        typer.Option("--from", help="The tool that the suite is for. Default: found by its keys."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Default: SUITE with the suffix .evalctl.yaml; - is stdout."
        ),
    ] = None,
) -> None:
    """Write a suite of another tool in evalctl's own spelling.

    Comments stay where they can. What cannot be converted is an error at its line, and then nothing is written. A
    suite of AgentV runs unchanged as well; that of promptfoo must be converted.
    """
    with exit_on_user_error():
        from agentv_py.errors import UserError
        from agentv_py.suite.convert import convert_suite

        file = output or _name_output(suite)
        converted = convert_suite(suite, origin, None if file == "-" else file)
        if file == "-":
            if converted.scripts:
                raise UserError("the suite needs scripts beside it; name a file with -o FILE")
            print_text([converted.text])
            return
        _write(file, converted)
        _check(file)


def _name_output(suite: str) -> str:
    path = Path(suite)
    return str(path.with_name(f"{path.name.partition('.')[0] or path.name}.evalctl.yaml"))


def _write(file: str, converted: "ConvertedSuite") -> None:
    from agentv_py.suite.new_files import SCHEMA_LINE, check_new_files, write_new_files

    folder, name = str(Path(file).parent), Path(file).name
    check_new_files(folder, [name, *converted.scripts], "name another file with -o")
    write_new_files(folder, {name: f"{SCHEMA_LINE}\n{converted.text}", **converted.scripts})
    count = len(converted.scripts)
    scripts = f" and {count} {'script' if count == 1 else 'scripts'} for it" if count else ""
    print_lines(f"wrote {file}{scripts}", err=False)


def _check(file: str) -> None:
    """Load the new suite, so that its problems show now. Raises InvalidSuite."""
    from agentv_py.cli.output import print_warnings
    from agentv_py.run.plans import load_plans
    from agentv_py.suite.selection import Selection

    plans = load_plans([file], Selection())
    print_warnings(plans, quiet=False)
    print_lines(f"now: evalctl run {file}", err=False)
