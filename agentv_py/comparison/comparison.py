"""One leaf's comparison, and its five outcomes."""

from typing import Any, Literal, NamedTuple

from agentv_py.case import ABSENT

Outcome = Literal["match", "mismatch", "missing", "extra", "blank"]
Role = Literal["leaf", "row", "in_row"]


class Comparison(NamedTuple):
    outcome: Outcome
    path: str
    score: float
    similarity: float
    note: str
    expected: Any
    actual: Any
    role: Role = "leaf"
    """A row without a partner is one miss ("row"), but each of its leaves counts ("in_row")."""


def matched(path: str) -> Comparison:
    """A full match, which has nothing to tell but its path: the values behind it are in the data."""
    # The plain way to build a named tuple costs three times this, and there are very many of these.
    return tuple.__new__(Comparison, ("match", path, 1.0, 1.0, "", None, None, "leaf"))


def is_empty(value: Any) -> bool:
    """Absent, null, or a string of white space only."""
    if type(value) is str:
        return not value or value.isspace()
    return value is None or value is ABSENT
