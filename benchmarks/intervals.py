"""How often does each 95 % interval hold the true figure? Shares of many simulated runs.

python benchmarks/intervals.py
"""

from collections.abc import Callable
from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from agentv_py.report.attribute_counts import AttributeCounts
from agentv_py.report.diff.flips import Pairs
from agentv_py.report.diff.significance import measure_shift
from agentv_py.report.quality_bootstrap import estimate_f1_shift, estimate_quality
from agentv_py.report.statistics import Estimate, estimate_mean, estimate_share

RUNS = 2_000
CASES = (5, 12, 30, 100, 300)

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Floats]


def uniform(chance: np.random.Generator, cases: int) -> Floats:
    return chance.random(cases)


def bimodal(chance: np.random.Generator, cases: int) -> Floats:
    """Three cases in ten are nearly wrong, the others nearly right."""
    return np.where(chance.random(cases) < 0.3, chance.beta(2, 8, cases), chance.beta(9, 1, cases))


def ceiling(chance: np.random.Generator, cases: int) -> Floats:
    """Nineteen scores of twenty are 1, the others between 0.5 and 1."""
    return np.where(chance.random(cases) < 0.05, chance.uniform(0.5, 1, cases), 1.0)


def high_ceiling(chance: np.random.Generator, cases: int) -> Floats:
    """Forty-nine scores of fifty are 1, the others anything."""
    return np.where(chance.random(cases) < 0.02, chance.random(cases), 1.0)


def eight_fields(chance: np.random.Generator, cases: int) -> Floats:
    """Eight fields a case, most of them right; some cases are hard."""
    return chance.binomial(8, chance.beta(8, 1, cases)) / 8


SCORES: dict[Draw, float] = {
    uniform: 0.5,
    bimodal: 0.3 * 0.2 + 0.7 * 0.9,
    ceiling: 1 - 0.05 * 0.25,
    high_ceiling: 1 - 0.02 * 0.5,
    eight_fields: 8 / 9,
}
"""Each kind of scores with its true mean."""
PASS_RATES = (0.5, 0.8, 0.9, 0.95, 0.99)

ATTRIBUTE_RUNS = 500
SHIFT_RUNS = 400
RIGHT, MISREAD, MISSED, INVENTED = (1, 0, 0), (0, 1, 1), (0, 0, 1), (0, 1, 0)
"""The tp, fp and fn of a document with one value."""


def one_value(right: float) -> Draw:
    """Documents with one value each; of the wrong ones half are misread, the others missed or invented."""
    wrong = 1 - right
    kinds, shares = np.array([RIGHT, MISREAD, MISSED, INVENTED], float), [right, wrong / 2, wrong / 4, wrong / 4]
    return lambda chance, cases: kinds[chance.choice(4, cases, p=shares)]


def rows_of_lists(chance: np.random.Generator, cases: int) -> Floats:
    """Lists of several rows; some documents are hard, and one in ten has a row too many."""
    rows = 1 + chance.poisson(3, cases)
    right = chance.binomial(rows, chance.beta(8, 2, cases))
    misread = chance.binomial(rows - right, 0.5)
    return np.column_stack([right, misread + (chance.random(cases) < 0.1), rows - right]).astype(float)


ATTRIBUTES: dict[str, Draw] = {
    **{f"one value, {right:.0%} right": one_value(right) for right in (0.5, 0.8, 0.9, 0.95)},
    "rows of lists": rows_of_lists,
}


def main() -> None:
    print(f"{'scores':28}" + "".join(f"{f'n = {cases}':>10}" for cases in CASES))
    for draw in SCORES:
        print_line(draw.__name__, [measure_coverage(draw, cases) for cases in CASES])
    for rate in PASS_RATES:
        print_line(f"0 or 1, {rate:.0%} are 1", [compute_coverage(cases, rate, estimate_ones) for cases in CASES])
    print_line("0 or 1, mean of 50 to 100 %", [average_coverage(cases, estimate_ones) for cases in CASES])
    print(f"\n{'pass rates':28}")
    for rate in PASS_RATES:
        print_line(f"{rate:.0%} pass", [compute_coverage(cases, rate, estimate_share) for cases in CASES])
    print_line("mean of 50 to 100 %", [average_coverage(cases, estimate_share) for cases in CASES])
    print(f"\n{'precision, recall, F1':28}" + "".join(f"{f'n = {cases}':>20}" for cases in CASES[1:]))
    for name, draw in ATTRIBUTES.items():
        cells = ["".join(f"{share:6.1%}" for share in measure_attribute(draw, cases)) for cases in CASES[1:]]
        print(f"{name:28}" + "".join(f"{cell:>20}" for cell in cells), flush=True)
    print(f"\n{'changes':28}" + "".join(f"{f'n = {cases}':>10}" for cases in CASES[1:]))
    for name, measure in SHIFTS.items():
        print_line(name, [measure(cases) for cases in CASES[1:]])


