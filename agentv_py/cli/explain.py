"""Suites → how each field is compared, and why; or rows of results → the story of a case."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from agentv_py.cli.errors import exit_on_user_error
from agentv_py.cli.options import OutputFile, write_epilog
from agentv_py.cli.output import choose_format, print_lines, print_warnings, write_explanation
from agentv_py.errors import Problem, UserError, did_you_mean
from agentv_py.formats import ExplanationFormat

if TYPE_CHECKING:
    from agentv_py.report.explanation.case_model import CaseExplanation
    from agentv_py.report.explanation.model import SuiteExplanation
    from agentv_py.results.read import ResultsSource
    from agentv_py.results.row import Row

EPILOG = write_epilog(
    {
        "evalctl explain suite.yaml": "Show how each field is compared, and why.",
        "evalctl explain suite.yaml --evaluator header --format json": "Show one evaluator, for a program.",
        "evalctl explain results.jsonl invoice-7": "Tell what is wrong with a case, and what would let it pass.",
        "evalctl explain results.jsonl invoice-7 --target model-a": "Tell it of the answer of one target.",
    },
    {
        0: "The explanation is written.",
        2: "The usage, a suite or a results file is wrong, or no row is of the case.",
    },
)


def explain(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="SUITE...|RESULTS CASE...",
            help="The suite files; or a results file (.jsonl), and the ids of cases in it.",
            show_default=False,
        ),
    ],
    evaluator: Annotated[str | None, typer.Option(metavar="NAME", help="Explain only the evaluator NAME.")] = None,
    target: Annotated[
        str | None, typer.Option(metavar="NAME", help="Explain only the answers of the target NAME.")
    ] = None,
    suite: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="The suite whose rules the cases are explained by.  [default: the suite near the results that still "
            "scores as it did]",
        ),
    ] = None,
    format_name: Annotated[
        ExplanationFormat | None,
        typer.Option(
            "--format", help="Choose the format.  [default: that of FILE's suffix, else console]", show_default=False
        ),
    ] = None,
    output: OutputFile = None,
) -> None:
    """Explain how fields are compared, or what happened to a case.

    The command asks no target, no judge and no model.
    """
    with exit_on_user_error():
        chosen = _choose_format(format_name, output)
        if files[0].endswith(".jsonl"):
            _explain_cases(files[0], files[1:], evaluator, target, suite, chosen, output)
            return
        if target is not None or suite is not None:
            raise UserError("--target and --suite need a results file: evalctl explain RESULTS CASE")
        if case := next((name for name in files[1:] if not Path(name).suffix and not Path(name).exists()), None):
            raise UserError(f"{case!r} is not a suite; to explain a case, name results: evalctl explain RESULTS {case}")
        explanation, inputs = _explain_suites(files, evaluator)
        write_explanation(explanation, chosen, output, inputs)


def _choose_format(format_name: ExplanationFormat | None, output: str | None) -> ExplanationFormat:
    chosen, known = choose_format(format_name, output), get_args(ExplanationFormat)
    if chosen not in known:
        raise UserError(f"-o {output!r}: an explanation has no format {chosen!r}; valid: {', '.join(known)}")
    return chosen  # type: ignore[return-value]  # it is one of them


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


def _explain_cases(
    results: str,
    case_ids: list[str],
    evaluator: str | None,
    target: str | None,
    suite: str | None,
    format_name: ExplanationFormat,
    output: str | None,
) -> None:
    from agentv_py.results.read import open_sources

    with open_sources([results]) as [source]:
        if not case_ids:
            raise UserError(_suggest_case(source))
        rows = _read_rows(source, case_ids, target)
        write_explanation(_build_stories(source, rows, evaluator, suite), format_name, output, [source.path])


def _suggest_case(source: "ResultsSource") -> str:
    """Ask for a case; name the first case that did not pass."""
    from agentv_py.results.read import read_results

    rows = [row for row in read_results(source) if not isinstance(row, Problem)]
    if not rows:
        return f"{source.shown}: holds no row"
    first = next((row for row in rows if row["verdict"] != "pass"), rows[0])
    return f"name a case of {source.shown}, such as: evalctl explain {source.shown} {first['case_id']!r}"


def _read_rows(source: "ResultsSource", case_ids: list[str], target: str | None) -> "list[tuple[int, Row]]":
    """Read the rows of the cases, each with its number in the file. Raises UserError if a case or target has none."""
    from agentv_py.results.read import read_results

    rows: list[tuple[int, Row]] = []
    known, targets = set[str](), set[str]()
    for number, row in enumerate(read_results(source), 1):
        if isinstance(row, Problem):
            print_lines(f"warning: {row}")
            continue
        known.add(row["case_id"])
        if row["case_id"] in case_ids:
            targets.add(str(row.get("target", "")))
            if target is None or row.get("target") == target:
                rows.append((number, row))
    missing = [
        f"{source.shown}: no row is of the case {case_id!r}{did_you_mean(case_id, sorted(known))}"
        for case_id in case_ids
        if case_id not in known
    ]
    if missing:
        raise UserError(*missing)
    if not rows:
        names = sorted(filter(None, targets))
        near = did_you_mean(str(target), names) or f"; the targets are {', '.join(names)}" if names else ""
        raise UserError(f"{source.shown}: no row of the case has the target {target!r}{near}")
    return rows


def _build_stories(
    source: "ResultsSource", rows: "list[tuple[int, Row]]", evaluator: str | None, suite: str | None
) -> "CaseExplanation":
    from agentv_py.report.explanation.case import explain_row
    from agentv_py.report.explanation.case_model import CaseExplanation
    from agentv_py.run.row_suite import SuiteFinder

    finder = SuiteFinder(source.path, suite)
    finder.check_names([row for _, row in rows])
    stories = []
    for number, row in rows:
        found = finder.find(row)
        stories.append(explain_row(row, f"{source.shown}:{number}", *found))
    explanation = CaseExplanation(stories)
    if evaluator is None:
        return explanation
    names = explanation.list_evaluators()
    if evaluator not in names:
        raise UserError(f"the case has no evaluator named {evaluator!r}{did_you_mean(evaluator, names)}")
    return explanation.select_evaluator(evaluator)
