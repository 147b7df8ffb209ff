"""The counts of documents in two runs → how far F1 changed, and whether that is more than chance.

F1 is a ratio of sums over documents. So its change is a sum over documents as well: what each document adds to the sums
of its run, beyond what the F1 of both runs together lets expect. These differences are tested as those of scores are.
"""

from typing import TYPE_CHECKING

from agentv_py.report.diff.significance import Shift, estimate_shift

if TYPE_CHECKING:
    from agentv_py.report.diff.flips import Floats


def estimate_f1_shift(before: "Floats", after: "Floats", seed: int) -> Shift | None:
    """Estimate the change of F1; each row has the tp, fp and fn of a document, in the same order on both sides.

    None if a side has nothing to count.
    """
    differences = find_f1_differences(before, after)
    return None if differences is None else estimate_shift(differences, None, seed)


def find_f1_differences(before: "Floats", after: "Floats") -> "Floats | None":
    """Return differences whose mean is the change of F1, of the documents that count; None if a side has none."""
    old, new = 2 * before[:, 0], 2 * after[:, 0]
    old_size, new_size = old + before[:, 1] + before[:, 2], new + after[:, 1] + after[:, 2]
    counts = (old_size > 0) | (new_size > 0)
    old, new, old_size, new_size = (each[counts] for each in (old, new, old_size, new_size))
    old_total, new_total = float(old_size.sum()), float(new_size.sum())
    if not old_total or not new_total:
        return None
    ratio = float(old.sum() + new.sum()) / (old_total + new_total)
    scale = len(old) * (old_total + new_total) / (2 * old_total * new_total)
    return ((new - old) - ratio * (new_size - old_size)) * scale
