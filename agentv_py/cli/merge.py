"""Results files of the shards of a run → one results file."""

from typing import Annotated

import typer

from agentv_py.cli.errors import exit_on_user_error
from agentv_py.cli.options import Quiet, ResultsFiles, write_epilog
from agentv_py.cli.output import print_lines
from agentv_py.errors import UserError

EPILOG = write_epilog(
    {
        "evalctl run suite.yaml --shard 1/2 -o shard-1.jsonl": "Run the first half of the cases on one machine.",
        "evalctl merge shard-1.jsonl shard-2.jsonl -o results.jsonl": "Join both halves.",
        "evalctl run suite.yaml -o results.jsonl --resume": "Check the file against the suite and its gates. Nothing "
        "runs again.",
    },
    {
        0: "The file is written.",
        2: "The usage or a results file is wrong, the files do not fit together, or the file cannot be written.",
    },
)


def merge(
    results: ResultsFiles,
    output: Annotated[
        str, typer.Option("-o", "--output", metavar="FILE", help="Write all rows to FILE; '-' is stdout.")
    ],
    force: Annotated[
        bool, typer.Option("--force", help="Merge files that do not fit together. What is wrong is a warning then.")
    ] = False,
    quiet: Quiet = False,
) -> None:
    """Join the results files of the shards of a run.

    The rows are in the order of a whole run, whatever the order of the files. A row that is there twice, a shard that
    is missing or unfinished, and rows that other options scored are errors.
    """
    with exit_on_user_error():
        from agentv_py.results.merge import Merger
        from agentv_py.results.read import open_sources
        from agentv_py.results.write import replace_results

        with open_sources(results) as sources:
            merger = Merger()
            merger.read(sources)
            print_lines(*(f"warning: {warning}" for warning in merger.warnings))
            if merger.problems and not force:
                raise UserError(*merger.problems, "nothing is written; --force merges the files as they are")
            print_lines(*(f"warning: {problem}" for problem in merger.problems))
            replace_results(output, merger.read_lines(), [source.path for source in sources])
        if not quiet:
            files = f"{len(results):,} file{'' if len(results) == 1 else 's'}"
            print_lines(f"merged {files}: {merger.rows:,} rows, in {output}")
