"""Nothing → the JSON Schema of the suite file."""

from agentv_py.commands.ending import ending, show


def schema() -> None:
    """Print the JSON Schema of the suite file, for editors."""
    with ending():
        import json

        from agentv_py.suite.schema import suite_schema

        show([json.dumps(suite_schema(), indent=2), "\n"])
