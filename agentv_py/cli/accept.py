"""An answer in results → the expected value of its case, written into the file of the case."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from agentv_py.cli.errors import exit_on_user_error
from agentv_py.cli.options import write_epilog
from agentv_py.cli.output import print_lines

EPILOG = write_epilog(
    {
        "evalctl accept results.jsonl --case acme": "The whole answer becomes the expected value, once you agree.",
        "evalctl accept results.jsonl --case acme --field invoice.total --yes": "Accept one value, without a question.",
        "evalctl accept results.jsonl --case acme --field vendor --reading": "Accept a second spelling of the vendor.",
    },
    {
        0: "The file is written.",
        1: "The change is shown, and nothing is written.",
        2: "The usage or a file is wrong, or the file cannot be changed or written.",
    },
)


def accept(
    results: Annotated[str, typer.Argument(metavar="RESULTS", help="The results file.", show_default=False)],
    case: Annotated[str, typer.Option(metavar="ID", help="The case whose answer is right.", show_default=False)],
    field: Annotated[
        list[str] | None,
        typer.Option(metavar="PATH", help="Accept only the value at PATH. You may repeat it: every PATH is accepted."),
    ] = None,
    reading: Annotated[
        bool,
        typer.Option("--reading", help="Keep the expected value, and accept the answer as a further reading (any_of)."),
    ] = False,
    target: Annotated[str | None, typer.Option(metavar="NAME", help="Accept the answer of the target NAME.")] = None,
    suite: Annotated[
        str | None,
        typer.Option(metavar="SUITE", help="The suite file.  [default: the suite of that name here or in evals/]"),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Write the file without a question.")] = False,
) -> None:
    """Make an answer the expected value of its case.

    The change is shown first. The file of the case keeps its form: only the values that change are written anew.
    """
    with exit_on_user_error():
        from agentv_py.cli.file_diff import draw_change, draw_lines
        from agentv_py.results.read import open_sources
        from agentv_py.run.accept import AcceptRequest, accept_answer
        from agentv_py.suite.edit.save import save_edit

        with open_sources([results]) as [source]:
            request = AcceptRequest(case, field or (), target, reading, suite)
            edit, changes = accept_answer(source, request)
        print_lines(*map(draw_change, changes), "", *draw_lines(edit), err=False)
        if not yes and not _ask(edit.shown):
            print_lines("nothing is written; --yes writes it")
            raise typer.Exit(1)
        save_edit(edit)
        print_lines(f"written: {edit.shown}")


def _ask(file: str) -> bool:
    return sys.stdin.isatty() and typer.confirm(f"Write {Path(file)}?", err=True)
