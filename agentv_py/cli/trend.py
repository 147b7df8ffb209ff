"""Many results files → how scores went over time."""

from typing import Annotated, Literal

import typer

from agentv_py.cli.errors import ending
from agentv_py.cli.options import OutputFile, ReportFormat, ResultsFiles, write_epilog
from agentv_py.cli.output import deliver, say

EPILOG = write_epilog(
    {
        "evalctl trend .evalctl/results/*.jsonl": "Follow every run so far.",
        "evalctl trend results/*.jsonl --fail-on degrading": "Exit 1 if a suite gets worse from run to run.",
    },
    {
        0: "The trend is written, and no gate struck.",
        1: "A suite's scores or pass rates are falling, and --fail-on degrading was given.",
        2: "The usage or a results file is wrong, or the trend cannot be written.",
    },
)


def trend(
    results: ResultsFiles,
    form: ReportFormat = "console",
    output: OutputFile = None,
    fail_on: Annotated[
        Literal["degrading"] | None, typer.Option(help="Exit 1 if a suite's scores or pass rates are falling.")
    ] = None,
) -> None:
    """Follow scores and pass rates over many runs, the oldest first."""
    with ending():
        from agentv_py.report.trend import follow
        from agentv_py.results.read import rereadable

        with rereadable(results) as sources:
            found = follow(sources)
            say(*(f"warning: {problem}" for problem in found.left_out))
            deliver(found, form, output, sources)
        struck = [series.suite for series in found.series if series.degrading] if fail_on else []
        say(*(f"gate struck: degrading: {suite}" for suite in struck))
        raise typer.Exit(int(bool(struck)))
