"""How often does each 95 % interval hold the true figure? Shares of many simulated runs.

python benchmarks/intervals.py

A star marks a share outside 93 to 97 % that no interval could bring inside, because the figure takes so few values
(`possible_coverage.py`). "Held out" marks scenarios that were written down before the rules (`held_out_scenarios.py`).
"""

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import held_out_scenarios as held_out
import numpy as np
from change_coverage import CHANGES, HELD_OUT, count_runs, judge_bounds
from figure import Effort, Table, run_benchmark
from possible_coverage import (
    HIGH,
    LOW,
    Coverage,
    can_cover,
    has_fitting_range,
    judge_coverage,
    vary_errors,
    vary_values,
)
from scipy import stats
from simulated_documents import ATTRIBUTES, ONE_VALUES, SCORE_NAMES, SCORES, Draw, Floats, OneValue

from agentv_py.report.statistics import RatioSums, estimate_mean, estimate_ratio, estimate_share

CASES = (5, 12, 30, 100, 300)
PASS_RATES = (0.5, 0.8, 0.9, 0.95, 0.99)

Bounds = Callable[[int], tuple[Floats, Floats]]
T = TypeVar("T")


def measure(_effort: Effort) -> Iterator[Table]:
    scores = {SCORE_NAMES[draw]: (draw, truth) for draw, truth in SCORES.items()}
    yield draw_table(
        "mean_scores", "scores", CASES, name_held_out(scores, held_out.SCORES), lambda of, n: [measure_coverage(*of, n)]
    )
    rates = {f"{100 * rate:.0f} %": rate for rate in PASS_RATES}
    yield draw_table("pass_rates", "pass rate", CASES, rates, lambda rate, n: [compute_coverage(find_wilson, n, rate)])
    yield Table("rate_intervals", ["interval of a pass rate", *name_columns(CASES)], list(compare_rate_intervals()))
    documents = name_held_out(
        {name: (draw, ONE_VALUES.get(name)) for name, draw in ATTRIBUTES.items()},
        {name: (draw, held_out.ONE_VALUES.get(name)) for name, draw in held_out.ATTRIBUTES.items()},
    )
    yield draw_table("attributes", "documents", CASES, documents, lambda of, n: measure_attribute(*of, n))
    changes = name_held_out(CHANGES, HELD_OUT)
    yield draw_table("changes", "change", CASES[1:], changes, lambda simulate, n: [simulate(n)])


def name_held_out(usual: dict[str, T], others: dict[str, T]) -> dict[str, T]:
    return usual | {f"held out: {name}": scenario for name, scenario in others.items()}


def draw_table(
    name: str, what: str, counts: Sequence[int], rows: dict[str, T], cover: Callable[[T, int], list[Coverage]]
) -> Table:
    lines = [[row, *(", ".join(map(str, cover(of, cases))) for cases in counts)] for row, of in rows.items()]
    return Table(name, [what, *name_columns(counts)], lines)


def name_columns(counts: Sequence[int]) -> list[str]:
    return [f"n = {cases}" for cases in counts]


def measure_coverage(draw: Draw, truth: float, cases: int, runs: int | None = None) -> Coverage:
    scores = draw(np.random.default_rng(cases), (runs or count_runs(cases), cases))
    totals, squares = scores.sum(axis=1), (scores**2).sum(axis=1)
    found = [estimate_mean(*sums, cases) for sums in zip(totals.tolist(), squares.tolist(), strict=True)]
    return judge_bounds(np.array([(each.low, each.high) for each in found]), truth, totals)


def compute_coverage(find_bounds: Bounds, cases: int, rate: float) -> Coverage:
    """Counts of cases take few values, so their coverage needs no simulation."""
    chances = stats.binom.pmf(range(cases + 1), cases, rate)
    low, high = find_bounds(cases)
    return judge_coverage(float(chances @ ((low <= rate) & (rate <= high))), lambda: has_fitting_range(chances))


def find_wilson(cases: int) -> tuple[Floats, Floats]:
    found = [estimate_share(right, cases) for right in range(cases + 1)]
    return np.array([each.low for each in found]), np.array([each.high for each in found])


def find_jeffreys(cases: int) -> tuple[Floats, Floats]:
    right = np.arange(cases + 1)
    low = np.where(right > 0, stats.beta.ppf(0.025, right + 0.5, cases - right + 0.5), 0.0)
    return low, 1 - low[::-1]


def find_clopper_pearson(cases: int) -> tuple[Floats, Floats]:
    right = np.arange(cases + 1)
    low = np.where(right > 0, stats.beta.ppf(0.025, np.maximum(right, 0.5), cases - right + 1), 0.0)
    return low, 1 - low[::-1]


def compare_rate_intervals() -> Iterator[list[str]]:
    """For each interval, its mean coverage of rates from 50 to 99.5 %, and how many it needlessly covers otherwise."""
    intervals = {"Wilson (ours)": find_wilson, "Jeffreys": find_jeffreys, "Clopper and Pearson": find_clopper_pearson}
    for name, find_bounds in intervals.items():
        found = [cover_all_rates(find_bounds, cases) for cases in CASES]
        missed = [sum(each.is_possible and not LOW <= each.share <= HIGH for each in rates) for rates in found]
        yield [name, *(f"{100 * average(rates):.1f}, {count} %" for rates, count in zip(found, missed, strict=True))]


def cover_all_rates(find_bounds: Bounds, cases: int) -> list[Coverage]:
    return [compute_coverage(find_bounds, cases, rate) for rate in np.linspace(0.5, 1, 101)[:-1].tolist()]


def average(found: Sequence[Coverage]) -> float:
    return float(np.mean([each.share for each in found]))


def measure_attribute(draw: Draw, one_value: OneValue | None, cases: int) -> list[Coverage]:
    """The coverage of the intervals of precision, recall and F1."""
    truth = [parts.sum() / wholes.sum() for parts, wholes in _list_ratios(draw(np.random.default_rng(0), (1, 10**6)))]
    documents = draw(np.random.default_rng(cases), (count_runs(cases), cases))
    found = [
        _measure_ratio(parts, wholes, true)
        for (parts, wholes), true in zip(_list_ratios(documents), truth, strict=True)
    ]
    if one_value is None:
        return found
    possible = list_possible(one_value, cases)
    return [judge_coverage(each.share, can_reach) for each, can_reach in zip(found, possible, strict=True)]


def list_possible(documents: OneValue, cases: int) -> list[Callable[[], bool]]:
    """Return whether an interval of precision, of recall and of F1 can be within the bounds."""
    right, empty = documents.filled * documents.right, 1 - documents.filled
    misread, missed, invented = documents.errors

    def can_ratio(wrong: float) -> bool:
        return can_cover(cases, (right, 1 - right - wrong, wrong), vary_values(right, wrong), empty=1)

    def can_f1() -> bool:
        shares = (right, empty, missed + invented, misread)
        if empty:
            return can_cover(cases, shares, vary_errors(shares), empty=1)
        return can_cover(cases, (right, *shares[2:]), [(first, *rest) for first, _, *rest in vary_errors(shares)])

    return [lambda: can_ratio(misread + invented), lambda: can_ratio(misread + missed), can_f1]


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
    bounds = np.array([(each.low, each.high) for each in found if each is not None])
    return judge_bounds(bounds, truth, sums[:, 1] / sums[:, 2])


if __name__ == "__main__":
    run_benchmark(measure)
