"""Two short lists → their pairs, where every row's best partner is beyond doubt.

When each row of the shorter side has one best partner, and no two rows have the same, no other pairing can reach a
higher sum. Rows that match fully are at the highest gain there is; a pair that cannot reach a row's best any more is
given up after the leaves that showed it. Wherever there is a doubt (a tie, two rows that want the same partner, an
empty value, a pair below the threshold) the answer is None, and all pairs are measured.
"""

from collections import defaultdict, deque
from collections.abc import Sequence
from operator import itemgetter
from typing import Any

from agentv_py.case import ABSENT
from agentv_py.comparing.align import TIE_BREAK
from agentv_py.comparing.fields import Column, Pairing
from agentv_py.match import Incomparable

Values = list[tuple[Any, ...]]

# Beyond this many pairs matrices are faster.
_MOST_PAIRS = 900
_DOUBT = 1e-12
# What a full match adds to the sum.
_MOST = 1.0 + TIE_BREAK


def applies(pairing: Pairing, expected: Sequence[Any], actual: Sequence[Any]) -> bool:
    """Whether it is worth a try."""
    few = 0 < len(expected) * len(actual) <= _MOST_PAIRS
    return few and bool(pairing.columns) and pairing.matching == "optimal" and not pairing.key


def pairs(
    columns: Sequence[Column], expected: Sequence[Any], actual: Sequence[Any], threshold: float
) -> tuple[list[tuple[int, int]], set[int]] | None:
    """The pairs with the highest sum, and those expected rows that match fully; None where that takes a closer look."""
    left, right = _values(columns, expected), _values(columns, actual)
    if left is None or right is None:
        return None
    swapped = len(left) > len(right)
    seekers, offered = (right, left) if swapped else (left, right)
    full = _fully_matched(columns, seekers, offered, swapped=swapped)
    if full is None:
        return None
    found = dict(full)
    taken = set(full.values())
    order = [index for index in range(len(offered)) if index not in taken] + list(taken)
    for index, row in enumerate(seekers):
        if index not in found:
            best = _best(columns, row, offered, order, threshold, swapped=swapped)
            if best is None or best in taken:
                return None
            found[index] = best
            taken.add(best)
    if swapped:
        return sorted((other, index) for index, other in found.items()), set(full.values())
    return sorted(found.items()), set(full)


def _values(columns: Sequence[Column], rows: Sequence[Any]) -> Values | None:
    """The values to compare, row by row; None where one is empty, or not of a plain shape."""
    keys = [column.key for column in columns]
    try:
        if keys == [None]:
            values = [(row,) for row in rows]
        elif len(keys) == 1:
            values = [(row[keys[0]],) for row in rows]
        else:
            values = list(map(itemgetter(*keys), rows))
    except (TypeError, KeyError, IndexError):
        return None
    for row in values:
        for value in row:
            kind = type(value)
            if kind is str:
                if not value or value.isspace():
                    return None
            elif value is None or value is ABSENT or kind is list or kind is dict:
                return None
    return values


def _fully_matched(
    columns: Sequence[Column], seekers: Values, offered: Values, *, swapped: bool
) -> dict[int, int] | None:
    """Rows and the partners that equal them, first come, first served; None where equals do not match fully."""
    most = sum(column.share for column in columns)
    waiting: defaultdict[tuple[Any, ...], deque[int]] = defaultdict(deque)
    for index, row in enumerate(offered):
        waiting[row].append(index)
    found: dict[int, int] = {}
    for index, row in enumerate(seekers):
        partners = waiting.get(row)
        if partners:
            found[index] = partner = partners.popleft()
            sides = (offered[partner], row) if swapped else (row, offered[partner])
            if _gain(columns, *sides, 0.0)[1] != most:
                return None
    return found


def _best(
    columns: Sequence[Column], row: tuple[Any, ...], offered: Values, order: Sequence[int], threshold: float,
    *, swapped: bool,
) -> int | None:  # fmt: skip
    """The one partner with the highest gain, or None where there is a doubt about it."""
    best, near, partner, doubt = 0.0, 0.0, None, False
    first = columns[0]
    for equal in (True, False):  # in the first column: such a partner is likely, and often the others need no look
        if not equal and first.leaf.match.by_equality and best > _MOST * (1.0 - first.share) + _DOUBT:
            break
        for other in [one for one in order if (offered[one][0] == row[0]) is equal]:
            sides = (offered[other], row) if swapped else (row, offered[other])
            gain, similar = _gain(columns, *sides, best - _DOUBT)
            if gain > best + _DOUBT:
                best, near, partner, doubt = gain, similar, other, False
            elif gain >= best - _DOUBT:
                doubt = True
    return None if doubt or near < threshold or not near else partner


def _gain(
    columns: Sequence[Column], expected: tuple[Any, ...], actual: tuple[Any, ...], least: float
) -> tuple[float, float]:
    """What a pair adds to the sum, and how similar it is; as soon as it cannot reach the least any more, nothing."""
    score, similar, to_come = 0.0, 0.0, 1.0
    for (_, leaf, share), one, two in zip(columns, expected, actual, strict=True):
        if type(one) is str and one == two and leaf.equal_text_matches:
            score += share
            similar += share
        else:
            try:
                similarity = leaf.similarity(one, two)
            except Incomparable:
                similarity = -1.0  # which is below every line, even one that everything passes
            if similarity >= leaf.passes_at:
                score += share * similarity if leaf.graded else share
            if similarity > 0.0:
                similar += share * similarity
        to_come -= share
        if score + TIE_BREAK * similar + _MOST * to_come < least:
            return -1.0, 0.0
    return score + TIE_BREAK * similar, similar
