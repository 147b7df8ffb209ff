"""What a part of the tree amounts to: a score, and how near it came."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix


class Measure(NamedTuple):
    """What a part of the tree amounts to."""

    score: float
    similarity: float
    """The raw similarity, which decides who is paired with whom."""
    tells: bool = True
    """Whether any leaf is not blank. A blank leaf is right, but says nothing about who belongs to whom."""


class PairMeasures(NamedTuple):
    """Of every pair: its score, its similarity, and whether these count. A plain 1.0 means that all of them do."""

    scores: "Matrix"
    similarities: "Matrix"
    counts: "Matrix | float"
    """1 where anything counts, else 0."""
    tells: "Matrix | float"
    """1 where anything counts that is not blank, else 0."""
