"""How often does a diff call two runs different although they are not? Shares of many simulated diffs.

python benchmarks/false_alarms.py
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from agentv_py.report.diff.significance import LEVEL, compute_p_value, estimate_shift

DIFFS = 2_000
CASES = (12, 30, 100, 300)

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Floats]


def eight_fields(chance: np.random.Generator, cases: int) -> Floats:
    """Both runs read eight fields of each case; most are right, and hard cases are hard for both."""
    right = chance.beta(8, 1, cases)
    return (chance.binomial(8, right) - chance.binomial(8, right)) / 8


def pass_or_fail(chance: np.random.Generator, cases: int) -> Floats:
    """Scores of 0 or 1, of which one case in seven changes sides."""
    return np.sign(chance.uniform(-1, 1, cases)) * (chance.random(cases) < 1 / 7)


def similarities(chance: np.random.Generator, cases: int) -> Floats:
    """Fuzzy scores: a third of the cases moves by a little, a few by much."""
    size = np.where(chance.random(cases) < 0.1, 0.5, 0.03)
    return np.where(chance.random(cases) < 1 / 3, np.clip(chance.normal(0, size), -1, 1), 0.0)


def skewed_scores(chance: np.random.Generator, cases: int) -> Floats:
    """Half the cases move, by an exponential that is centred: many lose a little, some gain more."""
    return np.where(chance.random(cases) < 0.5, np.clip(chance.exponential(0.1, cases) - 0.1, -1, 1), 0.0)


def small_losses_rare_gains(chance: np.random.Generator, cases: int) -> Floats:
    """Skewed, with a mean of 0: half the cases lose a little, one in ten gains five times as much."""
    return chance.choice([-0.1, 0.5, 0.0], cases, p=[0.5, 0.1, 0.4])


def small_gains_rare_losses(chance: np.random.Generator, cases: int) -> Floats:
    return -small_losses_rare_gains(chance, cases)


NULLS: tuple[Draw, ...] = (
    eight_fields,
    pass_or_fail,
    similarities,
    skewed_scores,
    small_losses_rare_gains,
    small_gains_rare_losses,
)


def main() -> None:
    print(f"{'':28}" + "".join(f"{f'n = {cases}':>18}" for cases in CASES))
    print(f"{'':28}" + f"{'worse   either':>18}" * len(CASES))
    for draw in NULLS:
        shares = [alarms(draw, cases) for cases in CASES]
        print(f"{draw.__name__:28}" + "".join(f"{worse:10.1%}{either:8.1%}" for worse, either in shares))


def alarms(draw: Draw, cases: int, diffs: int = DIFFS) -> tuple[float, float]:
    """The share of diffs that are called worse, and that are called better or worse."""
    chance = np.random.default_rng(cases)
    worse = better = 0
    for seed in range(diffs):
        differences = draw(chance, cases)
        if compute_p_value(differences, np.random.default_rng(seed)) > LEVEL:  # then the interval includes 0
            continue
        shift = estimate_shift(differences, None, seed)
        worse, better = worse + (shift.high < 0), better + (shift.low > 0)
    return worse / diffs, (worse + better) / diffs


if __name__ == "__main__":
    main()
