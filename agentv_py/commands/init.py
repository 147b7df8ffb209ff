"""A folder → a small suite in it."""

from typing import Annotated

import typer

from agentv_py.commands.ending import ending, show


def init(folder: Annotated[str, typer.Argument(metavar="DIR", help="Where; a new folder is made.")] = ".") -> None:
    """Write a small suite that runs."""
    with ending():
        from agentv_py.suite.starter import write_starter

        suite = write_starter(folder)
        show([f"wrote {suite} and its dataset\nnow: evalctl run {suite}\n"])
