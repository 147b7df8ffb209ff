"""Report → CSV: one line per comparison; of a diff, per comparison that changed; of a trend, per run and evaluator."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any
from unicodedata import normalize

from agentv_py import jsontext
from agentv_py.case import ABSENT
from agentv_py.errors import printable, without_commands
from agentv_py.report.diff.changes import changes
from agentv_py.report.diff.model import Diff
from agentv_py.report.differences import error_of
from agentv_py.report.kinds import Report
from agentv_py.report.row_comparisons import comparisons
from agentv_py.report.summary import Summary
from agentv_py.report.trend import Trend

_SUMMARY = ("suite", "case_id", "status", "verdict", "score", "evaluator", "type", "path", "outcome", "expected",
            "actual", "similarity", "note")  # fmt: skip
_DIFF = ("suite", "case_id", "baseline_score", "candidate_score", "evaluator", "path", "change", "expected", "baseline",
         "candidate", "note")  # fmt: skip
_TREND = (
    "suite",
    "file",
    "timestamp",
    "cases",
    "errors",
    "mean_score",
    "pass_rate",
    "evaluator",
    "evaluator_mean_score",
)

# A spreadsheet takes text that begins so for a formula, in whatever width it is written.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_WORDS = {(True, False): "broken", (False, True): "fixed", (False, False): "other"}


def render(report: Report) -> Iterator[str]:
    if isinstance(report, Summary):
        yield from _lines(_SUMMARY, _of_summary(report))
    elif isinstance(report, Diff):
        yield from _lines(_DIFF, _of_diff(report))
    else:
        yield from _lines(_TREND, _of_trend(report))


def _lines(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    for row in rows:
        writer.writerow(map(_safe, row))
        yield text.getvalue()
        text.seek(0)
        text.truncate()
    yield text.getvalue()


def _safe(cell: Any) -> Any:
    if not isinstance(cell, str):
        return cell
    text = without_commands(printable(cell))
    return f"'{text}" if normalize("NFKC", cell[:1]).startswith(_FORMULA) and not _is_number(cell) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _of_summary(report: Summary) -> Iterator[Sequence[Any]]:
    for row in report.rows():
        case = (row["suite"], row["case_id"], row["status"], row["verdict"], row["score"])
        for one in comparisons(row):
            sides = _value(one.expected), _value(one.actual)
            yield *case, one.evaluator, one.type, one.path, one.outcome, *sides, one.similarity, one.note


def _of_diff(diff: Diff) -> Iterator[Sequence[Any]]:
    for before, after in diff.pairs():
        case = (after["suite"], after["case_id"], before["score"], after["score"])
        if "error" in (before["status"], after["status"]):
            erred = after if after["status"] == "error" else before
            yield *case, "", "", "errored", "", "", "", error_of(erred).message
            continue
        for one in changes(before, after):
            values = map(_value, (one.expected, one.baseline, one.candidate))
            yield *case, one.evaluator, one.path, _WORDS[one.was_right, one.is_right], *values, one.note


def _of_trend(trend: Trend) -> Iterator[Sequence[Any]]:
    for series in trend.series:
        for run in series.runs:
            figures = run.summary.mean_score.value, run.summary.pass_rate.value
            for one in run.summary.evaluators.values():
                counts = (run.summary.cases, run.summary.errors)
                yield series.suite, run.file, run.timestamp, *counts, *figures, one.name, one.mean_score


def _value(value: Any) -> str:
    """As JSON, so that a number and its text differ; nothing where there is no value."""
    return "" if value is ABSENT else jsontext.dumps(value).decode()
