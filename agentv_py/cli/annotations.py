"""Cases that did not pass → GitHub's annotations at their lines."""

import os
from collections.abc import Iterator, Sequence

from agentv_py.errors import printable, without_commands
from agentv_py.report.differences import MOST_DIFFERENCES, differences
from agentv_py.report.summary import Summary
from agentv_py.results.row import Row
from agentv_py.suite.plan import Place, Plan

MOST = 10
"""GitHub shows no more of one step."""

_MESSAGE = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = _MESSAGE | {":": "%3A", ",": "%2C"}


def annotations(plans: Sequence[Plan], summary: Summary) -> Iterator[str]:
    """One line each for the first cases that did not pass."""
    failing = list(_not_passed(summary))
    for plan in plans:
        mine = [row for row in failing if row["suite"] == plan.name]
        places = plan.places({row["case_id"] for row in mine})
        yield from (_annotation(row, places.get(row["case_id"], Place(plan.shown, 1))) for row in mine)
    hidden = summary.cases - summary.passed - len(failing)
    if hidden > 0:
        yield f"::notice title=evalctl::and {hidden} more cases did not pass"


def _not_passed(summary: Summary) -> Iterator[Row]:
    count = 0
    for row in summary.rows():
        if row["verdict"] != "pass":
            yield row
            count += 1
            if count == MOST:
                return


def _annotation(row: Row, place: Place) -> str:
    word = "error" if row["status"] == "error" else row["verdict"]
    found = list(map(str, differences(row)))
    more = [f"and {len(found) - MOST_DIFFERENCES} more"] if len(found) > MOST_DIFFERENCES else []
    title = f"{row['case_id']}: {word} {row['score']:.3f}"
    where = f"file={_escaped(_in_workspace(place.shown), _PROPERTY)},line={place.line}"
    message = "\n".join([*found[:MOST_DIFFERENCES], *more]) or row["reasoning"] or word
    return f"::error {where},title={_escaped(title, _PROPERTY)}::{_escaped(message, _MESSAGE)}"


def _in_workspace(file: str) -> str:
    """As GitHub names files: from the root of the repository."""
    root = os.environ.get("GITHUB_WORKSPACE")
    path = os.path.relpath(file, root) if root else file
    return file if path.startswith("..") else path


def _escaped(text: str, escapes: dict[str, str]) -> str:
    return without_commands("".join(escapes.get(mark, printable(mark)) for mark in text))
