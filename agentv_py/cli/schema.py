"""Nothing → the JSON Schema of the suite file."""

from agentv_py.cli.errors import exit_on_user_error
from agentv_py.cli.options import write_epilog
from agentv_py.cli.output import print_text

EPILOG = write_epilog(
    {"evalctl schema > suite.schema.json": "Write the schema to a file that your editor can read."},
    {0: "The schema is printed.", 2: "The usage is wrong, or the schema cannot be written."},
)


def schema() -> None:
    """Print the JSON Schema of the suite file.

    Editors use it to check a suite and to complete its keys while you write.
    """
    with exit_on_user_error():
        import json

        from agentv_py.suite.schema import build_json_schema

        print_text([json.dumps(build_json_schema(), indent=2), "\n"])
