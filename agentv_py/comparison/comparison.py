"""The results of comparing two values: the comparison of a leaf with its outcome, and the measure of a whole part."""

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from agentv_py.case import ABSENT

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix

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


class Incomparable(Exception):  # noqa: N818  a statement about two values, not an error of the program
    """The two values cannot be compared under a match type; `note` is the reason, as a miss shows it."""

    def __init__(self, note: str) -> None:
        super().__init__(note)
        self.note = note


class Measure(NamedTuple):
    """The score and the similarity of a part of the tree."""

    score: float
    similarity: float
    """The raw similarity; it decides which rows are paired."""
    has_content: bool = True
    """False if every leaf is blank: such a match scores 1 but must not influence pairing."""
    leaves: float = 1.0
    """The weight of what the score sums up. A score that is a mean counts as one leaf."""


ALIKE = Measure(1.0, 1.0)
UNLIKE = Measure(0.0, 0.0)
BLANK = Measure(1.0, 1.0, has_content=False)
NO_LEAVES = Measure(0.0, 1.0, has_content=False, leaves=0.0)


def get_blank(*, by_leaves: bool) -> Measure:
    """Return the measure of two lists or objects that hold nothing: each counts as one field, but has no leaves."""
    return NO_LEAVES if by_leaves else BLANK


class PairMeasures(NamedTuple):
    """The measures of all pairs of two lists. A plain 1.0 instead of a matrix holds for every pair."""

    scores: "Matrix"
    similarities: "Matrix"
    counts: "Matrix | float"
    """1 if any leaf of the pair counts, else 0."""
    has_content: "Matrix | float"
    """1 if any leaf of the pair counts and is not blank, else 0."""


def build_full_match(path: str) -> Comparison:
    """Return a full match. It holds only its path, because the values are in the data."""
    # The plain way to build a named tuple takes three times as long, and full matches are by far the most frequent.
    return tuple.__new__(Comparison, ("match", path, 1.0, 1.0, "", None, None, "leaf"))


def is_empty(value: Any) -> bool:
    """Whether a value is absent, null, or text of white space only."""
    if type(value) is str:
        return not value or value.isspace()
    return value is None or value is ABSENT


def are_plain(lefts: tuple[Any, ...], rights: tuple[Any, ...]) -> bool:
    """Whether values that are equal to Python are texts that are not blank, or finite numbers of the same type."""
    for left, right in zip(lefts, rights):  # noqa: B905  equal tuples have one length, and a check takes a third longer
        if type(left) is str:
            if not left or left.isspace():
                return False
        elif type(left) is not type(right) or (type(left) is not float and type(left) is not int) or left - right != 0:
            return False
    return True
