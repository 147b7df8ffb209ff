"""Two short lists → their pairs, where every row's best partner is beyond doubt.

When each row of the shorter side has one best partner, and no two rows have the same, no other pairing can reach a
higher sum. Rows that match fully are at the highest gain there is; a pair that cannot reach a row's best any more is
given up after the leaves that showed it. Wherever there is a doubt (a tie, two rows that want the same partner, an
empty value, a pair below the threshold) the answer is None, and all pairs are measured.

Where equality decides the first column, pairs that are unlike there gain little. If also no two rows of a side are
equal there, most of them need no look at all: a pair of equals holds together by what it gains above that little. Half
of this outweighs whatever its first row would gain elsewhere, the other half whoever might want its second row; these
halves are what linear programming calls a dual solution, and prove the pairing optimal.
"""

import math
from collections.abc import Collection, Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from agentv_py.comparison.matchers.base import Incomparable
from agentv_py.comparison.pairing.assignment import TIE_BREAK
from agentv_py.comparison.pairing.columns import Column
from agentv_py.comparison.tree import Pairing

Values = list[tuple[Any, ...]]

_TEXT = {str}
_NUMBERS = {int, float, bool}

# Beyond this many pairs matrices are faster: where equality decides the first column, and elsewhere.
_MOST_PAIRS_BY_EQUALITY = 900
_MOST_PAIRS = 150
_DOUBT = 1e-12
# What a full match adds to the sum.
_MOST = 1.0 + TIE_BREAK


def applies(pairing: Pairing, expected: Sequence[Any], actual: Sequence[Any]) -> bool:
    """Whether it is worth a try."""
    if not pairing.columns or pairing.matching != "optimal" or pairing.key:
        return False
    most = _MOST_PAIRS_BY_EQUALITY if pairing.columns[0].by_equality else _MOST_PAIRS
    return 0 < len(expected) * len(actual) <= most


def pairs(
    columns: Sequence[Column], expected: Sequence[Any], actual: Sequence[Any], threshold: float
) -> tuple[list[tuple[int, int]], set[int]] | None:
    """The pairs with the highest sum, and those expected rows that match fully; None where that takes a closer look."""
    left, right = _values(columns, expected), _values(columns, actual)
    if left is None or right is None:
        return None
    swapped = len(left) > len(right)
    search = _Search(columns, *((right, left) if swapped else (left, right)), swapped=swapped)
    full = search.full_matches()
    if full is None:
        return None
    found, taken = dict(full), set(full.values())
    for index, best in search.choices(full):
        if best.partner is None or best.partner in taken or best.doubt or best.similar < threshold or not best.similar:
            return None
        found[index] = best.partner
        taken.add(best.partner)
    if swapped:
        return sorted((other, index) for index, other in found.items()), set(full.values())
    return sorted(found.items()), set(full)


def _values(columns: Sequence[Column], rows: Sequence[Any]) -> Values | None:
    """The values to compare, row by row; None where one is empty, or a column is not all text or all numbers."""
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
    for column in zip(*values, strict=True):
        kinds = set(map(type, column))
        if not (all(map(str.strip, column)) if kinds == _TEXT else kinds <= _NUMBERS):
            return None
    return values


class _Best(NamedTuple):
    """The partner with the highest gain so far."""

    gain: float = 0.0
    similar: float = 0.0
    partner: int | None = None
    doubt: bool = False
    """Whether another one gains as much."""


