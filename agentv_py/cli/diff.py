"""Two results files → what changed between them."""

from typing import Annotated

import typer

from agentv_py.cli.errors import exit_on_user_error
from agentv_py.cli.options import FailOn, MinCases, NoSummary, OutputFile, ReportFormat, SliceKeys, write_epilog
from agentv_py.cli.output import choose_format, print_lines, write_report
from agentv_py.errors import UserError

EPILOG = write_epilog(
    {
        "evalctl diff main.jsonl branch.jsonl": "Show what changed.",
        "evalctl diff main.jsonl branch.jsonl --fail-on broken --fail-on mean:-0.01": "Exit 1 if a case broke, or if "
        "the mean fell.",
        "evalctl diff results.jsonl --baseline model-a --candidate model-b": "Compare two targets of one file.",
        "evalctl diff main.jsonl branch.jsonl -o comment.md": "Write a comment for a pull request.",
    },
    {
        0: "The diff is written, and no gate is violated.",
        1: "A gate of --fail-on is violated.",
        2: "The usage or a results file is wrong, nothing can be compared, or the diff cannot be written.",
    },
)


def diff(
    baseline: Annotated[
        str, typer.Argument(metavar="BASELINE", help="The results file of the earlier run.", show_default=False)
    ],
    candidate: Annotated[
        str | None,
        typer.Argument(
            metavar="[CANDIDATE]",
            help="The results file of the new run. You may leave it out to compare two targets of one file.",
            show_default=False,
        ),
    ] = None,
    baseline_target: Annotated[
        str | None,
        typer.Option("--baseline", metavar="TARGET", help="Compare only the rows of TARGET in the first file."),
    ] = None,
    candidate_target: Annotated[
        str | None,
        typer.Option("--candidate", metavar="TARGET", help="Compare only the rows of TARGET in the second file."),
    ] = None,
    format_name: ReportFormat = None,
    output: OutputFile = None,
    no_summary: NoSummary = False,
    fail_on: FailOn = None,
    cluster: Annotated[
        str | None,
        typer.Option(metavar="KEY", help="Treat cases with the same value of the metadata KEY as one group."),
    ] = None,
    threshold: Annotated[
        float, typer.Option(min=0, max=1, metavar="D", help="Ignore changes of a case's score that are smaller than D.")
    ] = 0.0,
    seed: Annotated[int, typer.Option(min=0, metavar="S", help="Seed the random sign flips with S.")] = 0,
    slice_keys: SliceKeys = None,
    min_cases: MinCases = None,
) -> None:
    """Show what changed between two results files.

    The diff also tests whether the change is more than noise.
    """
    with exit_on_user_error():
        from agentv_py.cli.diff_display import print_diff_warnings
        from agentv_py.report.diff.compute import compute_diff
        from agentv_py.report.diff.gates import find_violations, parse_gates
        from agentv_py.report.diff.join import explain_nothing
        from agentv_py.results.read import open_sources
        from agentv_py.suite.slice_key import SliceChoice

        gates, chosen = parse_gates(fail_on or ()), choose_format(format_name, output)
        slices = SliceChoice(slice_keys or (), min_cases).list_keys()
        targets = baseline_target, candidate_target
        if candidate is None:
            _check_two_targets(*targets)
        with open_sources([baseline] if candidate is None else [baseline, candidate]) as sources:
            old, new = sources[0], sources[-1]
            changes = compute_diff(
                old, new, targets=targets, cluster=cluster, threshold=threshold, seed=seed, slices=slices
            )
            if not changes.matched:
                raise UserError(explain_nothing(changes))
            print_diff_warnings(changes, on_screen=chosen == "console" and output is None)
            violations = list(find_violations(changes, gates))
            write_report(changes, chosen, output, [old, new], no_summary=no_summary)
        print_lines(*(f"gate violated: {text}" for text in violations))
        if not changes.cases:
            raise UserError(explain_nothing(changes))
        raise typer.Exit(int(bool(violations)))


def _check_two_targets(baseline: str | None, candidate: str | None) -> None:
    """Raise a UserError if these are not two targets of one file."""
    if baseline is None or candidate is None:
        raise UserError("name a second results file, or two targets of one file with --baseline and --candidate")
    if baseline == candidate:
        raise UserError(f"both sides are the target {baseline!r} of one file; name another one, or a second file")
