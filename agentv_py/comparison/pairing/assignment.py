"""The measures of all pairs → pairs of indexes: greedily, or with the best sum."""

from collections import defaultdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix

Pairs = list[tuple[int, int]]

# Among equal sums of scores the sum of similarities decides. Even a thousand pairs add less than a difference of 1e-6.
TIE_BREAK = 1e-9
# If both sums are equal, a row that is not blank is paired first, because it costs without a partner.
_FILLED = 1e-12
# If both sums are equal, rows between which nothing counts are paired too, because such a pair costs nothing.
_FREE = 1e-13


def pair_greedily(similarities: "Matrix", threshold: float, free: Any = None) -> Pairs:
    """Take the most similar pair first, and free pairs last; ties go by expected index, then by actual index.

    `free` marks the pairs between which nothing counts.
    """
    import numpy as np

    allowed = _find_allowed(similarities, threshold)
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


def pair_optimally(
    scores: "Matrix", similarities: "Matrix", threshold: float, free: Any = None, filled: "Matrix | None" = None
) -> Pairs:
    """Return the pairs with the highest sum of scores and, among equal sums, of similarities.

    `filled` says how many rows of a pair are not blank; None if no row is blank. If both sums are equal, blank rows
    stay without a partner.
    """
    import numpy as np

    allowed = _find_allowed(similarities, threshold)
    gains = compute_gains(scores if filled is None else scores + _FILLED * filled, similarities, threshold)
    if free is not None:
        gains, allowed = np.where(free, _FREE, gains), allowed | free
    rows, columns = solve(gains)
    solved = zip(rows.tolist(), columns.tolist(), strict=True)
    pairs = _order_equal_rows([(row, column) for row, column in solved if allowed[row, column]], gains)
    transposed = _order_equal_rows([(column, row) for row, column in pairs], gains.T)
    return sorted((row, column) for column, row in transposed)


def compute_gains(scores: "Matrix", similarities: "Matrix", threshold: float) -> "Matrix":
    """Return what each pair adds to the sum that is maximized; 0 for a pair that is not allowed."""
    gains = TIE_BREAK * similarities
    gains += scores
    gains *= _find_allowed(similarities, threshold)
    return gains


def solve(gains: "Matrix") -> tuple[Any, Any]:
    """Return the rows and columns of the pairs with the highest sum of gains."""
    import lap

    _, rows, columns = lap.lapjvx(1.0 - gains, extend_cost=True)
    return rows, columns


def _order_equal_rows(pairs: Pairs, gains: "Matrix") -> Pairs:
    """Among equal rows, give the earlier row the earlier partner. The solver returns them in any order."""
    sums = gains.view("int64").sum(axis=1).tolist()  # of the bits, as whole numbers: exact, whatever is added first
    if len(set(sums)) == len(sums):
        return sorted(pairs)
    equal: defaultdict[bytes, list[int]] = defaultdict(list)
    for row in range(gains.shape[0]):
        equal[gains[row].tobytes()].append(row)
    if len(equal) < gains.shape[0]:
        partners = dict(pairs)
        pairs = []
        for rows in equal.values():
            taken = sorted(partners[row] for row in rows if row in partners)
            pairs.extend(zip(rows, taken, strict=False))
    return sorted(pairs)


def _find_allowed(similarities: "Matrix", threshold: float) -> Any:
    return (similarities > 0.0) & (similarities >= threshold - TIE_BREAK)
