"""A summary → one line per comparison; of several targets, with columns for each target."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from agentv_py import jsontext
from agentv_py.case import ABSENT
from agentv_py.formats.csv.labels import LabelColumns
from agentv_py.formats.csv.slices import list_slice_cells
from agentv_py.report import row_comparisons
from agentv_py.report.row_comparisons import RowComparison
from agentv_py.report.summary import Summary
from agentv_py.results.row import Row

HEAD = (
    "suite", "case_id", "status", "verdict", "score", "evaluator", "type", "path", "outcome", "expected", "actual",
    "similarity", "note", "target", "flaky", "kind", "pattern", "confidence",
)  # fmt: skip
_SHARED = ("suite", "case_id", "evaluator", "type", "path", "expected")
_OF_A_TARGET = (
    "actual",
    "outcome",
    "similarity",
    "note",
    "score",
    "verdict",
    "status",
    "flaky",
    "kind",
    "pattern",
    "confidence",
)
"""The columns of each target. Columns of one kind are side by side: `actual.a`, `actual.b`, `outcome.a`, ..."""

_UNEXPLAINED = ("", "", "")
"""What lines that are no comparison have in the last columns."""

Line = Sequence[Any]
Head = Sequence[str]


class _Comparison(NamedTuple):
    """One comparison of a case, which each target may have."""

    evaluator: str
    type: str
    path: str
    number: int
    """Tells comparisons apart that have the same path, but different expected values."""


def list_comparisons(summary: Summary) -> tuple[Head, Iterator[Line]]:
    """List the comparisons of every case, then slices and gates: expected is the least figure, actual that reached."""
    labels = LabelColumns(summary.rows())
    return (*HEAD, *labels.heads), _list_lines(summary, labels)


def _list_lines(summary: Summary, labels: LabelColumns) -> Iterator[Line]:
    for row in summary.rows():
        case = (row["suite"], row["case_id"], row["status"], row["verdict"], row["score"])
        about = row.get("target", ""), row.get("flaky", "")
        for item in row_comparisons.list_comparisons(row):
            values = encode_value(item.expected), encode_value(item.actual), item.similarity, item.note
            yield (
                *case,
                item.evaluator,
                item.type,
                item.path,
                item.outcome,
                *values,
                *about,
                *_explain(item),
                *labels.read(row),
            )
    for suite, target, path, figure, value, note in list_slice_cells(summary):
        cells = "", "" if value is None else encode_value(value), "", note, target, "", *_UNEXPLAINED
        yield suite, "", "", "", "", "", "slice", path, figure, *cells, *labels.fill()
    for suite, gate in summary.gates:
        verdict = "pass" if gate.is_met else "fail"
        figures = gate.word, encode_value(gate.limit), encode_value(gate.value)
        yield (
            suite,
            "",
            "",
            verdict,
            "",
            "",
            "gate",
            gate.name,
            *figures,
            "",
            gate.note,
            gate.target,
            "",
            *_UNEXPLAINED,
            *labels.fill(),
        )


def list_matrix(summary: Summary) -> tuple[Head, Iterator[Line]]:
    """List the comparisons of every case, then the gates; the answers of all targets to a case share its lines."""
    targets = summary.targets
    columns = [f"{column}.{target}" if target else column for column in _OF_A_TARGET for target in targets]
    labels = LabelColumns(summary.rows())
    return (*_SHARED, *columns, *labels.heads), _list_matrix_lines(summary, targets, labels)


def _list_matrix_lines(summary: Summary, targets: Sequence[str], labels: LabelColumns) -> Iterator[Line]:
    for case, rows in groupby(summary.rows(), key=lambda row: (row["suite"], row["case_id"])):
        for answers in _separate_answers(rows):
            about = labels.read(next(iter(answers.values())))
            yield from ((*line, *about) for line in _join_answers(case, answers, targets))
    for suite, target, path, figure, value, note in list_slice_cells(summary):
        own = "" if value is None else encode_value(value), figure, "", note, "", "", "", "", *_UNEXPLAINED
        yield suite, "", "", "slice", path, "", *_arrange_cells({target: own}, targets), *labels.fill()
    for suite, gate in summary.gates:
        target = gate.target or next(iter(summary.find_suite(suite).answers), "")
        cells = (
            encode_value(gate.value),
            gate.word,
            "",
            gate.note,
            "",
            "pass" if gate.is_met else "fail",
            "",
            "",
            *_UNEXPLAINED,
        )
        shared = suite, "", "", "gate", gate.name, encode_value(gate.limit)
        yield *shared, *_arrange_cells({target: cells}, targets), *labels.fill()


def _explain(item: RowComparison) -> Line:
    return item.kind, item.pattern, item.confidence


def _separate_answers(rows: Iterable[Row]) -> Iterator[dict[str, Row]]:
    """Yield the rows of a case by target. A second row of a target, of another file perhaps, begins new lines."""
    answers: dict[str, Row] = {}
    for row in rows:
        target = str(row.get("target", ""))
        if target in answers:
            yield answers
            answers = {}
        answers[target] = row
    yield answers


def _join_answers(case: tuple[str, str], answers: dict[str, Row], targets: Sequence[str]) -> Iterator[Line]:
    """Join the comparisons of all targets that concern the same place under the same evaluator."""
    expected: dict[_Comparison, Any] = {}
    lines: dict[_Comparison, dict[str, Line]] = {}
    for target, row in answers.items():
        about = row["score"], row["verdict"], row["status"], row.get("flaky", "")
        for item in row_comparisons.list_comparisons(row):
            key = _find_line(item, target, expected, lines)
            if expected.get(key, ABSENT) is ABSENT:
                expected[key] = item.expected
            cells = encode_value(item.actual), item.outcome, item.similarity, item.note, *about, *_explain(item)
            lines.setdefault(key, {})[target] = cells
    for key, cells_of in lines.items():
        shared = *case, key.evaluator, key.type, key.path, encode_value(expected[key])
        yield *shared, *_arrange_cells(cells_of, targets)


def _find_line(
    item: RowComparison, target: str, expected: dict[_Comparison, Any], lines: dict[_Comparison, dict[str, Line]]
) -> _Comparison:
    """Return the first line of this path that has room for the target, and no other expected value."""
    key = _Comparison(item.evaluator, item.type, item.path, 0)
    while target in lines.get(key, ()) or _is_other(expected.get(key, ABSENT), item.expected):
        key = key._replace(number=key.number + 1)
    return key


def _is_other(known: Any, expected: Any) -> bool:
    return known is not ABSENT and expected is not ABSENT and jsontext.dumps(known) != jsontext.dumps(expected)


def _arrange_cells(cells_of: dict[str, Line], targets: Sequence[str]) -> Iterator[Any]:
    for column in range(len(_OF_A_TARGET)):
        for target in targets:
            cells = cells_of.get(target)
            yield "" if cells is None else cells[column]


def encode_value(value: Any) -> str:
    """Write a value as plain text, an object or a list as JSON, and nothing for null and where there is no value."""
    if value is ABSENT or value is None:
        return ""
    return value if isinstance(value, str) else jsontext.dumps(value).decode()
