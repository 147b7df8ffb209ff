"""How often does each 95 % interval hold the true figure? Shares of many simulated runs.

python benchmarks/intervals.py

A star marks a share outside 93 to 97 % that no interval could bring inside: the figure takes so few values that no
range of them, without at most 5 % at each end, has a probability between 93 and 97 %.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from figure import Effort, Table, run_benchmark
from scipy import stats
from simulated_documents import ATTRIBUTES, SCORE_NAMES, SCORES, Draw, Floats, one_value, rows_of_lists

from agentv_py.report.diff.f1_shift import estimate_f1_shift
from agentv_py.report.diff.flips import Pairs
from agentv_py.report.diff.significance import measure_shift
from agentv_py.report.statistics import Estimate, RatioSums, estimate_mean, estimate_ratio, estimate_share
from agentv_py.report.trend import fit_slope

RUNS = 4_000
SHIFT_RUNS = 1_000
CASES = (5, 12, 30, 100, 300)
LOW, HIGH = 0.93, 0.97
MOST_LEFT_OUT = 0.05
PASS_RATES = (0.5, 0.8, 0.9, 0.95, 0.99)

Bounds = Sequence[tuple[float, float]]


class Coverage(NamedTuple):
    share: float
    is_possible: bool
    """Whether any interval could cover between 93 and 97 %."""

    def __str__(self) -> str:
        star = "" if LOW <= self.share <= HIGH or self.is_possible else r"\*"
        return f"{100 * self.share:.1f}{star}"


def measure(_effort: Effort) -> Iterator[Table]:
    scores = [(SCORE_NAMES[draw], [measure_coverage(draw, cases) for cases in CASES]) for draw in SCORES]
    yield draw_table("mean_scores", "scores", CASES, scores)
    rates = [(f"{100 * rate:.0f} %", [compute_coverage(cases, rate) for cases in CASES]) for rate in PASS_RATES]
    mean = ("mean of 50 to 100 %", list(map(average_coverage, CASES)))
    yield draw_table("pass_rates", "pass rate, or share of scores that are 1", CASES, [*rates, mean])
    attributes = [
        [name, *(", ".join(map(str, measure_attribute(draw, cases))) for cases in CASES)]
        for name, draw in ATTRIBUTES.items()
    ]
    yield Table("attributes", ["documents", *name_columns(CASES)], attributes)
    changes = [(name, list(map(simulate, CASES[1:]))) for name, simulate in SHIFTS.items()]
    yield draw_table("changes", "change", CASES[1:], changes)


def draw_table(name: str, what: str, counts: Sequence[int], lines: Sequence[tuple[str, Sequence[Coverage]]]) -> Table:
    return Table(name, [what, *name_columns(counts)], [[line, *map(str, shares)] for line, shares in lines])


def name_columns(counts: Sequence[int]) -> list[str]:
    return [f"n = {cases}" for cases in counts]


def measure_coverage(draw: Draw, cases: int, runs: int = RUNS) -> Coverage:
    scores = draw(np.random.default_rng(cases), (runs, cases))
    totals, squares = scores.sum(axis=1), (scores**2).sum(axis=1)
    found = [estimate_mean(*sums, cases) for sums in zip(totals.tolist(), squares.tolist(), strict=True)]
    return _judge([(each.low, each.high) for each in found], SCORES[draw], totals)


def compute_coverage(cases: int, rate: float) -> Coverage:
    """Counts of cases take few values, so their coverage needs no simulation."""
    chances = stats.binom.pmf(range(cases + 1), cases, rate)
    found = [estimate_share(right, cases) for right in range(cases + 1)]
    held = [chance for each, chance in zip(found, chances, strict=True) if each.low <= rate <= each.high]
    return Coverage(float(sum(held)), _is_possible(chances))


def average_coverage(cases: int) -> Coverage:
    """The mean coverage over true rates from 50 to 100 %, in steps of half a per cent."""
    rates = np.linspace(0.5, 1, 101)[:-1].tolist()
    return Coverage(float(np.mean([compute_coverage(cases, rate).share for rate in rates])), is_possible=True)


def measure_attribute(draw: Draw, cases: int) -> list[Coverage]:
    """The coverage of the intervals of precision, recall and F1."""
    truth = [parts.sum() / wholes.sum() for parts, wholes in _list_ratios(draw(np.random.default_rng(0), (1, 10**6)))]
    documents = draw(np.random.default_rng(cases), (RUNS, cases))
    return [
        _measure_ratio(parts, wholes, true)
        for (parts, wholes), true in zip(_list_ratios(documents), truth, strict=True)
    ]


def _list_ratios(documents: Floats) -> list[tuple[Floats, Floats]]:
    tp, fp, fn = np.moveaxis(documents, -1, 0)
    return [(tp, tp + fp), (tp, tp + fn), (2 * tp, 2 * tp + fp + fn)]


def _measure_ratio(parts: Floats, wholes: Floats, truth: float) -> Coverage:
    """Leave out runs whose figure is undefined."""
    is_defined = wholes.any(axis=1)
    parts, wholes = parts[is_defined], wholes[is_defined]
    columns = [(wholes > 0), parts, wholes, parts**2, parts * wholes, wholes**2]
    sums = np.column_stack([column.sum(axis=1) for column in columns])
    found = [estimate_ratio(RatioSums(int(units), *rest)) for units, *rest in sums.tolist()]
    return _judge(_list_bounds(found), truth, sums[:, 1] / sums[:, 2])


def _list_bounds(found: Sequence[Estimate | None]) -> Bounds:
    return [(each.low, each.high) for each in found if each is not None]


def _judge(bounds: Bounds, truth: float, figures: Floats) -> Coverage:
    """Return how many bounds hold the truth; the figures show which values a run can have."""
    low, high = np.array(bounds).T
    _, times = np.unique(figures.round(9), return_counts=True)
    share = float(np.mean((low <= truth + 1e-12) & (truth - 1e-12 <= high)))
    return Coverage(share, _is_possible(times / times.sum()))


def _is_possible(chances: Floats) -> bool:
    """Whether any range of values, without at most 5 % at each end, has a probability within the bounds."""
    ends = np.concatenate([[0.0], np.cumsum(chances)])
    left, right = ends[ends <= MOST_LEFT_OUT], ends[ends >= 1 - MOST_LEFT_OUT]
    return bool((np.searchsorted(right, left + HIGH, side="right") > np.searchsorted(right, left + LOW)).any())


def measure_mean_shift(cases: int) -> Coverage:
    """Both runs read eight fields of each case, and the second reads each a tenth less often right."""
    chance, size = np.random.default_rng(cases), (SHIFT_RUNS, cases)
    right = chance.beta(8, 1, size)
    return _measure_shifts((chance.binomial(8, 0.9 * right) - chance.binomial(8, right)) / 8, -0.1 * 8 / 9)


def measure_rate_shift(broken: float, fixed: float) -> Callable[[int], Coverage]:
    def measure(cases: int) -> Coverage:
        moves = [-1.0, 1.0, 0.0], [broken, fixed, 1 - broken - fixed]
        chance = np.random.default_rng(cases)
        return _measure_shifts(chance.choice(moves[0], (SHIFT_RUNS, cases), p=moves[1]), fixed - broken)

    return measure


def _measure_shifts(differences: Floats, truth: float) -> Coverage:
    """Measure the interval itself, which a diff widens to 0 where its test finds no change."""
    found = [measure_shift(Pairs.build(each, None), 0) for each in differences]
    return _judge([(each.low, each.high) for each in found], truth, differences.mean(axis=1))


def measure_f1_shift(draw: Draw, again: Draw) -> Callable[[int], Coverage]:
    """Three documents in ten are read again by a worse system."""

    def measure(cases: int) -> Coverage:
        before, after = _read_twice(np.random.default_rng(0), (1, 10**6), draw, again)
        truth = float(_compute_f1(after)[0] - _compute_f1(before)[0])
        before, after = _read_twice(np.random.default_rng(cases), (SHIFT_RUNS, cases), draw, again)
        found = [estimate_f1_shift(*sides, 0) for sides in zip(before, after, strict=True)]
        bounds = [(each.low, each.high) for each in found if each is not None]
        return _judge(bounds, truth, _compute_f1(after) - _compute_f1(before))

    return measure


def _read_twice(chance: np.random.Generator, size: tuple[int, int], draw: Draw, again: Draw) -> tuple[Floats, Floats]:
    before = draw(chance, size)
    is_again = chance.random(size) < 0.3
    return before, np.where(is_again[..., None], again(chance, size), before)


def _compute_f1(documents: Floats) -> Floats:
    tp, fp, fn = np.moveaxis(documents.sum(axis=1), -1, 0)
    return np.asarray(2 * tp / np.maximum(2 * tp + fp + fn, 1e-12))


def measure_slope(cases: int) -> Coverage:
    """Six runs of eight fields a case, each of which reads one field in fifty less often right than the one before."""
    size = (SHIFT_RUNS, cases)
    chance = np.random.default_rng(cases)
    right = chance.beta(8, 1, size)
    runs = [chance.binomial(8, (1 - 0.02 * run) * right).mean(axis=1) / 8 for run in range(6)]
    slopes = [fit_slope(list(values)) for values in zip(*(run.tolist() for run in runs), strict=True)]
    bounds = [(slope.low, slope.high) for slope in slopes if slope and slope.low is not None and slope.high is not None]
    return _judge(bounds, -0.02 * 8 / 9, np.array([slope.slope for slope in slopes if slope]))


SHIFTS: dict[str, Callable[[int], Coverage]] = {
    "mean score, eight fields": measure_mean_shift,
    "pass rate, 20 % break and 10 % are fixed": measure_rate_shift(0.2, 0.1),
    "pass rate, 5 % break and 3 % are fixed": measure_rate_shift(0.05, 0.03),
    "F1, one value a document": measure_f1_shift(one_value(0.8), one_value(0.6)),
    "F1, 4 rows a list": measure_f1_shift(rows_of_lists(4, (8, 2), 0.1), rows_of_lists(4, (6, 4), 0.1)),
    "slope of a trend over six runs": measure_slope,
}


if __name__ == "__main__":
    run_benchmark(measure)
