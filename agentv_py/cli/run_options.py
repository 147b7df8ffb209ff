"""Options of `evalctl run`: files of answers, of reports and of earlier results."""

from typing import Annotated

import typer

PredictionFiles = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[NAME=]FILE",
        help="Score the recorded answers of FILE instead of those that the suite names. You may repeat it: every "
        "FILE is a target, named by NAME or by the file's stem.",
    ),
]
RecordFile = Annotated[
    str | None,
    typer.Option(
        metavar="FILE",
        help="Write the answers of the target to FILE, as predictions. With several targets, write {target} into "
        "the name.",
    ),
]
ReportFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--report",
        metavar="FILE",
        help="Write a further report to FILE, in the format of its suffix: .json, .md, .csv, .xml, .html or "
        ".txt. You may repeat it: every FILE is written.",
    ),
]
Against = Annotated[
    str | None,
    typer.Option(
        metavar="RESULTS",
        help="Show what changed since these results. The word baseline means evals/baselines/SUITE.jsonl.",
    ),
]
DiffFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--diff",
        metavar="FILE",
        help="Write what changed to FILE, in the format of its suffix. You may repeat it: every FILE is written.",
    ),
]
Label = Annotated[
    str, typer.Option(metavar="TEXT", help="Call the run TEXT in rows and reports, with the commit from git.")
]
