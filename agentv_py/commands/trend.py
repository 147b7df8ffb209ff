"""Many results files → how scores went over time."""

from typing import Annotated, Literal

import typer

from agentv_py.commands.ending import deliver, ending, say
from agentv_py.commands.options import OutputFile, ReportFormat, ResultsFiles


def trend(
    results: ResultsFiles,
    form: ReportFormat = "console",
    output: OutputFile = None,
    fail_on: Annotated[
        Literal["degrading"] | None, typer.Option(help="Exit 1 where a suite's scores or pass rates are falling.")
    ] = None,
) -> None:
    """Follow scores and pass rates over many runs, the oldest first."""
    with ending():
        from agentv_py.report.trend import follow
        from agentv_py.results import rereadable

        with rereadable(results) as sources:
            found = follow(sources)
            say(*(f"warning: {problem}" for problem in found.left_out))
            deliver(found, form, output, sources)
        struck = [series.suite for series in found.series if series.degrading] if fail_on else []
        say(*(f"gate struck: degrading: {suite}" for suite in struck))
        raise typer.Exit(int(bool(struck)))
