"""Rows of two lists and their key → pairs of rows whose keys match.

Rows with equal keys pair first, in order of appearance. Then each row that is left pairs with the first other row left
whose keys all pass, as the comparator of each key says. A row whose keys are all empty has no key: such rows pair among
themselves by similarity.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from typing import Any

from agentv_py.comparison.comparison import PairMeasures, is_empty
from agentv_py.comparison.matchers.exact import identity_of
from agentv_py.comparison.pairing.assignment import Pairs
from agentv_py.comparison.tree import Field, KeyField

Keys = dict[int, tuple[Any, ...]]
"""The index of a row that has a key → the values of its key."""
MeasureAll = Callable[[Field, list[Any], list[Any]], PairMeasures]

# This many cells of a matrix take a few megabytes.
_CELLS_AT_ONCE = 1_000_000


def pair_by_key(left: Keys, right: Keys, key: Sequence[KeyField], measure_all: MeasureAll) -> Pairs:
    """Pair rows whose keys are equal, then rows whose keys pass."""
    pairs = _pair_equal_keys(left, right)
    if all(field.leaf.match.unequal_is_zero for field in key):
        return pairs
    partners = dict(pairs)
    taken = set(partners.values())
    left = {index: values for index, values in left.items() if index not in partners}
    right = {index: values for index, values in right.items() if index not in taken}
    return sorted(pairs + _pair_passing_keys(left, right, key, measure_all)) if left and right else pairs


def read_keys(rows: Sequence[Any], key: Sequence[KeyField]) -> Keys:
    """Return the keys of the rows that have one; an empty value is None."""
    keys, getters = Keys(), [field.read for field in key]
    for index, row in enumerate(rows):
        values = [None if is_empty(value) else value for value in [get(row) for get in getters]]
        if values.count(None) < len(values):
            keys[index] = tuple(values)
    return keys


def _pair_equal_keys(left: Keys, right: Keys) -> Pairs:
    waiting: defaultdict[Any, deque[int]] = defaultdict(deque)
    for index, values in right.items():
        waiting[tuple(map(identity_of, values))].append(index)
    pairs: Pairs = []
    for index, values in left.items():
        partners = waiting.get(tuple(map(identity_of, values)))
        if partners:
            pairs.append((index, partners.popleft()))
    return pairs


def _pair_passing_keys(left: Keys, right: Keys, key: Sequence[KeyField], measure_all: MeasureAll) -> Pairs:
    rows, others, height = list(left), list(right), max(1, _CELLS_AT_ONCE // len(right))
    pairs: Pairs = []
    for top in range(0, len(rows), height):
        band = rows[top : top + height]
        passes: Any = True
        for number, field in enumerate(key):
            sides = [left[row][number] for row in band], [right[other][number] for other in others]
            passes = passes & (measure_all(field.leaf, *sides).scores > 0.0)
        chosen = _choose_first_free(passes)
        pairs += [(band[row], others[other]) for row, other in chosen]
        taken = {other for _, other in chosen}
        others = [other for place, other in enumerate(others) if place not in taken]
        if not others:
            break
    return pairs


def _choose_first_free(passes: Any) -> Pairs:
    """Give each row the first column that passes and that no earlier row has."""
    import numpy as np

    free, pairs = np.ones(passes.shape[1], dtype=bool), Pairs()
    for row, allowed in enumerate(passes):
        columns = np.flatnonzero(allowed & free)
        if columns.size:
            free[columns[0]] = False
            pairs.append((row, int(columns[0])))
    return pairs
