"""Cases that did not pass → GitHub's annotations at their lines."""

import os
from collections.abc import Iterator, Sequence

from agentv_py.errors import escape_commands, make_printable
from agentv_py.report.differences import MOST_DIFFERENCES, list_differences
from agentv_py.report.summary import Summary
from agentv_py.results.row import Row
from agentv_py.suite.plan import CaseLocation, Plan

MOST = 10
"""The most annotations that GitHub shows for one step."""

_MESSAGE = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = _MESSAGE | {":": "%3A", ",": "%2C"}


def build_annotations(plans: Sequence[Plan], summary: Summary) -> Iterator[str]:
    """Yield a line for each missed gate, then one for each of the first cases that did not pass.

    A case that did not pass is a warning where its suite meets its gates; a case that erred is always an error.
    """
    failing = list(_list_failing(summary))
    for plan in plans:
        suite = summary.find_suite(plan.name)
        yield from (_annotate_gate(plan, str(gate)) for gate in suite.gates if not gate.is_met)
        own_rows = [row for row in failing if row["suite"] == plan.name]
        places = plan.locate_cases({row["case_id"] for row in own_rows})
        for row in own_rows:
            level = "warning" if suite.meets_gates and row["status"] != "error" else "error"
            yield _build_annotation(level, row, places.get(row["case_id"], CaseLocation(plan.file, 1)))
    hidden = summary.cases - summary.totals.passed - len(failing)
    if hidden > 0:
        yield f"::notice title=evalctl::and {hidden} more cases did not pass"


def _list_failing(summary: Summary) -> Iterator[Row]:
    count = 0
    for row in summary.rows():
        if row["verdict"] != "pass":
            yield row
            count += 1
            if count == MOST:
                return


def _annotate_gate(plan: Plan, what: str) -> str:
    return f"::error {_write_place(CaseLocation(plan.file, 1))},title=gate missed::{_escape(what, _MESSAGE)}"


def _build_annotation(level: str, row: Row, place: CaseLocation) -> str:
    word = "error" if row["status"] == "error" else row["verdict"]
    lines = list(map(str, list_differences(row)))
    more = [f"and {len(lines) - MOST_DIFFERENCES} more"] if len(lines) > MOST_DIFFERENCES else []
    title = f"{row['case_id']}: {word} {row['score']:.3f}"
    message = "\n".join([*lines[:MOST_DIFFERENCES], *more]) or row["reasoning"] or word
    return f"::{level} {_write_place(place)},title={_escape(title, _PROPERTY)}::{_escape(message, _MESSAGE)}"


def _write_place(place: CaseLocation) -> str:
    return f"file={_escape(_find_in_workspace(place.file), _PROPERTY)},line={place.line}"


def _find_in_workspace(file: str) -> str:
    """Return the path from the root of the repository, as GitHub expects it."""
    root = os.environ.get("GITHUB_WORKSPACE")
    path = os.path.relpath(file, root) if root else file
    return file if path.startswith("..") else path


def _escape(text: str, escapes: dict[str, str]) -> str:
    return escape_commands("".join(escapes.get(mark, make_printable(mark)) for mark in text))
