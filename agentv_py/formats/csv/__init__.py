"""Report → CSV: one line per comparison; of a diff, per comparison that changed; of a trend, per run and evaluator.

A report of several targets has one line per comparison as well, with columns for each target.
"""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any
from unicodedata import normalize

from agentv_py.errors import escape_commands, make_printable
from agentv_py.formats.csv.labels import LabelColumns
from agentv_py.formats.csv.summary import encode_value, list_comparisons, list_matrix
from agentv_py.report.diff.changes import list_changes
from agentv_py.report.diff.model import Diff
from agentv_py.report.differences import read_error
from agentv_py.report.summary import Summary
from agentv_py.report.trend import Trend

if TYPE_CHECKING:
    from agentv_py.report import Report

_DIFF_HEAD = (
    "suite", "case_id", "baseline_score", "candidate_score", "evaluator", "path", "change", "expected", "baseline",
    "candidate", "note", "target",
)  # fmt: skip
_TREND_HEAD = (
    "suite", "file", "timestamp", "cases", "errors", "mean_score", "pass_rate", "evaluator", "evaluator_mean_score",
)  # fmt: skip

# A spreadsheet reads text that begins like this as a formula, also in full-width characters.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_CHANGES = {(True, False): "broken", (False, True): "fixed", (False, False): "other"}


def render(report: "Report") -> Iterator[str]:
    if isinstance(report, Summary):
        head, lines = list_matrix(report) if report.has_several_targets else list_comparisons(report)
        yield from _write_lines(head, lines)
    elif isinstance(report, Diff):
        labels = LabelColumns(after for _, after in report.read_pairs())
        yield from _write_lines([*_DIFF_HEAD, *labels.heads], _list_changes(report, labels))
    else:
        yield from _write_lines(_TREND_HEAD, _list_runs(report))


def _write_lines(head: Sequence[str], lines: Iterable[Sequence[Any]]) -> Iterator[str]:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(_make_safe, head))
    for line in lines:
        writer.writerow(map(_make_safe, line))
        yield text.getvalue()
        text.seek(0)
        text.truncate()
    yield text.getvalue()


def _make_safe(cell: Any) -> Any:
    if not isinstance(cell, str):
        return cell
    text = escape_commands(make_printable(cell))
    return f"'{text}" if normalize("NFKC", cell[:1]).startswith(_FORMULA) and not _is_number(cell) else text


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _list_changes(diff: Diff, labels: LabelColumns) -> Iterator[Sequence[Any]]:
    """List the changes of each case, under the case's scores; an errored side has no score."""
    old, new = diff.scores
    for (a, b), (before, after) in zip(diff.matched, diff.read_pairs(), strict=True):
        scores = old.score(a), new.score(b)
        case = (after["suite"], after["case_id"], *scores)
        about = after.get("target", ""), *labels.read(after)
        if None in scores:
            errored = after if scores[1] is None else before
            yield *case, "", "", "errored", "", "", "", read_error(errored).message, *about
            continue
        for change in list_changes(before, after):
            values = map(encode_value, (change.expected, change.baseline, change.candidate))
            word = _CHANGES[change.was_right, change.is_right]
            yield *case, *change.evaluators, change.path, word, *values, change.note, *about


def _list_runs(trend: Trend) -> Iterator[Sequence[Any]]:
    for series in trend.series:
        for run in series.runs:
            summary = run.summary
            figures = summary.cases, summary.errors, summary.mean_score.value, summary.pass_rate.value
            for evaluator in summary.evaluators.values():
                yield series.suite, run.file, run.timestamp, *figures, evaluator.name, evaluator.mean_score
