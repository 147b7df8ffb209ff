"""How often does the 95 % interval of a mean score hold the true mean? Shares of many simulated runs.

python benchmarks/intervals.py
"""

from collections.abc import Callable
from math import comb

import numpy as np
from numpy.typing import NDArray

from agentv_py.report.statistics import estimate_mean

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


def main() -> None:
    print(f"{'scores':28}" + "".join(f"{f'n = {cases}':>10}" for cases in CASES))
    for draw in SCORES:
        print_line(draw.__name__, [measure_coverage(draw, cases) for cases in CASES])
    for rate in PASS_RATES:
        print_line(f"0 or 1, {rate:.0%} are 1", [compute_coverage(cases, rate) for cases in CASES])
    print_line("0 or 1, mean of 50 to 100 %", [average_coverage(cases) for cases in CASES])


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


def compute_coverage(cases: int, rate: float) -> float:
    """Scores of 0 or 1 take few values, so their coverage needs no simulation."""
    found = (estimate_mean(right, right, cases) for right in range(cases + 1))
    return sum(
        comb(cases, right) * rate**right * (1 - rate) ** (cases - right)
        for right, estimate in enumerate(found)
        if estimate.low <= rate <= estimate.high
    )


def average_coverage(cases: int) -> float:
    """The mean coverage over true means from 50 to 100 %, in steps of a quarter of a per cent."""
    found = [estimate_mean(right, right, cases) for right in range(cases + 1)]
    rates = np.linspace(0.5, 1, 201)[:-1]
    inside = [[estimate.low <= rate <= estimate.high for estimate in found] for rate in rates]
    share = [
        [comb(cases, right) * rate**right * (1 - rate) ** (cases - right) for right in range(cases + 1)]
        for rate in rates.tolist()
    ]
    return float(np.sum(np.array(inside) * np.array(share), axis=1).mean())


if __name__ == "__main__":
    main()
