"""Nothing → the JSON Schema of the suite file."""

from agentv_py.cli.errors import ending
from agentv_py.cli.options import write_epilog
from agentv_py.cli.output import show

EPILOG = write_epilog(
    {"evalctl schema > suite.schema.json": "Write the schema to a file that your editor can read."},
    {0: "The schema is printed.", 2: "The usage is wrong, or the schema cannot be written."},
)


def schema() -> None:
    """Print the JSON Schema of the suite file.

    Editors use it to check a suite and to complete its keys while you write.
    """
    with ending():
        import json

        from agentv_py.suite.schema import suite_schema

        show([json.dumps(suite_schema(), indent=2), "\n"])
