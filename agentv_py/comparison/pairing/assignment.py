"""Two lists → pairs of their indexes: by key, greedily, or at the best sum."""

from collections import defaultdict, deque
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from agentv_py.comparison.comparison import is_empty
from agentv_py.comparison.matchers.exact import identity
from agentv_py.comparison.paths import Get

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix

Pairs = list[tuple[int, int]]

# Among equal sums of scores the sum of similarities decides. A thousand pairs cannot lift it over a difference of 1e-6.
TIE_BREAK = 1e-9
# Among equals in both, more rows are paired where nothing counts between them: that costs neither of them.
_FREE = 1e-13


def by_key(expected: Sequence[Any], actual: Sequence[Any], key: Sequence[Get]) -> Pairs:
    """Rows whose keys are equal, in order of appearance."""
    waiting: defaultdict[Any, deque[int]] = defaultdict(deque)
    for index, row in enumerate(actual):
        waiting[_key(row, key)].append(index)
    pairs: Pairs = []
    for index, row in enumerate(expected):
        partners = waiting.get(_key(row, key))
        if partners:
            pairs.append((index, partners.popleft()))
    return pairs


def _key(row: Any, key: Sequence[Get]) -> tuple[Any, ...]:
    values = [get(row) for get in key]
    return tuple(None if is_empty(value) else identity(value) for value in values)


def greedy(similarities: "Matrix", threshold: float, free: Any = None) -> Pairs:
    """The best pair first, those where nothing counts last; ties go by expected index, then by actual index."""
    import numpy as np

    allowed = _allowed(similarities, threshold)
    if free is not None:
        similarities, allowed = np.where(free, -1.0, similarities), allowed | free
    order = np.argsort(-np.round(similarities, 9), axis=None, kind="stable")  # sums in another order are still ties
    rows, columns = np.unravel_index(order, similarities.shape)
    left, right = set(range(similarities.shape[0])), set(range(similarities.shape[1]))
    pairs: Pairs = []
    for row, column in zip(rows.tolist(), columns.tolist(), strict=True):
        if not (left and right):
            break
        if row in left and column in right and allowed[row, column]:
            pairs.append((row, column))
            left.remove(row)
            right.remove(column)
    return sorted(pairs)


def optimal(scores: "Matrix", similarities: "Matrix", threshold: float, free: Any = None) -> Pairs:
    """The pairs with the highest sum of scores and, among equal sums, of similarities."""
    import numpy as np

    allowed = _allowed(similarities, threshold)
    gain = gains(scores, similarities, threshold)
    if free is not None:
        gain, allowed = np.where(free, _FREE, gain), allowed | free
    rows, columns = solve(gain)
    found = zip(rows.tolist(), columns.tolist(), strict=True)
    pairs = _first_come([(row, column) for row, column in found if allowed[row, column]], gain)
    turned = _first_come([(column, row) for row, column in pairs], np.ascontiguousarray(gain.T))
    return sorted((row, column) for column, row in turned)


def gains(scores: "Matrix", similarities: "Matrix", threshold: float) -> "Matrix":
    """What each pair adds to the sum that is to be the highest; 0 where the pair is not allowed."""
    import numpy as np

    return np.where(_allowed(similarities, threshold), scores + TIE_BREAK * similarities, 0.0)


def solve(gain: "Matrix") -> tuple[Any, Any]:
    """The rows and columns of the pairs with the highest sum of gains."""
    import lap

    _, rows, columns = lap.lapjvx(1.0 - gain, extend_cost=True)
    return rows, columns


def _first_come(pairs: Pairs, gain: "Matrix") -> Pairs:
    """Of rows that are alike in everything the earlier ones get the earlier partners; the solver has no such order."""
    alike: defaultdict[bytes, list[int]] = defaultdict(list)
    for row in range(gain.shape[0]):
        alike[gain[row].tobytes()].append(row)
    if len(alike) < gain.shape[0]:
        partners = dict(pairs)
        pairs = []
        for rows in alike.values():
            taken = sorted(partners[row] for row in rows if row in partners)
            pairs.extend(zip(rows, taken, strict=False))
    return sorted(pairs)


def _allowed(similarities: "Matrix", threshold: float) -> Any:
    return (similarities > 0.0) & (similarities >= threshold - TIE_BREAK)
