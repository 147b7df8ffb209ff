"""How often does a diff call two runs different although they are not, and how often does it find a true change?

python benchmarks/false_alarms.py

A diff has two figures, the mean score and the pass rate. It alarms if either is called better or worse. A loss of 0 %
is none: there each test should call at most 2.5 % worse, half of its 5 %.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from agentv_py.report.diff.flips import Pairs, compute_p_value, run_mcnemar_test, run_sign_flip_test
from agentv_py.report.diff.significance import LEVEL, estimate_shifts

DIFFS = 1_000
CHANGES = 300
CASES = (12, 30, 100, 300)
PASS_AT = 0.8

Floats = NDArray[np.float64]


class Run(NamedTuple):
    before: Floats
    after: Floats


Draw = Callable[[np.random.Generator, int], Run]


def eight_fields(chance: np.random.Generator, cases: int, loss: float = 0.0) -> Run:
    """Both runs read eight fields of each case; most are right, and hard cases are hard for both."""
    right = chance.beta(8, 1, cases)
    return Run(chance.binomial(8, right) / 8, chance.binomial(8, np.maximum(right - loss, 0)) / 8)


def pass_or_fail(chance: np.random.Generator, cases: int, loss: float = 0.0) -> Run:
    """Scores of 0 or 1, of which one case in seven changes sides."""
    before = (chance.random(cases) < 0.8).astype(float)
    after = np.where(chance.random(cases) < 1 / 7, chance.random(cases) < 0.8, before)
    return Run(before, np.where(chance.random(cases) < loss, 0.0, after))


def similarities(chance: np.random.Generator, cases: int, loss: float = 0.0) -> Run:
    """Fuzzy scores: a third of the cases moves by a little, a few by much."""
    base = chance.beta(9, 2, cases)
    size = np.where(chance.random(cases) < 0.1, 0.5, 0.03) * (chance.random(cases) < 1 / 3)
    before, after = (np.clip(base + chance.normal(0, 1, cases) * size, 0, 1) for _ in range(2))
    return Run(before, np.clip(after - loss, 0, 1))


def skewed_scores(chance: np.random.Generator, cases: int) -> Run:
    """Half the cases move, by an exponential that is centred: many lose a little, some gain more. None passes."""
    moves = np.where(chance.random(cases) < 0.5, np.clip(chance.exponential(0.1, cases) - 0.1, -0.2, 0.5), 0.0)
    return Run(np.full(cases, 0.25), 0.25 + moves)


def small_losses_rare_gains(chance: np.random.Generator, cases: int) -> Run:
    """Skewed, with a mean of 0: half the cases lose a little, one in ten gains five times as much. None passes."""
    return Run(np.full(cases, 0.2), 0.2 + chance.choice([-0.1, 0.5, 0.0], cases, p=[0.5, 0.1, 0.4]))


ONE_SYSTEM: tuple[Callable[..., Run], ...] = (eight_fields, pass_or_fail, similarities)
SKEWED: tuple[Draw, ...] = (skewed_scores, small_losses_rare_gains)
LOSSES = {12: (0.1, 0.2, 0.4), 30: (0.05, 0.1, 0.2), 100: (0.03, 0.06, 0.1), 300: (0.02, 0.03, 0.05)}
"""By number of cases: a small, a medium and a large loss."""


def main() -> None:
    print(f"{'false alarms':28}" + "".join(f"{f'n = {cases}':>18}" for cases in CASES))
    print(f"{'':28}" + f"{'worse   either':>18}" * len(CASES))
    for draw in (*ONE_SYSTEM, *SKEWED):
        shares = [count_alarms(draw, cases) for cases in CASES]
        print(f"{draw.__name__:28}" + "".join(f"{worse:10.1%}{either:8.1%}" for worse, either in shares), flush=True)
    print(f"\n{'true losses found':28}{'diff':>9}{'McNemar':>9}{'t':>9}{'flips':>9}")
    for draw in ONE_SYSTEM:
        for cases, losses in LOSSES.items():
            for loss in (0.0, *losses):
                found = find_losses(draw, cases, loss)
                name = f"{draw.__name__}, n = {cases}, {loss:.0%}"
                print(f"{name:28}" + "".join(f"{share:9.0%}" for share in found), flush=True)


def count_alarms(draw: Draw, cases: int, diffs: int = DIFFS) -> tuple[float, float]:
    """The share of diffs that call either figure worse, and that call either figure better or worse."""
    chance = np.random.default_rng(cases)
    worse = different = 0
    for seed in range(diffs):
        verdicts = judge(draw(chance, cases), seed)
        worse, different = worse + ("worse" in verdicts), different + (verdicts != {"tied"})
    return worse / diffs, different / diffs


def judge(run: Run, seed: int) -> set[str]:
    """The verdicts of a diff on mean score and pass rate."""
    differences = find_differences(run)
    # Where neither figure has moved beyond chance by itself, both are tied, and the bootstrap can be spared.
    if all(compute_p_value(Pairs.build(each, None), np.random.default_rng(seed)) > LEVEL for each in differences):
        return {"tied"}
    return {shift.verdict for shift, _ in estimate_shifts(differences, None, seed)}


def find_differences(run: Run) -> tuple[Floats, Floats]:
    return run.after - run.before, (run.after >= PASS_AT).astype(float) - (run.before >= PASS_AT)


def find_losses(draw: Callable[..., Run], cases: int, loss: float, changes: int = CHANGES) -> list[float]:
    """The share of true losses that the diff calls worse, and that each of three tests alone finds at 5 %."""
    chance, found = np.random.default_rng(cases), np.zeros(4)
    for seed in range(changes):
        run = draw(chance, cases, loss)
        found += ("worse" in judge(run, seed), *run_peers(run, seed))
    return [float(share) for share in found / changes]


def run_peers(run: Run, seed: int) -> tuple[bool, bool, bool]:
    scores, passes = find_differences(run)
    mcnemar = run_mcnemar_test(int((passes < 0).sum()), int((passes > 0).sum()))
    t = stats.ttest_1samp(scores, 0).pvalue if scores.std() > 0 else 1.0
    flips = run_sign_flip_test(scores, np.random.default_rng(seed))
    return (
        bool(mcnemar <= LEVEL and passes.sum() < 0),
        bool(t <= LEVEL and scores.sum() < 0),
        bool(flips <= LEVEL and scores.sum() < 0),
    )


if __name__ == "__main__":
    main()
