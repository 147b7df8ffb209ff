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


def pair_by_key(left: Keys, right: Keys, key: Sequence[KeyField], measure_all: MeasureAll) -> Pairs:
    """Pair rows whose keys are equal, then rows whose keys pass."""
    pairs = _pair_equal_keys(left, right)
    rows, others = [index for index, _ in pairs], [index for _, index in pairs]
    left = {index: values for index, values in left.items() if index not in set(rows)}
    right = {index: values for index, values in right.items() if index not in set(others)}
    if left and right and not all(field.leaf.match.unequal_is_zero for field in key):
        pairs += _pair_passing_keys(left, right, key, measure_all)
    return sorted(pairs)


def read_keys(rows: Sequence[Any], key: Sequence[KeyField]) -> Keys:
    """Return the keys of the rows that have one; an empty value is None."""
    keys: Keys = {}
    for index, row in enumerate(rows):
        values = tuple([None if is_empty(value) else value for value in (field.read(row) for field in key)])
        if any(value is not None for value in values):
            keys[index] = values
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
    import numpy as np

    passes: Any = True
    for number, field in enumerate(key):
        sides = [[values[number] for values in keys.values()] for keys in (left, right)]
        passes = passes & (measure_all(field.leaf, *sides).scores > 0.0)
    rows, others, taken = list(left), list(right), np.zeros(len(right), dtype=bool)
    pairs: Pairs = []
    for row, allowed in zip(rows, passes, strict=True):
        free = np.flatnonzero(allowed & ~taken)
        if free.size:
            taken[free[0]] = True
            pairs.append((row, others[free[0]]))
    return pairs
