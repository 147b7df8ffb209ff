"""Arguments and options that several commands have."""

from typing import Annotated

import typer

from agentv_py.formats import Format

SuiteFiles = Annotated[list[str], typer.Argument(metavar="SUITE", help="Suite files.", show_default=False)]
ResultsFiles = Annotated[list[str], typer.Argument(metavar="RESULTS", help="Results files.", show_default=False)]
ReportFormat = Annotated[Format, typer.Option("--format", help="Of the report.")]
OutputFile = Annotated[str | None, typer.Option("-o", "--output", metavar="FILE", help="[default: stdout]")]
Quiet = Annotated[bool, typer.Option("-q", "--quiet", help="Print errors only.")]
