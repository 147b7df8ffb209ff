"""Results files → what they add up to."""

from functools import partial
from typing import Annotated

import typer

from agentv_py.commands.ending import deliver, ending, say
from agentv_py.commands.options import OutputFile, ReportFormat, ResultsFiles
from agentv_py.errors import Problem, UserError


def report(
    results: ResultsFiles,
    form: ReportFormat = "console",
    output: OutputFile = None,
    evaluator: Annotated[str | None, typer.Option(metavar="NAME", help="Only this evaluator.")] = None,
) -> None:
    """Add up results files. Shows scores, pass rates, and precision, recall and F1 per attribute."""
    with ending():
        from agentv_py.report.summary import Summary
        from agentv_py.results import read, rereadable, rows

        with rereadable(results) as sources:
            summary = Summary(full=True, rows=partial(rows, sources, evaluator))
            for source in sources:
                for row in read(source):
                    if isinstance(row, Problem):
                        say(f"warning: {row}")
                    else:
                        summary.add(row, evaluator)
            if evaluator is not None and evaluator not in summary.evaluators:
                raise UserError(f"no row has an evaluator named {evaluator!r}")
            deliver(summary, form, output, sources)
