"""Many results files → how scores change over time."""

from typing import Annotated, Literal

import typer

from agentv_py.cli.errors import exit_on_user_error
from agentv_py.cli.options import MinCases, NoSummary, OutputFile, ReportFormat, ResultsFiles, SliceKeys, write_epilog
from agentv_py.cli.output import choose_format, print_lines, write_report

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
    format_name: ReportFormat = None,
    output: OutputFile = None,
    no_summary: NoSummary = False,
    fail_on: Annotated[
        Literal["degrading"] | None, typer.Option(help="Exit 1 if a suite's scores or pass rates are falling.")
    ] = None,
    slice_keys: SliceKeys = None,
    min_cases: MinCases = None,
) -> None:
    """Show the scores and pass rates of many runs, the oldest first."""
    with exit_on_user_error():
        from agentv_py.report.trend import compute_trend
        from agentv_py.results.read import open_sources
        from agentv_py.suite.slice_key import SliceChoice

        slices = SliceChoice(slice_keys or (), min_cases).list_keys()
        chosen = choose_format(format_name, output)
        with open_sources(results) as sources:
            trends = compute_trend(sources, slices)
            print_lines(*(f"warning: {problem}" for problem in trends.left_out))
            write_report(trends, chosen, output, sources, no_summary=no_summary)
        degrading = [series.suite for series in trends.series if series.is_degrading] if fail_on else []
        print_lines(*(f"gate violated: degrading: {suite}" for suite in degrading))
        raise typer.Exit(int(bool(degrading)))
