"""What a part of the tree amounts to: a score, and how near it came."""

from typing import NamedTuple


class Measure(NamedTuple):
    """What a part of the tree amounts to."""

    score: float
    similarity: float
    """The raw similarity, which decides who is paired with whom."""
    tells: bool = True
    """Whether any leaf is not blank. A blank leaf is right, but says nothing about who belongs to whom."""
