"""Suites → how each field is compared, and why; or rows of results → the story of a case."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from agentv_py.cli.errors import exit_on_user_error
from agentv_py.cli.options import OutputFile, write_epilog
from agentv_py.cli.output import print_warnings, write_text
from agentv_py.errors import UserError, did_you_mean
from agentv_py.formats import ExplanationFormat, render

if TYPE_CHECKING:
    from agentv_py.report.explanation.model import SuiteExplanation

EPILOG = write_epilog(
    {
        "evalctl explain suite.yaml": "Show how each field is compared, and why.",
        "evalctl explain suite.yaml --evaluator header --format json": "Show one evaluator, for a program.",
    },
    {
        0: "The explanation is written.",
        2: "The usage, a suite or a results file is wrong, or no row is of the case.",
    },
)


def explain(
    files: Annotated[
        list[str], typer.Argument(metavar="SUITE...", help="The suite files, one or more.", show_default=False)
    ],
    evaluator: Annotated[str | None, typer.Option(metavar="NAME", help="Explain only the evaluator NAME.")] = None,
    format_name: Annotated[ExplanationFormat, typer.Option("--format", help="Choose the format.")] = "console",
    output: OutputFile = None,
) -> None:
    """Explain how a suite compares each field.

    The command runs nothing: no target, no judge and no model.
    """
    with exit_on_user_error():
        explanation, inputs = _explain_suites(files, evaluator)
        write_text(render(explanation, format_name), output, inputs)


def _explain_suites(files: list[str], evaluator: str | None) -> "tuple[SuiteExplanation, list[Path]]":
    from agentv_py.report.explanation.model import SuiteExplanation
    from agentv_py.report.explanation.suite import explain_suite
    from agentv_py.run.plans import load_plans
    from agentv_py.suite.selection import Selection

    plans = load_plans(files, Selection())
    print_warnings(plans, quiet=False)
    explanation = SuiteExplanation([explain_suite(plan) for plan in plans])
    if evaluator is not None:
        names = explanation.list_evaluators()
        if evaluator not in names:
            raise UserError(f"no suite has an evaluator named {evaluator!r}{did_you_mean(evaluator, names)}")
        explanation = explanation.select_evaluator(evaluator)
    return explanation, [path for plan in plans for path in plan.list_inputs()]
