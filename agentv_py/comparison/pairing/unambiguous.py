"""Two short lists → their pairs, if every row has one clear best partner.

If each row of the shorter list has one best partner, and no two rows have the same, no other pairing has a higher sum.
Rows that match fully have the highest possible gain. A pair is given up as soon as its remaining leaves cannot lift it
to the row's best gain. In any doubt (a tie, two rows with the same best partner, an empty value, a pair below the
threshold) the result is None, and all pairs are measured.

If equality decides the first column, two rows that differ there gain little. If in addition no two rows of a list are
equal there, most pairs need no comparison: two rows that are equal there have a margin, which is their gain minus that
little. Half of the margin is more than the first row could gain with another partner, the other half more than another
row could gain with the second. In linear programming these halves are a dual solution; they prove the pairing optimal.
"""

import math
from collections.abc import Collection, Iterator, Sequence
from operator import itemgetter
from typing import Any, NamedTuple

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.matchers.exact import is_same
from agentv_py.comparison.pairing.assignment import TIE_BREAK
from agentv_py.comparison.pairing.columns import LeafColumn
from agentv_py.comparison.readers.text import is_composed
from agentv_py.comparison.tree import Pairing

Values = list[tuple[Any, ...]]

_TEXT = {str}
_NUMBERS = {int, float, bool}

# Beyond this many pairs matrices are faster: if equality decides the first column, and otherwise.
_MOST_PAIRS_BY_EQUALITY = 900
_MOST_PAIRS = 150
_DOUBT = 1e-12
# The gain of a full match.
_MOST_GAIN = 1.0 + TIE_BREAK


def is_worth_trying(pairing: Pairing, expected: Sequence[Any], actual: Sequence[Any]) -> bool:
    """Whether trying it is likely to be faster than matrices."""
    if not pairing.columns or pairing.matching != "optimal" or pairing.key:
        return False
    most = _MOST_PAIRS_BY_EQUALITY if pairing.columns[0].unequal_is_zero else _MOST_PAIRS
    return 0 < len(expected) * len(actual) <= most


def pair_unambiguous(
    columns: Sequence[LeafColumn], expected: Sequence[Any], actual: Sequence[Any], threshold: float
) -> tuple[list[tuple[int, int]], set[int]] | None:
    """Return the pairs with the highest sum, and the expected rows that match fully; None in any doubt."""
    left, right = _read_values(columns, expected), _read_values(columns, actual)
    if left is None or right is None:
        return None
    swapped = len(left) > len(right)
    search = _Search(columns, *((right, left) if swapped else (left, right)), swapped=swapped)
    full = search.find_full_matches()
    if full is None:
        return None
    partners, taken = dict(full), set(full.values())
    for index, best in search.choose_partners(full):
        if best.partner is None or best.partner in taken or best.doubt or best.similar < threshold or not best.similar:
            return None
        partners[index] = best.partner
        taken.add(best.partner)
    if swapped:
        return sorted((other, index) for index, other in partners.items()), set(full.values())
    return sorted(partners.items()), set(full)


def _read_values(columns: Sequence[LeafColumn], rows: Sequence[Any]) -> Values | None:
    """Return the values of each row; None if a value is empty, or if a column is not all text or all numbers.

    None also for a text whose characters are not composed: it may be the same as another text.
    """
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
        if kinds != _TEXT:
            if not kinds <= _NUMBERS:
                return None
        elif not all(map(str.strip, column)) or not (all(map(str.isascii, column)) or all(map(is_composed, column))):
            return None
    return values


class _Best(NamedTuple):
    """The partner with the highest gain so far."""

    gain: float = 0.0
    similar: float = 0.0
    partner: int | None = None
    doubt: bool = False
    """Whether another partner gains as much."""


