"""Cases → strategies of json_quality, to edit."""

from pathlib import Path
from typing import Annotated

import typer

from agentv_py.commands.ending import ending, put, say
from agentv_py.commands.options import OutputFile
from agentv_py.errors import IN_JSON, UserError, without_commands


def infer(
    file: Annotated[str, typer.Argument(metavar="SUITE|DATASET", help="A suite or a file of cases.")],
    output: OutputFile = None,
) -> None:
    """Detect the strategy of each field over all cases: JSON to edit, and to name as strategies_file."""
    with ending():
        from agentv_py.quality.strategies import infer, spelled
        from agentv_py.suite.truth import expected_values

        found, doubts = infer(expected_values(file))
        say(*(f"warning: {doubt}" for doubt in doubts))
        if not found:
            raise UserError(f"{file}: no case has an expected object with a value in it")
        put([without_commands(spelled(found), IN_JSON)], output, [Path(file)])
