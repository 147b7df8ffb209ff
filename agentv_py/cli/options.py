"""Arguments and options that several commands have."""

from collections.abc import Mapping
from textwrap import fill
from typing import Annotated

import typer

from agentv_py.formats import Format

SuiteFiles = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[SUITE]...",
        help="Suite files, or folders with suites.  "
        "[default: evalctl.yaml, suite.yaml, *.eval.yaml and evals/*.yaml, here or above]",
        show_default=False,
    ),
]
ResultsFiles = Annotated[
    list[str], typer.Argument(metavar="RESULTS", help="The results files, one or more.", show_default=False)
]
ReportFormat = Annotated[
    Format | None,
    typer.Option(
        "--format",
        help="Choose the format of the report.  [default: that of FILE's suffix, else console]",
        show_default=False,
    ),
]
OutputFile = Annotated[
    str | None,
    typer.Option("-o", "--output", metavar="FILE", help="Write to FILE; '-' is stdout.  [default: stdout]"),
]
Quiet = Annotated[
    bool,
    typer.Option("-q", "--quiet", help="Print only errors, and warnings that change what a figure means."),
]
FailOn = Annotated[
    list[str] | None,
    typer.Option(
        metavar="GATE",
        help="Exit 1 if GATE is violated: broken, significant, or a fall such as mean:-0.01, mean:-1%, "
        "pass-rate:-0.5pp or f1:ATTRIBUTE:-0.02. You may repeat it: one violated GATE is enough.",
    ),
]
NoSummary = Annotated[
    bool, typer.Option("--no-summary", help="Add nothing to the job summary of a CI run (GITHUB_STEP_SUMMARY).")
]
Strict = Annotated[bool, typer.Option("--strict", help="Treat each warning about a suite as an error.")]
SliceKeys = Annotated[
    list[str] | None,
    typer.Option(
        "--slice",
        metavar="KEY",
        help="Break the figures down by KEY: tags, or metadata.PATH. You may repeat it.",
    ),
]
MinCases = Annotated[
    int | None,
    typer.Option(
        min=1,
        metavar="N",
        help="Show no figures of a slice with fewer than N cases.  [default: 10]",
        show_default=False,
    ),
]

_WIDTH = 76  # of 80 columns, typer leaves two free and indents by two
_ALWAYS = {
    130: "You interrupted the command with Ctrl-C.",
    141: "The reader of stdout left, as in `evalctl ... | head`.",
}


def write_epilog(examples: Mapping[str, str], codes: Mapping[int, str]) -> str:
    """Write the end of a command's help: what each example does, and what each exit code means."""
    example_lines = [line for command, words in examples.items() for line in (f"  # {words}", f"  {command}")]
    code_lines = [
        fill(words, _WIDTH, initial_indent=f"  {code:<5}", subsequent_indent=" " * 7)
        for code, words in {**codes, **_ALWAYS}.items()
    ]
    return "\n".join(
        ("\b", "Examples:", *example_lines, "", "\b", "Exit codes:", *code_lines)
    )  # typer keeps the lines below a \b
