"""A folder → a small suite in it."""

from typing import Annotated

import typer

from agentv_py.cli.errors import exit_on_user_error
from agentv_py.cli.options import write_epilog
from agentv_py.cli.output import print_lines

EPILOG = write_epilog(
    {"evalctl init evals": "Write evals/suite.yaml and its dataset.", "evalctl run evals/suite.yaml": "Run it."},
    {0: "The suite is written.", 2: "The usage is wrong, or the suite exists already or cannot be written."},
)


def init(
    folder: Annotated[
        str, typer.Argument(metavar="DIR", help="The folder to write to. It is created if it does not exist.")
    ] = ".",
) -> None:
    """Write a small suite that runs.

    Its dataset has three cases. One of them does not pass, so that you see what a miss looks like.
    """
    with exit_on_user_error():
        from agentv_py.suite.starter import write_starter

        suite = write_starter(folder)
        print_lines(f"wrote {suite} and its dataset", f"now: evalctl run {suite}", err=False)