class _Search:
    """The rows of the shorter list, and the rows of the other list, which are their candidates."""

    def __init__(self, columns: Sequence[LeafColumn], rows: Values, candidates: Values, *, swapped: bool) -> None:
        self.columns = columns
        self.rows = rows
        self.candidates = candidates
        self.swapped = swapped
        self.indexes: dict[Any, list[int]] = {}
        """A value of the first column → the indexes of the candidates that have it."""
        for index, candidate in enumerate(candidates):
            self.indexes.setdefault(candidate[0], []).append(index)
        first = columns[0]
        self.most_if_unequal = _MOST_GAIN * (1.0 - first.share) if first.unequal_is_zero else math.inf
        """The highest gain of two rows that differ in the first column."""
        self.distinct = len(self.indexes) == len(candidates) and len({row[0] for row in rows}) == len(rows)
        self.margins = [0.0] * len(candidates)
        """For each candidate: by how much another row must exceed its best gain to become its partner."""

    def find_full_matches(self) -> dict[int, int] | None:
        """Return rows with the first candidates that equal them; None if equal rows do not match fully."""
        partners: dict[int, int] = {}
        taken: set[int] = set()
        for index, row in enumerate(self.rows):
            for other in self.indexes.get(row[0], ()):
                if self.candidates[other] == row and other not in taken:
                    if not _is_full(self.columns, *self._order_sides(row, other)):
                        return None
                    partners[index] = other
                    taken.add(other)
                    self._set_margin(other, _MOST_GAIN)
                    break
        return partners

    def choose_partners(self, full: Collection[int]) -> Iterator[tuple[int, _Best]]:
        """Yield the choice of each row that has no full match."""
        open_rows: list[tuple[int, _Best]] = []
        for index, row in enumerate(self.rows):
            if index in full:
                continue
            best = self._improve(row, self.indexes.get(row[0], ()), _Best(), 0)
            if best.partner is not None and best.gain > self.most_if_unequal + _DOUBT:
                self._set_margin(best.partner, best.gain)
                yield index, best
            else:
                open_rows.append((index, best))
        for index, best in open_rows:
            row = self.rows[index]
            enough = self.most_if_unequal + _DOUBT - best.gain
            others = [
                n for n, margin in enumerate(self.margins) if margin <= enough and self.candidates[n][0] != row[0]
            ]
            yield index, self._improve(row, others, best, 1 if self.columns[0].unequal_is_zero else 0)

    def _set_margin(self, partner: int, gain: float) -> None:
        if self.distinct:
            self.margins[partner] = max(0.0, (gain - self.most_if_unequal) / 2.0 - _DOUBT)

    def _improve(self, row: tuple[Any, ...], others: Sequence[int], best: _Best, start: int) -> _Best:
        """Return the best partner of a row among these candidates and the best so far."""
        for other in others:
            gain, similar = _compute_gain(self.columns, *self._order_sides(row, other), start, best.gain - _DOUBT)
            if gain > best.gain + _DOUBT:
                best = _Best(gain, similar, other)
            elif gain >= best.gain - _DOUBT:
                best = best._replace(doubt=True)
        return best

    def _order_sides(self, row: tuple[Any, ...], other: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
        """Return the expected row and the actual row."""
        return (self.candidates[other], row) if self.swapped else (row, self.candidates[other])


def _is_full(columns: Sequence[LeafColumn], expected: tuple[Any, ...], actual: tuple[Any, ...]) -> bool:
    """Whether rows that are equal in Python match fully."""
    for (_, _, _, similarity, _, _, equal_values_match), left, right in zip(columns, expected, actual, strict=True):
        if equal_values_match and (type(left) is str or (type(left) is type(right) is float and left - right == 0.0)):
            continue
        try:
            if similarity(left, right) != 1.0:
                return False
        except Incomparable:
            if not (equal_values_match and is_same(left, right)):
                return False
    return True


def _compute_gain(
    columns: Sequence[LeafColumn], expected: tuple[Any, ...], actual: tuple[Any, ...], start: int, least: float
) -> tuple[float, float]:
    """Return what a pair adds to the sum, and its similarity; -1 and 0 as soon as it cannot reach the least gain.

    A start of 1 leaves out the first column, in which the rows are known to differ.
    """
    score, similar, to_come = 0.0, 0.0, 1.0
    if start:
        to_come -= columns[0].share
        columns, expected, actual = columns[1:], expected[1:], actual[1:]
    for column, left, right in zip(columns, expected, actual, strict=True):
        _, share, _, similarity, passes_at, graded, equal_values_match = column
        if equal_values_match and (
            left == right if type(left) is str else type(left) is type(right) is float and left - right == 0.0
        ):
            score += share
            similar += share
        else:
            try:
                near = similarity(left, right)
            except Incomparable:
                # -1 is below every threshold, even one of 0.
                near = 1.0 if equal_values_match and is_same(left, right) else -1.0
            if near >= passes_at:
                score += share * near if graded else share
            if near > 0.0:
                similar += share * near
        to_come -= share
        if score + TIE_BREAK * similar + _MOST_GAIN * to_come < least:
            return -1.0, 0.0
    return score + TIE_BREAK * similar, similar
