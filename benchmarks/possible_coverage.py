"""Counts of cases of each kind → whether any interval can hold the true figure in 93 to 97 % of the samples.

Samples of few cases take few values. The intervals that are tried are all that

- are monotone: a case that turns into a worse kind never moves a bound up;
- hold the truth in at least 93 % of the samples, whatever the shares of the kinds are that give the same true figure;
- leave out at most 5 % of the samples at each end.

The best of them is found by integer programming. What it covers is the least that can be reached at these shares.
"""

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, sparse, special

LOW, HIGH = 0.93, 0.97
MOST_LEFT_OUT = 0.05
_MOST_OUTCOMES = 1_000
"""Above this number the search takes minutes, and coverage outside the bounds counts as avoidable."""
_STEPS = 40

Floats = NDArray[np.float64]
Shares = tuple[float, ...]


class Coverage(NamedTuple):
    share: float
    is_possible: bool
    """Whether any interval could cover between 93 and 97 %."""

    def __str__(self) -> str:
        return f"{100 * self.share:.1f}" + ("" if self.is_possible else r"\*")


def judge_coverage(share: float, can_reach: Callable[[], bool]) -> Coverage:
    """Ask whether the bounds can be reached only where they are missed."""
    return Coverage(share, LOW <= share <= HIGH or can_reach())


def has_fitting_range(chances: Floats) -> bool:
    """Whether any range of values, without at most 5 % at each end, has a probability within the bounds."""
    ends = np.concatenate([[0.0], np.cumsum(chances)])
    left, right = ends[ends <= MOST_LEFT_OUT], ends[ends >= 1 - MOST_LEFT_OUT]
    return bool((np.searchsorted(right, left + HIGH, side="right") > np.searchsorted(right, left + LOW)).any())


def can_cover(cases: int, shares: Shares, others: Iterable[Shares], empty: int | None = None) -> bool:
    """Whether an interval is within the bounds at these shares of kinds, best first, and covers at the others too.

    The figure of a sample is undefined if all its cases are of the empty kind; such samples are left out.
    """
    outcomes = list_outcomes(cases, len(shares))
    if len(outcomes) > _MOST_OUTCOMES:
        return True
    is_defined = np.ones(len(outcomes)) if empty is None else outcomes[:, empty] < cases
    chances = np.array([compute_chances(outcomes, each) * is_defined for each in (shares, *others)])
    return find_least_coverage(chances / chances.sum(axis=1, keepdims=True), _list_steps(outcomes)) <= HIGH


def list_outcomes(cases: int, kinds: int) -> Floats:
    """List how often each kind can occur among so many cases."""
    bars = np.array(list(itertools.combinations(range(cases + kinds - 1), kinds - 1)))
    ends = np.full((len(bars), 1), -1), np.full((len(bars), 1), cases + kinds - 1)
    return (np.diff(np.column_stack([ends[0], bars, ends[1]])) - 1).astype(float)


def compute_chances(outcomes: Floats, shares: Shares) -> Floats:
    ways = special.gammaln(outcomes.sum(axis=1) + 1) - special.gammaln(outcomes + 1).sum(axis=1)
    return np.asarray(np.exp(ways + special.xlogy(outcomes, np.maximum(shares, 0.0)).sum(axis=1)))


def _list_steps(outcomes: Floats) -> NDArray[np.int64]:
    """List pairs of outcomes: in the second, one case is of the next worse kind."""
    places = {tuple(outcome): place for place, outcome in enumerate(outcomes.astype(int).tolist())}
    steps = []
    for outcome, place in places.items():
        for kind in range(len(outcome) - 1):
            worse = (*outcome[:kind], outcome[kind] - 1, outcome[kind + 1] + 1, *outcome[kind + 2 :])
            if worse in places:
                steps.append((place, places[worse]))
    return np.array(steps)


def find_least_coverage(chances: Floats, steps: NDArray[np.int64]) -> float:
    """Return the least coverage, in the setting of the first row, of an interval that is allowed in all rows.

    Each outcome may lie below the truth's acceptance, above it, or in it: two numbers of 0 or 1 for each outcome.
    """
    count = chances.shape[1]
    number = np.tile(np.arange(len(steps)), 2)
    signs = np.repeat([1.0, -1.0], len(steps))
    order = sparse.csr_matrix((signs, (number, steps.T.ravel())), shape=(len(steps), count))
    rows, one, none = sparse.csr_matrix(chances), sparse.eye(count), sparse.csr_matrix((len(steps), count))
    blank = sparse.csr_matrix(chances.shape)
    blocks = [[order, none], [none, -order], [one, one], [rows, rows], [rows, blank], [blank, rows]]
    most = [0.0, 0.0, 1.0, 1 - LOW, MOST_LEFT_OUT, MOST_LEFT_OUT]
    limits = np.concatenate([np.full(block[0].shape[0], limit) for block, limit in zip(blocks, most, strict=True)])
    found = optimize.milp(
        -np.tile(chances[0], 2),
        constraints=optimize.LinearConstraint(sparse.bmat(blocks).tocsr(), -np.inf, limits),
        bounds=optimize.Bounds(0, 1),
        integrality=np.ones(2 * count),
    )
    return 1 + float(found.fun)


def vary_moves(broken: float, fixed: float) -> list[Shares]:
    """List shares of pairs that are fixed, the same and broken, with the same change of the pass rate."""
    change = fixed - broken
    totals = abs(change) + (1 - abs(change)) * np.linspace(0, 1, _STEPS) ** 2
    return [((total + change) / 2, 1 - total, (total - change) / 2) for total in totals.tolist()]


def vary_values(right: float, wrong: float) -> list[Shares]:
    """List shares of documents whose value is right, that have none, and whose value is wrong, with the same ratio."""
    ratio = right / (right + wrong)
    return [(ratio * share, 1 - share, (1 - ratio) * share) for share in np.linspace(0, 1, _STEPS)[1:].tolist()]


def vary_errors(shares: Sequence[float]) -> list[Shares]:
    """List shares of documents that are right, have none, have half an error, and a whole one, with the same F1.

    A value that is missed or invented is half an error, a misread one is both.
    """
    right, none, half, whole = shares
    f1 = 2 * right / (2 * right + half + 2 * whole)
    found: list[Shares] = []
    for part, empty in itertools.product(np.linspace(0, 1, 12).tolist(), np.linspace(0, 0.8, 5) if none else [0.0]):
        odds = f1 * (1 + part) / (2 * (1 - f1))
        wrong = (1 - empty) / (1 + odds)
        found.append((odds * wrong, float(empty), (1 - part) * wrong, part * wrong))
    return found
