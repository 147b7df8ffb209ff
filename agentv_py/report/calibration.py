"""How many values are right and wrong at each confidence → how far confidence can be trusted, and from where on."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from agentv_py.report.confidence import ConfidenceTally
from agentv_py.report.statistics import compute_beta_share

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[Any]

LEAST_OBSERVATIONS = 30
ACCURACIES = (0.99, 0.95, 0.9)
"""The accuracies for which a threshold is searched."""
BUDGETS = (0.05, 0.1, 0.2)
"""The shares of values that people review."""
BINS = 10
_STEPS = 20
_RISK = 0.05
_STARTS = (1, 3)


class Bin(NamedTuple):
    """The values whose confidence is above `low` and at most `high`; the first bin holds 0 as well."""

    low: float
    high: float
    size: int
    confidence: float | None
    accuracy: float | None


class CurvePoint(NamedTuple):
    """If every value from this confidence on is accepted: their share of all values, and their accuracy."""

    threshold: float
    coverage: float
    accuracy: float


class Acceptance(NamedTuple):
    """The lowest confidence from which on values are known to be right often enough."""

    least: float
    """The accuracy that is needed. That it is reached is 95 % sure."""
    point: CurvePoint | None
    """None if no confidence is known to reach it."""
    needed: int
    """The number of values, all of them right, without which it cannot be known."""


class Review(NamedTuple):
    """If people review this share of the values, the least sure ones first: the share of the errors that they catch."""

    budget: float
    caught: float | None


class Calibration(NamedTuple):
    observations: int
    cases: int
    accuracy: float
    confidence: float
    """The mean."""
    auroc: float | None
    brier: float
    ece: float
    aurc: float
    bins: list[Bin]
    curve: list[CurvePoint]
    accept: list[Acceptance]
    review: list[Review]
    is_rounded: bool


def calibrate(tally: ConfidenceTally) -> Calibration | None:
    """Compute the figures; None where there are too few observations."""
    import numpy as np  # only answers that have confidences need it

    values = np.array(sorted(tally.right.keys() | tally.wrong.keys()), dtype=float)
    right = np.array([tally.right.get(value, 0) for value in values.tolist()], dtype=np.int64)
    wrong = np.array([tally.wrong.get(value, 0) for value in values.tolist()], dtype=np.int64)
    total = int(right.sum() + wrong.sum())
    if total < LEAST_OBSERVATIONS:
        return None
    counts = right + wrong
    bins = _fill_bins(values, right, counts)
    steps = _list_steps(values, right, wrong)
    risks = np.cumsum(wrong[::-1]) / np.cumsum(counts[::-1])
    return Calibration(
        observations=total,
        cases=tally.cases,
        accuracy=float(right.sum() / total),
        confidence=float(values @ counts / total),
        auroc=_compute_auroc(right, wrong),
        brier=float((right @ (1 - values) ** 2 + wrong @ values**2) / total),
        ece=_compute_ece(bins, total),
        aurc=float(counts[::-1] @ risks / total),
        bins=bins,
        curve=[step.point for step in steps],
        accept=[_find_acceptance(steps, least, total, _measure_design(tally)) for least in ACCURACIES],
        review=[Review(budget, _share_caught(wrong, counts, budget * total)) for budget in BUDGETS],
        is_rounded=tally.is_rounded,
    )


def _compute_auroc(right: "Numbers", wrong: "Numbers") -> float | None:
    """Compute the chance that a right value has a higher confidence than a wrong one; a tie counts one half."""
    pairs = int(right.sum()) * int(wrong.sum())
    if not pairs:
        return None
    below = wrong.cumsum() - wrong
    return float(right @ (below + wrong / 2) / pairs)


def _fill_bins(values: "Numbers", right: "Numbers", counts: "Numbers") -> list[Bin]:
    import numpy as np

    edges = np.linspace(0, 1, BINS + 1)
    numbers = np.searchsorted(edges[1:-1], values)
    bins = []
    for number in range(BINS):
        inside = numbers == number
        count = int(counts[inside].sum())
        means = (values[inside] @ counts[inside] / count, right[inside].sum() / count) if count else (None, None)
        bins.append(
            Bin(round(float(edges[number]), 6), round(float(edges[number + 1]), 6), count, *map(_as_float, means))
        )
    return bins


def _as_float(value: Any) -> float | None:
    return None if value is None else float(value)


def _compute_ece(bins: Sequence[Bin], total: int) -> float:
    gaps = (
        b.size * abs(b.accuracy - b.confidence) for b in bins if b.accuracy is not None and b.confidence is not None
    )
    return sum(gaps) / total


def _share_caught(wrong: "Numbers", counts: "Numbers", reviewed: float) -> float | None:
    """Return the share of errors among the values that are reviewed; of equal confidences, any may come first."""
    import numpy as np

    if not wrong.sum():
        return None
    ends = np.concatenate(([0], counts.cumsum()))
    caught = np.concatenate(([0], wrong.cumsum()))
    return float(np.interp(reviewed, ends, caught) / wrong.sum())


class _Step(NamedTuple):
    point: CurvePoint
    accepted: int
    errors: int


def _list_steps(values: "Numbers", right: "Numbers", wrong: "Numbers") -> list[_Step]:
    """List the thresholds at which each further twentieth of the values is accepted, the highest first."""
    import numpy as np

    accepted, errors = (right + wrong)[::-1].cumsum(), wrong[::-1].cumsum()
    total = int(accepted[-1])
    ends = np.searchsorted(accepted, [math.ceil(total * step / _STEPS) for step in range(1, _STEPS + 1)])
    steps = []
    for end in np.unique(ends).tolist():
        number, wrong_ones = int(accepted[end]), int(errors[end])
        point = CurvePoint(float(values[::-1][end]), number / total, 1 - wrong_ones / number)
        steps.append(_Step(point, number, wrong_ones))
    return steps


def _measure_design(tally: ConfidenceTally) -> float:
    """Return the design effect: how many values say as much as one value of a case of its own, at least 1.

    Few errors cannot show whether errors come together. So one more case of mean size is assumed that has three errors.
    """
    values = sum(tally.right.values()) + sum(tally.wrong.values())
    size = values / tally.cases
    errors = min(3.0, size)
    total, cases = values + size, tally.cases + 1
    share = (sum(tally.wrong.values()) + errors) / total
    if share >= 1:
        return 1.0
    squares, products = tally.wrong_squares + errors**2, tally.products + errors * size
    spread = squares - 2 * share * products + share**2 * (tally.size_squares + size**2)
    variance = spread * cases / (cases - 1) / total**2
    return max(1.0, variance / (share * (1 - share) / total))


def _find_acceptance(steps: Sequence[_Step], least: float, total: int, design: float) -> Acceptance:
    """Find the lowest threshold whose accuracy is known to be at least this.

    Thresholds are tested in a fixed order, from the highest one down to the first that fails, so that the choice of the
    threshold needs no correction (fixed-sequence testing). There are two such sequences, each with half of the risk:
    one begins where errors are hardly allowed, the other where a few are. A test compares Clopper's and Pearson's bound
    with the accuracy, for the number of values that the errors' design effect leaves (Korn and Graubard).
    """
    risk = _RISK / len(_STARTS)
    needed = math.ceil(math.log(risk) / math.log(least))
    found: _Step | None = None
    for start in _STARTS:
        first = min(start * needed * design, total)
        for step in steps:
            if step.accepted < first:
                continue
            if not _is_accurate(step, least, risk, design):
                break
            if found is None or step.accepted > found.accepted:
                found = step
    return Acceptance(least, None if found is None else found.point, math.ceil(needed * design))


def _is_accurate(step: _Step, least: float, risk: float, design: float) -> bool:
    right, errors = (step.accepted - step.errors) / design, step.errors / design
    return right > 0 and compute_beta_share(least, right, errors + 1) <= risk
