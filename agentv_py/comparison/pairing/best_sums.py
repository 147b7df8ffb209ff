"""One list and many others of the same length → the sums of their best pairs, in matrices of all of them."""

from functools import lru_cache
from itertools import permutations
from math import perm
from typing import Any

from agentv_py.comparison.pairing import assignment

CELLS_AT_ONCE = 1_000_000
"""This many cells of a matrix take a few megabytes."""
# If two lists can be paired in no more ways, trying all ways for thousands of lists at once beats the solver.
_MOST_WAYS = 120


def sum_best_pairs(rows: Any, members: Any) -> Any:
    """Pair one list with many others of one length; return the sums of scores and similarities.

    The layers of the rows are gains, scores and similarities.
    """
    import numpy as np

    height = max(1, CELLS_AT_ONCE // (rows.shape[1] * members.shape[1] * 3))
    sums = []
    for top in range(0, len(members), height):
        cells = np.moveaxis(rows[:, :, members[top : top + height]], 2, 1)  # layer, list, row, column
        if cells.shape[2] > cells.shape[3]:
            cells = np.swapaxes(cells, 2, 3)
        choice = _choose_columns(cells[0])
        gains, scores, similarities = np.take_along_axis(cells, choice[None, :, :, None], axis=3)[..., 0]
        sums.append((np.stack([scores, similarities]) * (gains > 0.0)).sum(axis=2))
    return np.concatenate(sums, axis=1)


def _choose_columns(gains: Any) -> Any:
    """Return the column of each row in a pairing of the highest sum, for many matrices that are no higher than wide."""
    import numpy as np

    choice = gains.argmax(axis=2)
    taken = np.sort(choice, axis=1)
    clashes = np.flatnonzero(
        (taken[:, 1:] == taken[:, :-1]).any(axis=1)
    )  # without a clash every row has its best column
    if not clashes.size:
        return choice
    height, width = gains.shape[1:]
    if perm(width, height) <= _MOST_WAYS:
        ways = _list_ways(height, width)
        choice[clashes] = ways[gains[clashes][:, np.arange(height), ways].sum(axis=2).argmax(axis=1)]
    else:
        for index in clashes.tolist():
            rows, columns = assignment.solve(gains[index])
            choice[index, rows] = columns
    return choice


@lru_cache(maxsize=64)
def _list_ways(height: int, width: int) -> Any:
    import numpy as np

    return np.array(list(permutations(range(width), height)))
