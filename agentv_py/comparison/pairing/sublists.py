"""Two columns of order-free lists → the measures of all pairs of these lists.

The rows of each distinct pair of lists are paired once, and each distinct pair of elements is compared once, in one
matrix. Blank elements are set aside: they match each other, and cost nothing without a partner.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import PairMeasures, is_empty
from agentv_py.comparison.matchers.exact import identity_of
from agentv_py.comparison.pairing import assignment
from agentv_py.comparison.pairing.best_sums import CELLS_AT_ONCE, sum_best_pairs
from agentv_py.comparison.pairing.canonical_order import write_content
from agentv_py.comparison.tree import Field, Leaf, List, always_counts
from agentv_py.comparison.unpaired import has_leaves

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix

MeasureAllPairs = Callable[[Field, Sequence[Any], Sequence[Any]], PairMeasures | None]


class _ListMeasures(NamedTuple):
    """The score and the similarity of every pair of distinct lists, and 1 if the pair is not blank, else 0."""

    scores: "Matrix"
    similarities: "Matrix"
    has_content: "Matrix"


class _DistinctLists:
    """The distinct lists of one column, each as the numbers of its distinct elements in canonical order."""

    def __init__(self, item: Field, values: Sequence[Any]) -> None:
        self.elements: list[Any] = []
        """The elements that are not blank."""
        self.lists: list[tuple[int, ...]] = []
        self.blanks: list[int] = []
        """The number of blank elements of each list."""
        self.codes: list[int | None] = []
        """The number of each value's list; None if the value is no list."""
        numbers: dict[str, int] = {}
        codes: dict[tuple[tuple[int, ...], int], int] = {}
        for value in values:
            if not isinstance(value, list):
                self.codes.append(None)
                continue
            members = []
            filled = [element for element in value if has_leaves("extra", item, element)]
            contents = [(write_content(item, element), element) for element in filled]
            for text, element in sorted(contents, key=itemgetter(0)):
                if text not in numbers:
                    numbers[text] = len(numbers)
                    self.elements.append(element)
                members.append(numbers[text])
            self.codes.append(codes.setdefault((tuple(members), len(value) - len(filled)), len(codes)))
        self.lists, self.blanks = [members for members, _ in codes], [blanks for _, blanks in codes]

    def group_by_length(self) -> dict[int, list[int]]:
        """Return the numbers of the lists that are not empty, by their length."""
        groups: defaultdict[int, list[int]] = defaultdict(list)
        for number, members in enumerate(self.lists):
            if members:
                groups[len(members)].append(number)
        return groups


def measure_lists(
    field: List, expected: Sequence[Any], actual: Sequence[Any], measure_all_pairs: MeasureAllPairs
) -> PairMeasures | None:
    """Return the measures that the walk would return; None if an element may not count, or if the order counts."""
    if field.pairing is None or not field.pairing.is_order_free or not always_counts(field.item):
        return None
    left, right = _DistinctLists(field.item, expected), _DistinctLists(field.item, actual)
    if (any(left.blanks) or any(right.blanks)) and _has_record(field.item):
        return None  # a blank row may match another one in its labelled leaves
    if isinstance(field.item, Leaf) and field.item.match.unequal_is_zero:
        sums = _count_equals(field.item, left, right)
    else:
        sums = _pair_by_matrix(field, left, right, measure_all_pairs)
    if sums is None:
        return None
    return _spread_over_values(_divide_sums(*sums, left, right), field, left, right, expected, actual)


def _has_record(item: Field) -> bool:
    return not isinstance(item, Leaf) and not (isinstance(item, List) and not _has_record(item.item))


def _divide_sums(
    scores: "Matrix", similarities: "Matrix", left: _DistinctLists, right: _DistinctLists
) -> _ListMeasures:
    """Return the measures of lists from the sums of their pairs that are not blank."""
    import numpy as np

    blanks = np.minimum.outer(np.array(left.blanks, dtype=np.float64), np.array(right.blanks, dtype=np.float64))
    filled = _compute_lengths(left, right)
    rows = filled + blanks
    shares = np.divide(scores + blanks, rows, out=np.ones_like(rows), where=rows > 0)
    likeness = np.divide(similarities, filled, out=np.ones_like(rows), where=filled > 0)
    return _ListMeasures(shares, likeness, np.where(filled > 0, 1.0, 0.0))