def print_line(name: str, shares: list[float]) -> None:
    print(f"{name:28}" + "".join(f"{share:10.1%}" for share in shares), flush=True)


def measure_coverage(draw: Draw, cases: int, runs: int = RUNS) -> float:
    chance = np.random.default_rng(cases)
    covered = 0
    for _ in range(runs):
        scores = draw(chance, cases)
        found = estimate_mean(float(scores.sum()), float(scores @ scores), cases)
        covered += found.low <= SCORES[draw] <= found.high
    return covered / runs


def estimate_ones(right: int, cases: int) -> Estimate:
    return estimate_mean(right, right, cases)


def compute_coverage(cases: int, rate: float, estimate: Callable[[int, int], Estimate]) -> float:
    """Counts of cases take few values, so their coverage needs no simulation."""
    found = (estimate(right, cases) for right in range(cases + 1))
    return sum(
        comb(cases, right) * rate**right * (1 - rate) ** (cases - right)
        for right, interval in enumerate(found)
        if interval.low <= rate <= interval.high
    )


def average_coverage(cases: int, estimate: Callable[[int, int], Estimate]) -> float:
    """The mean coverage over true means from 50 to 100 %, in steps of half a per cent."""
    same = cache(estimate)  # the intervals do not depend on the true mean
    return float(np.mean([compute_coverage(cases, float(rate), same) for rate in np.linspace(0.5, 1, 101)[:-1]]))


def measure_attribute(draw: Draw, cases: int) -> Floats:
    """The coverage of the intervals of precision, recall and F1."""
    chance, covered = np.random.default_rng(cases), np.zeros(3)
    tp, fp, fn = draw(np.random.default_rng(0), 1_000_000).mean(axis=0)
    truth = tp / (tp + fp), tp / (tp + fn), 2 * tp / (2 * tp + fp + fn)
    for _ in range(ATTRIBUTE_RUNS):
        counts = AttributeCounts()
        for tp, fp, fn in draw(chance, cases).astype(int).tolist():
            counts.add((tp, 0, fp, fn), 1)
        estimates = estimate_quality(counts)
        covered += [
            each is not None and each.low <= true <= each.high for each, true in zip(estimates, truth, strict=True)
        ]
    return covered / ATTRIBUTE_RUNS


def measure_mean_shift(cases: int) -> float:
    """Both runs read eight fields of each case, and the second reads each a tenth less often right."""
    chance, covered = np.random.default_rng(cases), 0
    for seed in range(SHIFT_RUNS):
        right = chance.beta(8, 1, cases)
        before, after = chance.binomial(8, right) / 8, chance.binomial(8, 0.9 * right) / 8
        covered += _holds(after - before, -0.1 * 8 / 9, seed)
    return covered / SHIFT_RUNS


def measure_rate_shift(cases: int) -> float:
    """One case in five breaks, one in ten is fixed."""
    chance, covered = np.random.default_rng(cases), 0
    for seed in range(SHIFT_RUNS):
        covered += _holds(chance.choice([-1.0, 1.0, 0.0], cases, p=[0.2, 0.1, 0.7]), -0.1, seed)
    return covered / SHIFT_RUNS


def _holds(differences: Floats, truth: float, seed: int) -> bool:
    """The interval of the bootstrap itself, which a diff widens to 0 where its test finds no change."""
    shift, _ = measure_shift(Pairs.build(differences, None), seed)
    return shift.low <= truth <= shift.high


def measure_f1_shift(cases: int) -> float:
    """Rows of lists; three documents in ten are read again, and a tenth of the right rows is then misread."""
    chance, covered = np.random.default_rng(cases), 0
    _, truth = _draw_f1_shift(np.random.default_rng(0), 1_000_000)
    for _ in range(SHIFT_RUNS):
        sides, _ = _draw_f1_shift(chance, cases)
        shift = estimate_f1_shift(*sides)
        covered += shift is not None and shift.low <= truth <= shift.high
    return covered / SHIFT_RUNS


def _draw_f1_shift(chance: np.random.Generator, cases: int) -> tuple[tuple[Floats, Floats], float]:
    before = rows_of_lists(chance, cases)
    lost = chance.binomial(before[:, 0].astype(int), 0.1) * (chance.random(cases) < 0.3)
    after = before + np.column_stack([-lost, lost, lost])
    f1 = [2 * tp / (2 * tp + fp + fn) for tp, fp, fn in (side.sum(axis=0) for side in (before, after))]
    return (before, after), float(f1[1] - f1[0])


SHIFTS: dict[str, Callable[[int], float]] = {
    "mean score, eight fields": measure_mean_shift,
    "pass rate": measure_rate_shift,
    "F1, rows of lists": measure_f1_shift,
}


if __name__ == "__main__":
    main()
