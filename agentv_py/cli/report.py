"""Results files → a summary of them."""

from functools import partial
from typing import Annotated

import typer

from agentv_py.cli.errors import exit_on_user_error
from agentv_py.cli.options import MinCases, NoSummary, OutputFile, ReportFormat, ResultsFiles, SliceKeys, write_epilog
from agentv_py.cli.output import choose_summary_writer, print_lines
from agentv_py.errors import Problem, UserError

EPILOG = write_epilog(
    {
        "evalctl report results.jsonl": "Summarize a run.",
        "evalctl report results.jsonl -o report.html": "Write a page with every case.",
        "evalctl report monday.jsonl tuesday.jsonl --evaluator header": "Summarize two runs, for one evaluator.",
        "evalctl report results.jsonl --by metadata.vendor": "Show the figures of each vendor.",
        "evalctl report results.jsonl --slice tags --slice metadata.vendor": "Name the weakest tag or vendor.",
    },
    {
        0: "The report is written.",
        2: "The usage or a results file is wrong, there is no row, or the report cannot be written.",
    },
)


def report(
    results: ResultsFiles,
    format_name: ReportFormat = None,
    output: OutputFile = None,
    no_summary: NoSummary = False,
    evaluator: Annotated[
        str | None, typer.Option(metavar="NAME", help="Count only the results of the evaluator NAME.")
    ] = None,
    by: Annotated[
        str | None,
        typer.Option(
            metavar="KEY",
            help="Show the figures side by side for each file, target, suite, tag or metadata.KEY.  "
            "[default: file if there are several files, else target]",
        ),
    ] = None,
    slice_keys: SliceKeys = None,
    min_cases: MinCases = None,
) -> None:
    """Summarize results files.

    The report shows scores and pass rates, and precision, recall and F1 of each attribute. Several files, and several
    targets, are kept apart.
    """
    with exit_on_user_error():
        from agentv_py.report.groups import Groups, check_grouping, explain_no_groups
        from agentv_py.report.slices.fold import Slices, refuse_unknown
        from agentv_py.report.summary import Summary
        from agentv_py.results.read import open_sources, read_results, reread_rows, reread_rows_by_case
        from agentv_py.suite.slice_key import SliceChoice

        slices = Slices.for_all_suites(SliceChoice(slice_keys or (), min_cases).list_keys())
        write = choose_summary_writer(format_name, output)
        with open_sources(results) as sources:
            groups = Groups(by or ("file" if len(sources) > 1 else "target"))
            check_grouping(groups.by)
            summary = Summary(full=True, rows=partial(reread_rows, sources, evaluator), groups=groups, slices=slices)
            summary.results = sources[0].shown if len(sources) == 1 else ""
            for source in sources:
                rows_before = summary.cases
                for row in read_results(source):
                    if isinstance(row, Problem):
                        print_lines(f"warning: {row}")
                    else:
                        summary.add(row, evaluator, source.shown)
                if summary.cases == rows_before:
                    print_lines(f"warning: {source.shown}: holds no row")
            if not summary.cases:
                raise UserError("nothing to report: no file holds a row")
            if evaluator is not None and all(known.name != evaluator for known in summary.evaluators):
                raise UserError(f"no row has an evaluator named {evaluator!r}")
            if by is not None and not groups.members:
                raise UserError(explain_no_groups(by, summary.rows()))
            refuse_unknown([slices])
            if len(sources) > 1 and summary.has_several_targets:
                summary.rows = partial(reread_rows_by_case, sources, evaluator)
            write(summary, sources, no_summary=no_summary)