def _count_equals(leaf: Leaf, left: _DistinctLists, right: _DistinctLists) -> tuple["Matrix", "Matrix"] | None:
    """Sum up pairs of lists under a match type that equality decides: the best pairing pairs equal elements."""
    import numpy as np

    elements = [*left.elements, *right.elements]
    if not leaf.compare_list_as_value and any(isinstance(element, list) for element in elements):
        return None
    counts = [
        [Counter([identity_of(side.elements[member]) for member in members]) for members in side.lists]
        for side in (left, right)
    ]
    places: defaultdict[Any, list[tuple[int, int]]] = defaultdict(list)
    for number, counter in enumerate(counts[1]):
        for value, times in counter.items():
            places[value].append((number, times))
    tables = {value: np.array(entries).T for value, entries in places.items()}
    equals = np.zeros((len(left.lists), len(right.lists)))
    for number, counter in enumerate(counts[0]):
        for value, times in counter.items():
            if value in tables:
                columns, others = tables[value]
                equals[number, columns] += np.minimum(times, others)
    return equals, equals


def _compute_lengths(left: _DistinctLists, right: _DistinctLists) -> "Matrix":
    import numpy as np

    lengths = [np.array([len(members) for members in side.lists], dtype=np.float64) for side in (left, right)]
    return np.maximum(lengths[0][:, None], lengths[1][None, :])


def _pair_by_matrix(
    field: List, left: _DistinctLists, right: _DistinctLists, measure_all_pairs: MeasureAllPairs
) -> tuple["Matrix", "Matrix"] | None:
    """Sum up pairs of lists that are paired by the similarity of their elements."""
    import numpy as np

    assert field.pairing is not None  # noqa: S101  for the type checker
    scores, similarities = np.zeros((2, len(left.lists), len(right.lists)))
    groups = {
        length: (numbers, np.array([right.lists[number] for number in numbers]))
        for length, numbers in right.group_by_length().items()
    }
    for band, elements in _cut_into_bands(left, len(right.elements)) if groups else ():
        columns = measure_all_pairs(field.item, [left.elements[number] for number in elements], right.elements)
        if columns is None or not np.all(columns.counts == 1.0):
            return None
        gains = assignment.compute_gains(columns.scores, columns.similarities, field.pairing.threshold)
        layers = np.stack([gains, columns.scores, columns.similarities])
        for number in band:
            rows = layers[:, [elements[member] for member in left.lists[number]]]
            for numbers, members in groups.values():
                scores[number, numbers], similarities[number, numbers] = sum_best_pairs(rows, members)
    return scores, similarities


def _cut_into_bands(side: _DistinctLists, width: int) -> Iterator[tuple[list[int], dict[int, int]]]:
    """Yield some lists at a time, with the row that each of their elements has in the matrix of the band."""
    band: list[int] = []
    elements: dict[int, int] = {}
    for number, members in enumerate(side.lists):
        if band and (len(elements) + len(members)) * width > CELLS_AT_ONCE:
            yield band, elements
            band, elements = [], {}
        if members:
            band.append(number)
            for member in members:
                elements.setdefault(member, len(elements))
    if band:
        yield band, elements


def _spread_over_values(
    measures: _ListMeasures,
    field: List,
    left: _DistinctLists,
    right: _DistinctLists,
    expected: Sequence[Any],
    actual: Sequence[Any],
) -> PairMeasures:
    """Return the measures of the values. Several values may be the same list, and some may be no list."""
    import numpy as np

    if None not in left.codes and None not in right.codes:
        place = np.ix_(*(np.array(side.codes, dtype=np.intp) for side in (left, right)))
        scores, similarities, has_content = (layer[place] for layer in measures)
        return PairMeasures(scores, similarities, 1.0, 1.0 if has_content.all() else has_content)
    # A value that is no list is compared as `unpaired.measure_other_shape` says: blank if neither side holds anything.
    nothing = [
        np.array([is_empty(value) for value in expected])[:, None],
        np.array([not has_leaves("missing", field, value) for value in expected])[:, None],
        np.array([is_empty(value) for value in actual]),
        np.array([not has_leaves("extra", field, value) for value in actual]),
    ]
    blank = (nothing[0] & nothing[3]) | (nothing[1] & nothing[2])
    scores, similarities, has_content = np.where(blank, 1.0, 0.0), np.where(blank, 1.0, 0.0), np.where(blank, 0.0, 1.0)
    lists = [[place for place, code in enumerate(side.codes) if code is not None] for side in (left, right)]
    if all(lists):
        codes = [[code for code in side.codes if code is not None] for side in (left, right)]
        for layer, measured in zip((scores, similarities, has_content), measures, strict=True):
            layer[np.ix_(*lists)] = measured[np.ix_(*codes)]
    counts = np.ones(blank.shape)
    counts[[value is ABSENT for value in expected], :] = 0.0
    return PairMeasures(scores, similarities, counts, has_content * counts)
