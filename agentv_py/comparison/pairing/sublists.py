"""Two columns of order-free lists → the scores and similarities of all pairs of these lists.

Each distinct pair of lists is paired once, and each distinct pair of their elements is compared once, in one matrix.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import permutations
from math import perm
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import is_empty
from agentv_py.comparison.matchers.exact import identity
from agentv_py.comparison.measure import PairMeasures
from agentv_py.comparison.pairing import assignment
from agentv_py.comparison.pairing.canonical_order import content
from agentv_py.comparison.tree import Field, Leaf, List

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix

AllPairs = Callable[[Field, Sequence[Any], Sequence[Any]], PairMeasures | None]

# As many cells of a matrix at once as take a few megabytes.
_CELLS_AT_ONCE = 1_000_000
# Up to this many ways to pair two lists, trying them all for thousands of lists at once is faster than the solver.
_MOST_WAYS = 120


class _ListMeasures(NamedTuple):
    """Of every pair of distinct lists: its score, its similarity, and 1 where it is not blank."""

    scores: "Matrix"
    similarities: "Matrix"
    tells: "Matrix"


class _Side:
    """The distinct lists of one column, as numbers of their distinct elements in the order of what these hold."""

    def __init__(self, item: Field, values: Sequence[Any]) -> None:
        self.elements: list[Any] = []
        self.lists: list[tuple[int, ...]] = []
        self.codes: list[int | None] = []
        """Of each value the number of its list; None where it is no list."""
        numbers: dict[str, int] = {}
        codes: dict[tuple[int, ...], int] = {}
        for value in values:
            if not isinstance(value, list):
                self.codes.append(None)
                continue
            members = []
            for text, element in sorted(((content(item, element), element) for element in value), key=itemgetter(0)):
                if text not in numbers:
                    numbers[text] = len(numbers)
                    self.elements.append(element)
                members.append(numbers[text])
            self.codes.append(codes.setdefault(tuple(members), len(codes)))
        self.lists = list(codes)

    def by_length(self) -> dict[int, list[int]]:
        """The numbers of the lists that have elements, by how many these are."""
        groups: defaultdict[int, list[int]] = defaultdict(list)
        for number, members in enumerate(self.lists):
            if members:
                groups[len(members)].append(number)
        return groups


def pair_lists(field: List, expected: Sequence[Any], actual: Sequence[Any], all_pairs: AllPairs) -> PairMeasures | None:
    """The measures that the walk would find, or None where not every element counts, or its order does."""
    if field.pairing is None or not field.pairing.order_free or not field.required:
        return None
    left, right = _Side(field.item, expected), _Side(field.item, actual)
    if isinstance(field.item, Leaf) and field.item.match.by_equality and field.item.always_counts:
        measures = _count_equals(field.item, left, right)
    else:
        measures = _pair_by_matrix(field, left, right, all_pairs)
    return None if measures is None else _spread(measures, left, right, expected, actual)


def _count_equals(leaf: Leaf, left: _Side, right: _Side) -> _ListMeasures | None:
    """Where equality alone decides, no pairing is better than one of equals."""
    import numpy as np

    if not leaf.whole and any(isinstance(element, list) for side in (left, right) for element in side.elements):
        return None
    counts = [
        [Counter(map(_equal_as, map(side.elements.__getitem__, one))) for one in side.lists] for side in (left, right)
    ]
    places: defaultdict[Any, list[tuple[int, int]]] = defaultdict(list)
    for number, counter in enumerate(counts[1]):
        for value, times in counter.items():
            places[value].append((number, times))
    tables = {value: np.array(found).T for value, found in places.items()}
    equals, blanks = np.zeros((2, len(left.lists), len(right.lists)))
    for number, counter in enumerate(counts[0]):
        for value, times in counter.items():
            if value in tables:
                columns, others = tables[value]
                both = np.minimum(times, others)
                equals[number, columns] += both
                if value is None:
                    blanks[number, columns] += both
    lengths = _longer(left, right)
    scores = np.divide(equals, lengths, out=np.ones_like(equals), where=lengths > 0)
    return _ListMeasures(scores, scores, np.where(blanks == lengths, 0.0, 1.0))


def _equal_as(element: Any) -> Any:
    return None if is_empty(element) else identity(element)


def _longer(left: _Side, right: _Side) -> "Matrix":
    import numpy as np

    lengths = [np.array([len(one) for one in side.lists], dtype=np.float64) for side in (left, right)]
    return np.maximum(lengths[0][:, None], lengths[1][None, :])


def _pair_by_matrix(field: List, left: _Side, right: _Side, all_pairs: AllPairs) -> _ListMeasures | None:
    import numpy as np

    assert field.pairing is not None  # noqa: S101  for the type checker
    lengths = _longer(left, right)
    scores, similarities = np.where(lengths > 0, np.zeros((2, *lengths.shape)), 1.0)
    tells = np.where(lengths > 0, 1.0, 0.0)
    groups = {
        length: (numbers, np.array([right.lists[number] for number in numbers]))
        for length, numbers in right.by_length().items()
    }
    for band, elements in _bands(left, len(right.elements)) if groups else ():
        columns = all_pairs(field.item, [left.elements[number] for number in elements], right.elements)
        if columns is None or not np.all(columns.counts == 1.0):
            return None
        gains = assignment.gains(columns.scores, columns.similarities, field.pairing.threshold)
        layers = np.stack(np.broadcast_arrays(gains, columns.scores, columns.similarities, columns.tells))
        for number in band:
            rows = layers[:, [elements[member] for member in left.lists[number]]]
            for length, (numbers, members) in groups.items():
                sums, blank = _best_sums(rows, members)
                scores[number, numbers], similarities[number, numbers] = sums / max(rows.shape[1], length)
                tells[number, numbers] = np.where(blank == max(rows.shape[1], length), 0.0, 1.0)
    return _ListMeasures(scores, similarities, tells)


def _bands(side: _Side, width: int) -> Iterator[tuple[list[int], dict[int, int]]]:
    """Some lists at a time, with their elements, each of which has a row in the matrix of the band."""
    band: list[int] = []
    elements: dict[int, int] = {}
    for number, members in enumerate(side.lists):
        if band and (len(elements) + len(members)) * width > _CELLS_AT_ONCE:
            yield band, elements
            band, elements = [], {}
        if members:
            band.append(number)
            for member in members:
                elements.setdefault(member, len(elements))
    if band:
        yield band, elements


def _best_sums(rows: Any, members: Any) -> tuple[Any, Any]:
    """Of one list and many others of one length: the sums of scores and similarities, and how many pairs are blank.

    The layers of the rows are gains, scores, similarities, and whether they tell.
    """
    import numpy as np

    height = max(1, _CELLS_AT_ONCE // (rows.shape[1] * members.shape[1] * 4))
    sums, blank = [], []
    for top in range(0, len(members), height):
        cells = np.moveaxis(rows[:, :, members[top : top + height]], 2, 1)  # layer, list, row, column
        if cells.shape[2] > cells.shape[3]:
            cells = np.swapaxes(cells, 2, 3)
        choice = _best_columns(cells[0])
        gains, scores, similarities, tells = np.take_along_axis(cells, choice[None, :, :, None], axis=3)[..., 0]
        made = gains > 0.0
        sums.append((np.stack([scores, similarities]) * made).sum(axis=2))
        blank.append((made & (tells == 0.0)).sum(axis=1))
    return np.concatenate(sums, axis=1), np.concatenate(blank)


def _best_columns(gains: Any) -> Any:
    """Of many matrices that are no higher than wide: for each row its column in a pairing of the highest sum."""
    import numpy as np

    choice = gains.argmax(axis=2)
    taken = np.sort(choice, axis=1)
    clashes = np.flatnonzero((taken[:, 1:] == taken[:, :-1]).any(axis=1))  # else every row has the best there is
    if not clashes.size:
        return choice
    height, width = gains.shape[1:]
    if perm(width, height) <= _MOST_WAYS:
        ways = _ways(height, width)
        choice[clashes] = ways[gains[clashes][:, np.arange(height), ways].sum(axis=2).argmax(axis=1)]
    else:
        for index in clashes.tolist():
            rows, columns = assignment.solve(gains[index])
            choice[index, rows] = columns
    return choice


@lru_cache(maxsize=64)
def _ways(height: int, width: int) -> Any:
    import numpy as np

    return np.array(list(permutations(range(width), height)))


def _spread(
    measures: _ListMeasures, left: _Side, right: _Side, expected: Sequence[Any], actual: Sequence[Any]
) -> PairMeasures:
    """The measures of the values, of which several may be the same list, and some no list."""
    import numpy as np

    if None not in left.codes and None not in right.codes:
        place = np.ix_(*(np.array(side.codes, dtype=np.intp) for side in (left, right)))
        scores, similarities, tells = (layer[place] for layer in measures)
        return PairMeasures(scores, similarities, 1.0, 1.0 if tells.all() else tells)
    blank = np.array([is_empty(one) for one in expected])[:, None] & np.array([is_empty(one) for one in actual])
    scores, similarities, tells = np.where(blank, 1.0, 0.0), np.where(blank, 1.0, 0.0), np.where(blank, 0.0, 1.0)
    lists = [[place for place, code in enumerate(side.codes) if code is not None] for side in (left, right)]
    if all(lists):
        codes = [[code for code in side.codes if code is not None] for side in (left, right)]
        for layer, found in zip((scores, similarities, tells), measures, strict=True):
            layer[np.ix_(*lists)] = found[np.ix_(*codes)]
    counts = np.ones(blank.shape)
    counts[[one is ABSENT for one in expected], :] = 0.0
    return PairMeasures(scores, similarities, counts, tells * counts)