class _Search:
    """Rows that seek their partners, and those that they choose from."""

    def __init__(self, columns: Sequence[Column], seekers: Values, offered: Values, *, swapped: bool) -> None:
        self.columns = columns
        self.seekers = seekers
        self.offered = offered
        self.swapped = swapped
        self.places: dict[Any, list[int]] = {}
        """Where the offered rows are, by their value in the first column."""
        for index, row in enumerate(offered):
            self.places.setdefault(row[0], []).append(index)
        first = columns[0]
        self.unlike = _MOST * (1.0 - first.share) if first.by_equality else math.inf
        """What a pair gains at most that is not equal in the first column."""
        self.distinct = len(self.places) == len(offered) and len({row[0] for row in seekers}) == len(seekers)
        self.held = [0.0] * len(offered)
        """How much whoever takes this row away would have to gain beyond its best."""

    def full_matches(self) -> dict[int, int] | None:
        """Rows and the partners that equal them, first come, first served; None where equals do not match fully."""
        found: dict[int, int] = {}
        taken: set[int] = set()
        for index, row in enumerate(self.seekers):
            for other in self.places.get(row[0], ()):
                if self.offered[other] == row and other not in taken:
                    if not _is_full(self.columns, *self._sides(row, other)):
                        return None
                    found[index] = other
                    taken.add(other)
                    self._hold(other, _MOST)
                    break
        return found

    def choices(self, full: Collection[int]) -> Iterator[tuple[int, _Best]]:
        """The choice of each row that has no full match."""
        unsure: list[tuple[int, _Best]] = []
        for index, row in enumerate(self.seekers):
            if index in full:
                continue
            best = self._best(row, self.places.get(row[0], ()), _Best(), 0)
            if best.partner is not None and best.gain > self.unlike + _DOUBT:
                self._hold(best.partner, best.gain)
                yield index, best
            else:
                unsure.append((index, best))
        for index, best in unsure:
            row = self.seekers[index]
            enough = self.unlike + _DOUBT - best.gain
            others = [n for n, held in enumerate(self.held) if held <= enough and self.offered[n][0] != row[0]]
            yield index, self._best(row, others, best, 1 if self.columns[0].by_equality else 0)

    def _hold(self, partner: int, gain: float) -> None:
        if self.distinct:
            self.held[partner] = max(0.0, (gain - self.unlike) / 2.0 - _DOUBT)

    def _best(self, row: tuple[Any, ...], others: Sequence[int], best: _Best, start: int) -> _Best:
        for other in others:
            gain, similar = _gain(self.columns, *self._sides(row, other), start, best.gain - _DOUBT)
            if gain > best.gain + _DOUBT:
                best = _Best(gain, similar, other)
            elif gain >= best.gain - _DOUBT:
                best = best._replace(doubt=True)
        return best

    def _sides(self, row: tuple[Any, ...], other: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        return (self.offered[other], row) if self.swapped else (row, self.offered[other])


def _is_full(columns: Sequence[Column], expected: tuple[Any, ...], actual: tuple[Any, ...]) -> bool:
    """Whether rows that are equal in Python match fully."""
    for (_, _, _, similarity, _, _, texts, numbers), one, two in zip(columns, expected, actual, strict=True):
        if texts if type(one) is str else numbers and type(one) is type(two) is float and one - two == 0.0:
            continue
        try:
            if similarity(one, two) != 1.0:
                return False
        except Incomparable:
            return False
    return True


def _gain(
    columns: Sequence[Column], expected: tuple[Any, ...], actual: tuple[Any, ...], start: int, least: float
) -> tuple[float, float]:
    """What a pair adds to the sum, and how similar it is; as soon as it cannot reach the least any more, nothing.

    A start of 1 leaves out the first column, in which they are known to be unlike.
    """
    score, similar, to_come = 0.0, 0.0, 1.0
    if start:
        to_come -= columns[0].share
        columns, expected, actual = columns[1:], expected[1:], actual[1:]
    for column, one, two in zip(columns, expected, actual, strict=True):
        _, share, _, similarity, passes_at, graded, texts, numbers = column
        if (
            texts and one == two
            if type(one) is str
            else numbers and type(one) is type(two) is float and one - two == 0.0
        ):
            score += share
            similar += share
        else:
            try:
                near = similarity(one, two)
            except Incomparable:
                near = -1.0  # which is below every line, even one that everything passes
            if near >= passes_at:
                score += share * near if graded else share
            if near > 0.0:
                similar += share * near
        to_come -= share
        if score + TIE_BREAK * similar + _MOST * to_come < least:
            return -1.0, 0.0
    return score + TIE_BREAK * similar, similar
