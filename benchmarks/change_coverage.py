"""Changes between two runs as chance draws them → how often their intervals hold the true change."""

from collections.abc import Callable

import held_out_scenarios as held_out
import numpy as np
from possible_coverage import (
    Coverage,
    can_cover,
    compute_chances,
    has_fitting_range,
    judge_coverage,
    list_outcomes,
    vary_moves,
)
from simulated_documents import Draw, Floats, one_value, rows_of_lists

from agentv_py.report.diff.f1_shift import find_f1_differences
from agentv_py.report.diff.flips import Pairs
from agentv_py.report.diff.intervals import find_interval
from agentv_py.report.trend import fit_slope

_MOST_RUNS = 20_000
_MOST_CASES = 3_000_000

Measure = Callable[[int], Coverage]


def count_runs(cases: int) -> int:
    """Return how many runs of so many cases are simulated."""
    return min(_MOST_RUNS, _MOST_CASES // cases)


def lose_a_tenth_of_eight(chance: np.random.Generator, size: tuple[int, int]) -> Floats:
    """Both runs read eight fields of each case, and the second reads each a tenth less often right."""
    right = chance.beta(8, 1, size)
    return (chance.binomial(8, 0.9 * right) - chance.binomial(8, right)) / 8


def measure_mean_shift(draw: Draw, truth: float) -> Measure:
    def measure(cases: int) -> Coverage:
        differences = draw(np.random.default_rng(cases), (count_runs(cases), cases))
        return judge_bounds(find_bounds(differences), truth, differences.mean(axis=1))

    return measure


def compute_rate_shift(broken: float, fixed: float) -> Measure:
    """Compute the coverage over all outcomes, because pairs that break, stay or are fixed have few of them."""

    def measure(cases: int) -> Coverage:
        outcomes, shares = list_outcomes(cases, 3), (fixed, 1 - broken - fixed, broken)
        moves = (np.repeat([1.0, 0.0, -1.0], outcome) for outcome in outcomes.astype(int).tolist())
        low, high = np.array([find_interval(Pairs.build(each, None)) for each in moves]).T
        holds = (low <= fixed - broken + 1e-12) & (fixed - broken - 1e-12 <= high)
        share = float(compute_chances(outcomes, shares) @ holds)
        others = vary_moves(broken, fixed)
        return judge_coverage(share, lambda: can_cover(cases, shares, others))

    return measure


def measure_f1_shift(draw: Draw, again: Draw) -> Measure:
    """Three documents in ten are read again by another system."""

    def measure(cases: int) -> Coverage:
        before, after = _read_twice(np.random.default_rng(0), (1, 10**6), draw, again)
        truth = float(_compute_f1(after)[0] - _compute_f1(before)[0])
        before, after = _read_twice(np.random.default_rng(cases), (count_runs(cases), cases), draw, again)
        found = [find_f1_differences(*sides) for sides in zip(before, after, strict=True)]
        is_defined = np.array([each is not None for each in found])
        bounds = find_bounds([each for each in found if each is not None])
        return judge_bounds(bounds, truth, (_compute_f1(after) - _compute_f1(before))[is_defined])

    return measure


def _read_twice(chance: np.random.Generator, size: tuple[int, int], draw: Draw, again: Draw) -> tuple[Floats, Floats]:
    before = draw(chance, size)
    is_again = chance.random(size) < 0.3
    return before, np.where(is_again[..., None], again(chance, size), before)


def _compute_f1(documents: Floats) -> Floats:
    tp, fp, fn = np.moveaxis(documents.sum(axis=1), -1, 0)
    return np.asarray(2 * tp / np.maximum(2 * tp + fp + fn, 1e-12))


def find_bounds(samples: "Floats | list[Floats]") -> Floats:
    """Find the interval itself, which a diff widens to 0 where its test finds no change."""
    return np.array([find_interval(Pairs.build(each, None)) for each in samples])


def judge_bounds(bounds: Floats, truth: float, figures: Floats) -> Coverage:
    """Return how many bounds hold the truth; the figures show which values a run can have."""
    low, high = bounds.T
    share = float(np.mean((low <= truth + 1e-12) & (truth - 1e-12 <= high)))
    _, times = np.unique(figures.round(9), return_counts=True)
    return judge_coverage(share, lambda: has_fitting_range(times / times.sum()))


def measure_slope(cases: int) -> Coverage:
    """Six runs of eight fields a case, each of which reads one field in fifty less often right than the one before."""
    chance, size = np.random.default_rng(cases), (count_runs(cases), cases)
    right = chance.beta(8, 1, size)
    runs = [chance.binomial(8, (1 - 0.02 * run) * right).mean(axis=1) / 8 for run in range(6)]
    slopes = [fit_slope(list(values)) for values in zip(*(run.tolist() for run in runs), strict=True)]
    bounds = [(slope.low, slope.high) for slope in slopes if slope and slope.low is not None and slope.high is not None]
    return judge_bounds(np.array(bounds), -0.02 * 8 / 9, np.array([slope.slope for slope in slopes if slope]))


def _name_rates(broken: float, fixed: float) -> str:
    return f"pass rate, {100 * broken:.0f} % break and {100 * fixed:.0f} % are fixed"


CHANGES: dict[str, Measure] = {
    "mean score, eight fields": measure_mean_shift(lose_a_tenth_of_eight, -0.1 * 8 / 9),
    **{_name_rates(*rates): compute_rate_shift(*rates) for rates in ((0.2, 0.1), (0.1, 0.04), (0.05, 0.03))},
    "F1, one value a document": measure_f1_shift(one_value(0.8), one_value(0.6)),
    "F1, 4 rows a list": measure_f1_shift(rows_of_lists(4, (8, 2), 0.1), rows_of_lists(4, (6, 4), 0.1)),
    "slope of a trend over six runs": measure_slope,
}
HELD_OUT: dict[str, Measure] = {
    **{name: measure_mean_shift(*scenario) for name, scenario in held_out.MEAN_SHIFTS.items()},
    **{_name_rates(*rates): compute_rate_shift(*rates) for rates in held_out.RATE_SHIFTS},
    **{name: measure_f1_shift(*scenario) for name, scenario in held_out.F1_SHIFTS.items()},
}
