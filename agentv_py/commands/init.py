"""A folder → a small suite in it."""

from typing import Annotated

import typer

from agentv_py.commands.ending import ending, say


def init(folder: Annotated[str, typer.Argument(metavar="DIR", help="Where; a new folder is made.")] = ".") -> None:
    """Write a small suite that runs."""
    with ending():
        from agentv_py.suite.starter import write_starter

        suite = write_starter(folder)
        say(f"wrote {suite} and its dataset", f"now: evalctl run {suite}", err=False)
