"""The statistics of a diff, against oracles and by simulation."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from agentv_py.report.diff.flips import (
    Pairs,
    adjust_groups,
    adjust_together,
    compute_p_value,
    run_mcnemar_test,
    run_sign_flip_test,
)
from agentv_py.report.diff.intervals import find_interval
from agentv_py.report.diff.significance import LEVEL, estimate_shift, estimate_shifts
from agentv_py.report.diff.unconditional import run_unconditional_test
from agentv_py.report.statistics import adjust_p_values, estimate_share


@given(broken=st.integers(0, 300), fixed=st.integers(0, 300))
def test_mcnemar_is_the_exact_binomial_test(broken: int, fixed: int) -> None:
    exact = stats.binomtest(broken, broken + fixed).pvalue if broken + fixed else 1.0
    assert run_mcnemar_test(broken, fixed) == pytest.approx(exact, rel=1e-9)


@pytest.mark.parametrize(("broken", "fixed"), [(5_100, 4_950), (30_000, 30_400), (7_000, 7_000), (9_000, 8_000)])
def test_where_mcnemar_is_not_exact_it_is_near(broken: int, fixed: int) -> None:
    assert run_mcnemar_test(broken, fixed) == pytest.approx(stats.binomtest(broken, broken + fixed).pvalue, abs=2e-4)


@given(total=st.integers(1, 1_000), share=st.floats(0, 1))
def test_wilson_s_interval_is_scipy_s(total: int, share: float) -> None:
    successes = round(total * share)
    theirs = stats.binomtest(successes, total).proportion_ci(method="wilson")
    found = estimate_share(successes, total)
    assert (found.low, found.high) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


def test_holm_s_steps_are_the_published_ones() -> None:
    assert adjust_p_values([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert adjust_p_values([0.9, 0.8]) == [1.0, 1.0]
    assert adjust_p_values([]) == []


_P_VALUES = st.lists(st.floats(0, 1), max_size=6)


@given(_P_VALUES)
def test_groups_of_one_figure_are_holm_s_tests_and_one_group_is_unchanged(p_values: list[float]) -> None:
    assert adjust_groups([[p_value] for p_value in p_values]) == [[p_value] for p_value in adjust_p_values(p_values)]
    assert adjust_groups([p_values]) == [p_values]


@given(st.lists(_P_VALUES, max_size=4))
def test_groups_keep_the_order_of_p_values_and_cost_at_most_their_number(groups: list[list[float]]) -> None:
    found = [(old, new) for before, after in zip(groups, adjust_groups(groups), strict=True)
             for old, new in zip(before, after, strict=True)]  # fmt: skip
    assert all(old <= new <= min(1.0, max(1, len(groups)) * max(p for p, _ in found)) for old, new in found)
    assert [new for _, new in sorted(found)] == sorted(new for _, new in found)


@pytest.mark.slow
@pytest.mark.parametrize("changed", [0, 1, 4])
def test_groups_raise_a_false_alarm_at_most_one_time_in_twenty(changed: int) -> None:
    """Four groups of two figures: the first one of some groups has truly changed, all others have not."""
    chance = np.random.default_rng(7)
    alarms = 0
    for _ in range(2_000):
        groups = [sorted(min(1.0, 2 * p) for p in chance.random(2)) for _ in range(4)]
        figures = [[0.0, max(figure)] if n < changed else figure for n, figure in enumerate(groups)]
        adjusted = adjust_groups(figures)
        alarms += any(p <= LEVEL for n, group in enumerate(adjusted) for p in group[n < changed :])
    assert alarms / 2_000 <= 0.06


@given(st.lists(st.sampled_from([-0.5, -0.25, -0.125, 0.0, 0.0, 0.125, 0.5]), min_size=2, max_size=10))
def test_few_sign_flips_are_all_of_them(differences: list[float]) -> None:
    exact = stats.permutation_test(
        (np.array(differences),), np.sum, permutation_type="samples", n_resamples=np.inf, alternative="two-sided"
    )
    both = min(1.0, 2 * min(np.mean(exact.null_distribution <= exact.statistic + 1e-9),
                            np.mean(exact.null_distribution >= exact.statistic - 1e-9)))  # fmt: skip
    found = run_sign_flip_test(np.array(differences), np.random.default_rng(0), is_mid=False)
    assert found == pytest.approx(both if sum(differences) else 1.0)


def test_many_sign_flips_are_near_the_t_test() -> None:
    differences = np.random.default_rng(1).normal(0.02, 0.1, 200)
    assert run_sign_flip_test(differences, np.random.default_rng(0)) == pytest.approx(
        stats.ttest_1samp(differences, 0).pvalue, abs=0.01
    )


def test_the_same_seed_gives_the_same_p_value_and_another_seed_a_near_one() -> None:
    differences = np.random.default_rng(2).normal(0.005, 0.1, 500)
    first, again, other = (estimate_shift(differences, None, seed) for seed in (7, 7, 8))
    assert first == again
    assert (first.low, first.high) == (other.low, other.high)
    assert first.p_value != other.p_value
    assert first.p_value == pytest.approx(other.p_value, abs=0.03)


@given(st.lists(st.sampled_from([-0.5, -0.25, 0.0, 0.125, 1.0]), min_size=2, max_size=12))
def test_a_mid_p_value_counts_half_of_what_is_as_far(differences: list[float]) -> None:
    chance = np.random.default_rng(0)
    whole, half = (run_sign_flip_test(np.array(differences), chance, is_mid=mid) for mid in (False, True))
    totals = abs(np.array(list(itertools.product([-1, 1], repeat=len(differences)))) @ differences)
    as_far = float(np.mean(abs(totals - abs(sum(differences))) < 1e-9))
    assert half == pytest.approx(whole - as_far / 2)


def _noise(chance: np.random.Generator, mean: float, cases: int) -> NDArray[np.float64]:
    """Scores of 32 equal fields, so that values recur, which are drawn several times as fast."""
    return np.clip(np.round(chance.normal(mean, 0.1, cases) * 32) / 32, -1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("cases", [12, 30, 100])
def test_the_interval_covers_the_true_change(cases: int) -> None:
    chance = np.random.default_rng(cases)
    covered = 0
    for seed in range(100):
        found = estimate_shift(_noise(chance, 0.05, cases), None, seed)
        covered += found.low <= 0.05 <= found.high
    assert covered / 100 >= 0.9


def _two_runs_of_one_system(chance: np.random.Generator, cases: int) -> NDArray[np.float64]:
    """Eight fields a case, most of them right, hard cases hard for both: many zeros, discrete."""
    right = chance.beta(8, 1, cases)
    return (chance.binomial(8, right) - chance.binomial(8, right)) / 8


def _skewed(chance: np.random.Generator, cases: int) -> NDArray[np.float64]:
    """Half the cases move; many lose a little, some gain more."""
    return np.where(chance.random(cases) < 0.5, np.clip(chance.exponential(0.1, cases) - 0.1, -1, 1), 0.0)


@pytest.mark.slow
@pytest.mark.parametrize(("draw", "most"), [(_two_runs_of_one_system, 0.05), (_skewed, 0.07)])
@pytest.mark.parametrize("cases", [12, 30, 100, 300])
def test_under_no_difference_alarms_are_rare(draw: object, most: float, cases: int) -> None:
    chance, alarms, diffs = np.random.default_rng(cases), 0, 150
    for seed in range(diffs):
        differences = draw(chance, cases)  # type: ignore[operator]
        # Where the mean falls by less than 1.5 of its errors, or chance does as much, the interval takes 0 in.
        if -differences.mean() < 1.5 * stats.sem(differences):
            continue
        if compute_p_value(Pairs.build(differences, None), np.random.default_rng(seed)) <= LEVEL:
            alarms += estimate_shift(differences, None, seed).high < 0
    assert alarms / diffs <= most


def test_six_newly_broken_of_thirty_are_worse() -> None:
    passes = np.array([-1.0] * 6 + [0.0] * 24)
    noise = np.random.default_rng(0).normal(0, 0.05, 30)
    for scores in (passes, passes / 2, np.clip(passes / 2 + noise, -1, 1)):
        (_, _), (rate, p_value) = estimate_shifts((scores, passes), None, 0)
        assert rate.verdict == "worse"
        assert rate.p_value == run_unconditional_test(0, 6, 30) == pytest.approx(0.01525, abs=1e-5)
        assert rate.p_value <= p_value <= LEVEL


def test_figures_that_move_together_are_tested_as_one() -> None:
    passes = np.array([-1.0] * 8 + [1.0] + [0.0] * 20)
    (mean, mean_p), (rate, rate_p) = estimate_shifts((passes, passes), None, 0)
    assert mean == rate
    assert [mean_p, rate_p, rate.p_value] == [run_unconditional_test(1, 8, 29)] * 3


@given(st.lists(st.tuples(st.sampled_from([-0.5, -0.1, 0.0, 0.2]), st.sampled_from([-1.0, 0.0, 1.0])), min_size=2))
def test_an_adjusted_p_value_is_never_below_its_own_and_the_interval_agrees(pairs: list[tuple[float, float]]) -> None:
    scores, passes = (np.array(column) for column in zip(*pairs, strict=True))
    for shift, p_value in estimate_shifts((scores, passes), None, 0):
        assert shift.p_value <= p_value <= 1
        assert shift.low <= shift.delta <= shift.high
        assert shift.verdict == "tied" or p_value <= LEVEL


_DIFFERENCES = st.lists(st.sampled_from([-1.0, -0.5, -0.125, 0.0, 0.0, 0.2, 1.0]), min_size=2, max_size=30)


@given(_DIFFERENCES)
def test_the_interval_of_a_change_holds_it_and_mirrors_with_the_differences(differences: list[float]) -> None:
    values = np.array(differences)
    low, high = find_interval(Pairs.build(values, None))
    assert -1 <= low <= values.mean() + 1e-12
    assert values.mean() - 1e-12 <= high <= 1
    assert find_interval(Pairs.build(-values, None)) == pytest.approx((-high, -low))


@given(_DIFFERENCES)
def test_the_additional_pair_opposes_the_change_and_mirrors_with_the_differences(differences: list[float]) -> None:
    pairs, mirrored = (Pairs.build(sign * np.array(differences), None) for sign in (1.0, -1.0))
    assert pairs.adverse * pairs.sums.sum() <= 0
    assert pairs.sums.sum() == 0 or mirrored.adverse == pytest.approx(-pairs.adverse)


@pytest.mark.slow
def test_twelve_pairs_that_move_all_or_nothing_are_covered_whatever_the_shares_that_move() -> None:
    moves = [(fixed, broken) for fixed in range(13) for broken in range(13 - fixed)]
    bounds = [find_interval(Pairs.build(np.repeat([1.0, 0.0, -1.0], [f, 12 - f - b, b]), None)) for f, b in moves]
    for fixed, broken in itertools.product(np.arange(0, 0.61, 0.04), repeat=2):
        if 0.02 < fixed + broken <= 0.8:
            chances = stats.multinomial(12, [fixed, broken, 1 - fixed - broken])
            held = [low - 1e-12 <= fixed - broken <= high + 1e-12 for low, high in bounds]
            assert sum(chances.pmf([f, b, 12 - f - b]) for (f, b), h in zip(moves, held, strict=True) if h) >= 0.92


def test_no_movement_leaves_room_for_what_was_not_seen() -> None:
    few, many = (estimate_shift(np.zeros(cases), None, 0) for cases in (30, 3_000))
    assert (few.low, few.high) == pytest.approx((-0.1135, 0.1135), abs=1e-4)
    assert (many.low, many.high) == pytest.approx((-0.00128, 0.00128), abs=1e-5)


@given(st.integers(2, 12), st.integers(0, 2**32 - 1))
def test_joint_flips_of_few_pairs_are_all_of_them(count: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    passes = chance.choice([-1.0, 0.0, 1.0], count)
    found = adjust_together([Pairs.build(passes, None), Pairs.build(-passes, None)], [0.0, 0.0], 0)
    moved = passes[passes != 0]
    more, fair = max((moved > 0).sum(), (moved < 0).sum()), stats.binom(len(moved), 0.5)
    mid = (min(1.0, 2 * fair.sf(more - 1)) + 2 * fair.sf(more)) / 2 if len(moved) else 0.0
    assert found == pytest.approx([mid, mid])


def test_cases_of_one_cluster_count_as_one() -> None:
    chance = np.random.default_rng(3)
    clusters = np.repeat(np.arange(10), 30)
    together = np.repeat(chance.normal(0, 0.1, 10), 30)
    alone, clustered = estimate_shift(together, None, 0), estimate_shift(together, clusters, 0)
    assert alone.delta == pytest.approx(clustered.delta)
    assert clustered.high - clustered.low > 3 * (alone.high - alone.low)


@pytest.mark.parametrize("differences", [[], [0.5], [0.0] * 9, [-1.0, 1.0]])
def test_too_little_to_tell_is_not_told(differences: list[float]) -> None:
    found = estimate_shift(np.array(differences), None, 0)
    assert found.low <= 0 <= found.high
    assert found.p_value == 1.0


def test_a_great_fall_is_told_at_a_dozen_cases() -> None:
    assert estimate_shift(np.array([-1.0] * 9 + [0.0] * 3), None, 0).high < 0


@pytest.mark.slow
def test_the_smallest_change_that_so_many_would_show_is_shown_mostly() -> None:
    for cases in (8, 12, 20, 30, 100):
        chance = np.random.default_rng(cases)
        smallest = np.mean([estimate_shift(_noise(chance, 0, cases), None, 0).smallest or 1.0 for _ in range(20)])
        shown = [estimate_shift(_noise(chance, -float(smallest), cases), None, 0).high < 0 for _ in range(60)]
        assert np.mean(shown) >= 0.65


@pytest.mark.parametrize("differences", [[-0.9, -0.95, -1.0], [-0.95, -0.9, -0.98, -1.0, -0.93], [-1.0, 0.9] * 4])
def test_too_few_to_show_any_change_have_no_smallest_one(differences: list[float]) -> None:
    found = estimate_shift(np.array(differences), None, 0)
    assert found.high >= 0
    assert found.smallest is None


def test_six_pairs_that_all_lose_nearly_everything_are_worse_and_say_what_they_would_show() -> None:
    found = estimate_shift(np.array([-0.95, -0.9, -0.98, -1.0, -0.93, -0.9]), None, 0)
    assert found.verdict == "worse"
    assert found.smallest is not None


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [5, 12, 30])
def test_the_exact_test_of_all_pairs_keeps_its_5_per_cent_however_many_pairs_change_sides(pairs: int) -> None:
    rejected = [
        (broken, fixed)
        for broken in range(pairs + 1)
        for fixed in range(pairs + 1 - broken)
        if run_unconditional_test(min(broken, fixed), max(broken, fixed), pairs) <= LEVEL
    ]
    for share in np.linspace(0.01, 0.99, 99):
        chances = stats.multinomial(pairs, [share / 2, share / 2, 1 - share])
        assert sum(chances.pmf([b, f, pairs - b - f]) for b, f in rejected) <= LEVEL + 1e-4


@given(broken=st.integers(0, 40), fixed=st.integers(0, 40), same=st.integers(0, 40))
def test_what_mcnemar_finds_clearly_the_exact_test_of_all_pairs_finds_too(broken: int, fixed: int, same: int) -> None:
    p_value = run_unconditional_test(min(broken, fixed), max(broken, fixed), broken + fixed + same)
    assert 0 < p_value <= 1
    assert p_value <= LEVEL or run_mcnemar_test(broken, fixed) > 0.02


def test_many_pairs_have_nearly_the_p_value_of_fewer() -> None:
    assert run_unconditional_test(20, 40, 1_001) == pytest.approx(run_unconditional_test(20, 40, 1_000), abs=0.005)
