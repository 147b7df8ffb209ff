"""Nothing → the JSON Schema of the suite file."""

import typer

from agentv_py.commands.ending import ending


def schema() -> None:
    """Print the JSON Schema of the suite file, for editors."""
    with ending():
        import json

        from agentv_py.suite.schema import suite_schema

        typer.echo(json.dumps(suite_schema(), indent=2))
