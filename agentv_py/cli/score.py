"""A file with the expected value and a file with the answer → the story of their comparison, and an exit code."""

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from agentv_py.cli.errors import exit_on_user_error
from agentv_py.cli.options import OutputFile, Quiet, ReportFormat, write_epilog
from agentv_py.cli.output import choose_format, write_explanation
from agentv_py.errors import InvalidSuite, Problem, UserError
from agentv_py.formats import ExplanationFormat, Format

if TYPE_CHECKING:
    from agentv_py.case import Case
    from agentv_py.evaluators.object_match import ObjectMatch
    from agentv_py.jsontext import NotJson
    from agentv_py.report import Report
    from agentv_py.report.explanation.case_model import CaseExplanation
    from agentv_py.run.pair import ScoredPair

_SUITE = "score"
_STDIN = "/dev/stdin"

EPILOG = write_epilog(
    {
        "evalctl score gold.json answer.json": "Compare an answer with the expected value, without a suite.",
        "evalctl score gold.json answer.txt --schema invoice.schema.json": "Take the comparators from a JSON Schema.",
        "my-model < prompt.txt | evalctl score gold.json - --format json": "Score what a program prints.",
    },
    {
        0: "The verdict is pass.",
        1: "The verdict is partial or fail.",
        2: "The usage or a file is wrong, or the report cannot be written.",
        3: "The answer is empty, or could not be compared.",
    },
)


def score(
    expected: Annotated[
        str, typer.Argument(metavar="EXPECTED", help="The file that holds the expected value as JSON.")
    ],
    actual: Annotated[
        str,
        typer.Argument(
            metavar="ACTUAL", help="The file that holds the answer: JSON, or text with JSON in it; '-' is stdin."
        ),
    ],
    schema: Annotated[
        str | None, typer.Option(metavar="FILE", help="Take the comparators from the JSON Schema in FILE.")
    ] = None,
    format_name: ReportFormat = None,
    output: OutputFile = None,
    quiet: Quiet = False,
) -> None:
    """Compare one answer with the expected value, without a suite.

    The rules of `evalctl init --from` choose a comparator for each field. The report names the rule behind each miss,
    how far the answer is from passing, and what would let it pass.
    """
    with exit_on_user_error():
        chosen = choose_format(format_name, output)
        case = _read_case(expected, actual)
        pair = _compare(case, expected, schema)
        if not quiet:
            inputs = [Path(name) for name in (expected, actual, schema) if name not in (None, "-")]
            write_explanation(_build_report(pair, chosen), chosen, output, inputs)
        sys.exit(3 if pair.row["status"] == "error" else int(pair.row["verdict"] != "pass"))


def _read_case(expected: str, actual: str) -> "Case":
    from agentv_py import jsontext
    from agentv_py.case import Case

    if expected == actual == "-":
        raise UserError("EXPECTED and ACTUAL cannot both be stdin")
    text = _read_text(expected)
    try:
        truth = jsontext.read_element(text)
    except jsontext.NotJson as error:
        what = _explain_damage(text, error)
        raise UserError(Problem(what, "", _show(expected), error.line, error.column)) from None
    answer = _read_text(actual)
    if not answer.strip():
        return Case(_show(actual), truth, failure=("no_candidate", "the answer is empty"))
    return Case(_show(actual), truth, _read_answer(answer))


def _explain_damage(text: str, error: "NotJson") -> str:
    from agentv_py import jsontext

    if not text.strip():
        return "is empty; it must hold the expected value as JSON"
    with suppress(jsontext.NotJson):
        for line in text.split("\n", 2)[:2]:
            jsontext.read_element(line)
        return "holds more than one JSON value; score takes one"
    return f"is not valid JSON: {error}"


def _read_answer(text: str) -> Any:
    """Return the JSON value of an answer that is wholly JSON, else the text: the evaluator looks for JSON in it."""
    from agentv_py import jsontext

    try:
        return jsontext.read_element(text)
    except jsontext.NotJson:
        return text


def _read_text(name: str) -> str:
    from agentv_py.suite.text_file import read_text

    return read_text(Path(_STDIN if name == "-" else name), _show(name))


def _show(name: str) -> str:
    return "stdin" if name == "-" else name


def _compare(case: "Case", expected: str, schema: str | None) -> "ScoredPair":
    from agentv_py.run.pair import score_pair

    evaluator = _build_evaluator(schema).learn_values([case.expected])
    for place, what in evaluator.problems():
        raise InvalidSuite(Problem(what, f"--{place[0]}" if schema is not None else ""))
    return score_pair(evaluator, case, _SUITE, schema or _show(expected))


def _build_evaluator(schema: str | None) -> "ObjectMatch":
    from agentv_py.evaluators.object_match import ObjectMatch

    return ObjectMatch.model_validate({"type": "object_match", "default": "auto", "schema": schema})


def _build_report(pair: "ScoredPair", format_name: Format) -> "Report | CaseExplanation":
    """Return the story of the pair; for a format that has no stories, a summary of one case."""
    if format_name in get_args(ExplanationFormat):
        from agentv_py.report.explanation.case import explain_row
        from agentv_py.report.explanation.case_model import CaseExplanation

        return CaseExplanation([explain_row(pair.row, "", pair.scoring)])
    from agentv_py.report.summary import Summary

    summary = Summary(full=True, rows=lambda: iter([pair.row]))
    summary.add(pair.row)
    return summary
