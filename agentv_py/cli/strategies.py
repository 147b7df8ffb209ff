"""Cases → the strategies of json_quality that fit them."""

from pathlib import Path
from typing import Annotated

import typer

from agentv_py.cli.errors import exit_on_user_error
from agentv_py.cli.options import OutputFile, write_epilog
from agentv_py.cli.output import print_lines, write_text
from agentv_py.errors import IN_JSON, UserError, escape_commands

EPILOG = write_epilog(
    {"evalctl strategies infer suite.yaml -o strategies.json": "Write the strategies that fit a suite's cases."},
    {0: "The strategies are written.", 2: "The usage or a file is wrong, or no case has an expected object."},
)


def infer(
    file: Annotated[str, typer.Argument(metavar="SUITE|DATASET", help="A suite, or a file of cases.")],
    output: OutputFile = None,
) -> None:
    """Detect the strategy of each field over all cases.

    The output is JSON. Edit it, and name the file as strategies_file in a json_quality evaluator.
    """
    with exit_on_user_error():
        from agentv_py.evaluators.json_quality.infer import infer_strategies
        from agentv_py.evaluators.json_quality.strategies import format_strategies
        from agentv_py.suite.expected_values import read_expected_values

        strategies, doubts = infer_strategies(read_expected_values(file))
        print_lines(*(f"warning: {doubt}" for doubt in doubts))
        if not strategies:
            raise UserError(f"{file}: no case has an expected object with a value in it")
        write_text([escape_commands(format_strategies(strategies), IN_JSON)], output, [Path(file)])
