"""Two results files → what changed between them."""

from typing import Annotated

import typer

from agentv_py.commands.ending import deliver, ending, say
from agentv_py.commands.options import OutputFile, ReportFormat


def diff(
    baseline: Annotated[str, typer.Argument(metavar="BASELINE", help="Results to compare with.", show_default=False)],
    candidate: Annotated[str, typer.Argument(metavar="CANDIDATE", help="Results to compare.", show_default=False)],
    form: ReportFormat = "console",
    output: OutputFile = None,
    fail_on: Annotated[
        list[str] | None, typer.Option(metavar="GATE", help="Exit 1 on this; a word that is none lists them.")
    ] = None,
    cluster: Annotated[
        str | None, typer.Option(metavar="KEY", help="Cases with the same value of this metadata key go together.")
    ] = None,
    threshold: Annotated[
        float, typer.Option(min=0, max=1, metavar="D", help="The least change of a case's score that counts as one.")
    ] = 0.0,
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="Of the bootstrap.")] = 0,
) -> None:
    """Show what changed between two results files. Says whether it is more than noise."""
    with ending():
        from agentv_py.report.sentence import uncompared
        from agentv_py.report.strikes import parse_gates, strikes
        from agentv_py.report.weigh import compare
        from agentv_py.results import rereadable

        gates = parse_gates(fail_on or ())
        with rereadable([baseline, candidate]) as (old, new):
            found = compare(old, new, cluster=cluster, threshold=threshold, seed=seed)
            on_screen = form == "console" and output is None  # where the report itself says it
            say(*(f"warning: {what}" for what in (*found.torn, *(() if on_screen else uncompared(found)))))
            struck = list(strikes(found, gates))
            deliver(found, form, output, [old, new])
        say(*(f"gate struck: {what}" for what in struck))
        raise typer.Exit(int(bool(struck)))
