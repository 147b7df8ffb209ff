"""Results → the baseline of each suite, to which later runs are compared."""

from pathlib import Path
from typing import Annotated

import typer

from agentv_py.cli.errors import exit_on_user_error
from agentv_py.cli.options import write_epilog
from agentv_py.cli.output import print_lines

EPILOG = write_epilog(
    {
        "evalctl baseline set results.jsonl": "Keep these results as the baseline of their suites.",
        "evalctl run suite.yaml --against baseline --fail-on broken": "Compare a run with the baseline.",
    },
    {
        0: "The baseline is written.",
        2: "The usage or the results file is wrong, or the baseline cannot be written.",
    },
)


def set_(
    results: Annotated[
        str, typer.Argument(metavar="RESULTS", help="The results file of a whole run.", show_default=False)
    ],
    folder: Annotated[Path, typer.Option(metavar="DIR", help="Keep the baselines in DIR.", file_okay=False)] = Path(
        "evals/baselines"
    ),
    force: Annotated[bool, typer.Option("--force", help="Keep the results of a run of some cases only.")] = False,
) -> None:
    """Keep a results file as the baseline of its suites.

    Each suite has a file of its own, DIR/SUITE.jsonl. Commit it: it changes only when you call this command.
    """
    with exit_on_user_error():
        from agentv_py.results.baseline import set_baselines
        from agentv_py.results.read import open_sources

        with open_sources([results]) as [source]:
            print_lines(*set_baselines(source, folder, force=force))
