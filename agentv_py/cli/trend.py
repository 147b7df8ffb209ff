"""Many results files → how scores change over time."""

from typing import Annotated, Literal

import typer

from agentv_py.cli.errors import ending
from agentv_py.cli.options import OutputFile, ReportFormat, ResultsFiles, write_epilog
from agentv_py.cli.output import deliver, say

EPILOG = write_epilog(
    {
        "evalctl trend .evalctl/results/*.jsonl": "Show every run so far.",
        "evalctl trend results/*.jsonl --fail-on degrading": "Exit 1 if a suite gets worse from run to run.",
    },
    {
        0: "The trend is written, and no gate is violated.",
        1: "A suite's scores or pass rates are falling, and --fail-on degrading was given.",
        2: "The usage or a results file is wrong, or the trend cannot be written.",
    },
)


def trend(
    results: ResultsFiles,
    format_name: ReportFormat = "console",
    output: OutputFile = None,
    fail_on: Annotated[
        Literal["degrading"] | None, typer.Option(help="Exit 1 if a suite's scores or pass rates are falling.")
    ] = None,
) -> None:
    """Show the scores and pass rates of many runs, the oldest first."""
    with ending():
        from agentv_py.report.trend import follow
        from agentv_py.results.read import rereadable

        with rereadable(results) as sources:
            trends = follow(sources)
            say(*(f"warning: {problem}" for problem in trends.left_out))
            deliver(trends, format_name, output, sources)
        degrading = [series.suite for series in trends.series if series.degrading] if fail_on else []
        say(*(f"gate violated: degrading: {suite}" for suite in degrading))
        raise typer.Exit(int(bool(degrading)))
