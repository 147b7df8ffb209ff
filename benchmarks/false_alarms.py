"""How often does a diff call two runs different although they are not, and how often does it find a true change?

python benchmarks/false_alarms.py

A diff has two figures, the mean score and the pass rate. It alarms if it calls either of them better or worse. Where
the true loss is 0 %, each test should call at most 2.5 % of the diffs worse: half of its 5 %. The gate
`--fail-on f1:ATTRIBUTE:significant` alarms if the diff calls F1 worse. "Held out" marks scenarios that no test was
tuned on (`held_out_scenarios.py`).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import held_out_scenarios as held_out
import numpy as np
from figure import Effort, Table, run_benchmark
from numpy.typing import NDArray
from scipy import stats

from agentv_py.report.diff.f1_shift import find_f1_differences
from agentv_py.report.diff.flips import run_mcnemar_test
from agentv_py.report.diff.significance import LEVEL, estimate_shift, estimate_shifts

DIFFS = 4_000
CHANGES = 1_000
CASES = (12, 30, 100, 300)
PASS_AT = 0.8
FLIPS = 2_000
_NOTICEABLE = 1.0
"""Where no figure has moved by so many of its errors, all are tied, and the flips can be spared: signs that are flipped
at random reach one error in at least a tenth of all cases (Oleszkiewicz, 1996), whatever the differences are."""

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


def one_value(chance: np.random.Generator, cases: int) -> Run:
    """The tp, fp and fn of documents with one value; three in ten are read again by the same system."""
    kinds = np.array([(1, 0, 0), (0, 1, 1), (0, 0, 1), (0, 1, 0)], float)
    first, again = (kinds[chance.choice(4, cases, p=[0.8, 0.1, 0.05, 0.05])] for _ in range(2))
    return Run(first, np.where(chance.random((cases, 1)) < 0.3, again, first))


def rows_of_lists(chance: np.random.Generator, cases: int) -> Run:
    """The tp, fp and fn of lists of several rows, which one system reads twice; hard documents are hard both times."""
    rows, right = 1 + chance.poisson(3, cases), chance.beta(8, 2, cases)
    first, second = (chance.binomial(rows, right) for _ in range(2))
    return Run(*(np.column_stack([each, rows - each, rows - each]).astype(float) for each in (first, second)))


def rare_lists(chance: np.random.Generator, cases: int) -> Run:
    """Skewed, F1 stays: half the lists lose one of ten rows, and one in ten gains five."""
    kind = chance.choice(3, cases, p=[0.5, 0.1, 0.4])
    before = np.where(kind == 1, 4.0, 9.0)
    after = np.where(kind == 0, 8.0, 9.0)
    return Run(*(np.column_stack([each, 10 - each, 10 - each]) for each in (before, after)))


ONE_SYSTEM: tuple[Callable[..., Run], ...] = (eight_fields, pass_or_fail, similarities)
LOSSES = {12: (0.1, 0.2, 0.4), 30: (0.05, 0.1, 0.2), 100: (0.03, 0.06, 0.1), 300: (0.02, 0.03, 0.05)}
"""By number of cases: a small, a medium and a large loss."""


def _hold_out(scenarios: dict[str, held_out.Twice]) -> dict[str, Draw]:
    return {f"held out: {name}": partial(_run_twice, twice) for name, twice in scenarios.items()}


def _run_twice(twice: held_out.Twice, chance: np.random.Generator, cases: int) -> Run:
    return Run(*twice(chance, cases))


SCORES: dict[str, Draw] = {
    "one system twice, eight fields a case": eight_fields,
    "one system twice, pass or fail": pass_or_fail,
    "one system twice, similarities": similarities,
    "many small losses, some larger gains, 0 on average": skewed_scores,
    "many small losses, rare large gains, 0 on average": small_losses_rare_gains,
    **_hold_out(held_out.TWICE),
}
DOCUMENTS: dict[str, Draw] = {
    "F1: one value a document, three in ten are read again": one_value,
    "F1: lists of rows, read twice": rows_of_lists,
    "F1: many lists lose a row, few gain five, 0 on average": rare_lists,
    **_hold_out(held_out.F1_TWICE),
}


def measure(effort: Effort) -> Iterator[Table]:
    diffs, changes = (100, 30) if effort.quick else (DIFFS, CHANGES)
    alarms = [
        [name, *(show_alarms(*count(draw, cases, diffs)) for cases in CASES)]
        for draws, count in ((SCORES, count_alarms), (DOCUMENTS, count_f1_alarms))
        for name, draw in draws.items()
    ]
    yield Table("alarms", ["no true change", *(f"n = {cases}" for cases in CASES)], alarms)
    losses = [
        measure_losses(draw, cases, (0.0, *losses), changes) for draw in ONE_SYSTEM for cases, losses in LOSSES.items()
    ]
    yield Table("losses", ["true loss", "diff", "exact McNemar", "paired t", "sign flips"], losses)


def show_alarms(worse: float, either: float) -> str:
    return f"{100 * worse:.1f} ({100 * either:.1f})"


def measure_losses(draw: Callable[..., Run], cases: int, losses: Sequence[float], changes: int) -> list[str]:
    """How often each loss is found, by the diff and by each of the tests."""
    sizes = ", ".join(f"{100 * loss:.0f}" for loss in losses[1:])
    name = f"{draw.__name__.replace('_', ' ')}, n = {cases}: none, {sizes} %"
    columns = zip(*(find_losses(draw, cases, loss, changes) for loss in losses), strict=True)
    return [name, *(f"{100 * none:.1f}, " + ", ".join(f"{100 * one:.0f}" for one in rest) for none, *rest in columns)]


def count_alarms(draw: Draw, cases: int, diffs: int = DIFFS) -> tuple[float, float]:
    """The share of diffs that call either figure worse, and that call either figure better or worse."""
    chance = np.random.default_rng(cases)
    verdicts = [judge(find_differences(draw(chance, cases)), seed) for seed in range(diffs)]
    return _share("worse" in each for each in verdicts), _share(each != {"tied"} for each in verdicts)


def count_f1_alarms(draw: Draw, cases: int, diffs: int = DIFFS) -> tuple[float, float]:
    """The share of diffs that call F1 worse, and that call it better or worse."""
    chance = np.random.default_rng(cases)
    verdicts = [judge_f1(draw(chance, cases), seed) for seed in range(diffs)]
    return _share(each == "worse" for each in verdicts), _share(each != "tied" for each in verdicts)


def judge_f1(run: Run, seed: int) -> str:
    """The verdict of a diff on F1."""
    differences = find_f1_differences(run.before, run.after)
    if differences is None or not is_noticeable(differences):
        return "tied"
    return estimate_shift(differences, None, seed).verdict


def _share(flags: Iterable[bool]) -> float:
    return float(np.mean(list(flags)))


def judge(differences: tuple[Floats, Floats], seed: int) -> set[str]:
    """The verdicts of a diff on mean score and pass rate."""
    if not any(map(is_noticeable, differences)):
        return {"tied"}
    return {shift.verdict for shift, _ in estimate_shifts(differences, None, seed)}


def is_noticeable(differences: Floats) -> bool:
    return bool(abs(differences.sum()) >= _NOTICEABLE * np.sqrt(differences @ differences))


def find_differences(run: Run) -> tuple[Floats, Floats]:
    return run.after - run.before, (run.after >= PASS_AT).astype(float) - (run.before >= PASS_AT)


def find_losses(draw: Callable[..., Run], cases: int, loss: float, changes: int = CHANGES) -> list[float]:
    """The share of true losses that the diff calls worse, and that each of three tests alone finds at 5 %."""
    chance = np.random.default_rng(cases)
    runs = [find_differences(draw(chance, cases, loss)) for _ in range(changes)]
    scores = np.array([scores for scores, _ in runs])
    mcnemar = [run_mcnemar_test(int((passes < 0).sum()), int((passes > 0).sum())) for _, passes in runs]
    is_lower, has_fewer = scores.sum(axis=1) < 0, np.array([passes.sum() < 0 for _, passes in runs])
    return [
        _share("worse" in judge(run, seed) for seed, run in enumerate(runs)),
        _share((np.array(mcnemar) <= LEVEL) & has_fewer),
        _share((run_t_tests(scores) <= LEVEL) & is_lower),
        _share((run_sign_flip_tests(scores, chance) <= LEVEL) & is_lower),
    ]


def run_t_tests(scores: Floats) -> Floats:
    p_values = np.ones(len(scores))
    varied = scores.std(axis=1) > 1e-9
    p_values[varied] = stats.ttest_1samp(scores[varied], 0, axis=1).pvalue
    return p_values


def run_sign_flip_tests(scores: Floats, chance: np.random.Generator) -> Floats:
    """The plain permutation test of each run, with the same random signs for all runs."""
    signs = 1.0 - 2 * chance.integers(0, 2, (scores.shape[1], FLIPS))
    distances = abs(scores.sum(axis=1, keepdims=True)) * (1 - 1e-9) - 1e-12
    return np.asarray((1 + (abs(scores @ signs) >= distances).sum(axis=1)) / (1 + FLIPS))


if __name__ == "__main__":
    run_benchmark(measure)
