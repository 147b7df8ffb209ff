"""Differences of pairs → the 95 % interval of their mean.

The interval is Student's, with two corrections, because often only few pairs move. Each bound adds a part of a pair,
which moves its way as far as those that moved. How far pairs move is itself known from few, so a small part of a pair
that moves the whole way counts among them. `benchmarks/intervals.py` counts how often the interval holds the truth.
"""

import math
from typing import TYPE_CHECKING

from agentv_py.report.diff.flips import Pairs
from agentv_py.report.statistics import Z95, estimate_share, student_quantile

if TYPE_CHECKING:
    from agentv_py.report.diff.flips import Floats

_UNSEEN = 0.6
"""The part of a pair that each bound adds. With it, 12 pairs that move all or nothing cover at least 92 %, whatever the
shares of pairs that move either way; with a half it would be 88 %."""
_WHOLE_WAY = 0.05


def find_interval(pairs: Pairs) -> tuple[float, float]:
    """Return the bounds of the mean difference; one unit says nothing of others."""
    count = len(pairs.sums)
    if count < 2:
        return -1.0, 1.0
    size = float(pairs.sizes.mean())
    moves = pairs.sums / size
    has_moved = moves != 0
    if not has_moved.any():  # that none moved does not prove that none will: a share of this size may yet
        unseen = estimate_share(0, count).high
        return -unseen, unseen
    delta = float(pairs.sums.sum() / pairs.sizes.sum())
    rest = (pairs.sums - pairs.sizes * delta) / size
    moves, shares = moves[has_moved], (pairs.sums / pairs.sizes)[has_moved]
    distance = math.sqrt((float(moves @ moves) + _WHOLE_WAY) / (len(moves) + _WHOLE_WAY))
    weight, freedom = _UNSEEN * count / (count + _UNSEEN), (count - 1) * (count + _UNSEEN)
    quantile = _find_quantile(moves, shares, count)
    below, above = (
        quantile * math.sqrt((float(rest @ rest) + weight * (end - delta) ** 2) / freedom)
        for end in (-distance, distance)
    )
    return max(delta - below, -1.0), min(delta + above, 1.0)


def _find_quantile(moves: "Floats", shares: "Floats", count: int) -> float:
    """Return a normal point for pairs that move the whole way, Student's for shorter moves, and between the two.

    A few long moves decide the spread, so as many moves as would spread alike, if they were equal, are counted; each is
    two degrees of freedom, because distances have an end. A share is a move by the size of its own unit: 1 is the whole
    way.
    """
    squares = (moves / abs(moves).max()) ** 2
    alike = float(squares.sum()) ** 2 / float(squares @ squares)
    graded = 1 - min(1.0, float(shares @ shares) / float(abs(shares).sum()))
    return float(Z95 * (student_quantile(2 * min(count - 1, alike + 0.5)) / Z95) ** graded)
