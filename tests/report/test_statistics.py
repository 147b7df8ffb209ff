"""Intervals, against what is known of them."""

import runpy
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy import stats
from simulated_documents import SCORES, Draw, bimodal, ceiling, high_ceiling, uniform

from agentv_py.report.statistics import Estimate, compute_beta_share, estimate_mean, estimate_share, student_quantile


@pytest.mark.parametrize(
    ("successes", "total", "low", "high"),
    [(0, 10, 0.0, 0.2775328), (10, 10, 0.7224672, 1.0), (5, 10, 0.2365931, 0.7634069), (81, 263, 0.2553136, 0.3661985)],
)  # fmt: skip
def test_wilson_s_interval_is_the_published_one(successes: int, total: int, low: float, high: float) -> None:
    assert tuple(estimate_share(successes, total)) == pytest.approx((successes / total, low, high), abs=1e-4)


def test_student_s_points_are_scipy_s() -> None:
    points = [student_quantile(degrees) for degrees in range(1, 300)]
    assert points == pytest.approx(stats.t.ppf(0.975, range(1, 300)).tolist(), abs=5e-5)


@given(st.floats(1, 300))
def test_student_s_points_of_parts_of_degrees_are_near_scipy_s(degrees: float) -> None:
    assert student_quantile(degrees) == pytest.approx(stats.t.ppf(0.975, degrees), rel=0.03)


_INTERVALS = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "intervals.py"))


def _estimate(scores: list[float]) -> Estimate:
    return estimate_mean(sum(scores), sum(score**2 for score in scores), len(scores))


def test_a_mean_has_an_interval_within_its_range() -> None:
    assert tuple(_estimate([1.0, 1.0, 0.5, 0.75])) == pytest.approx((0.8125, 0.4620, 0.9478), abs=1e-3)
    assert estimate_mean(0.0, 0.0, 0) == Estimate(0.0, 0.0, 1.0)
    assert estimate_mean(0.5, 0.25, 1) == Estimate(0.5, 0.0, 1.0)


@given(st.integers(0, 200), st.integers(0, 200))
def test_the_mean_of_scores_of_0_or_1_has_the_interval_of_a_share(right: int, wrong: int) -> None:
    assume(right + wrong > 1)
    found = estimate_mean(right, right, right + wrong)
    assert found == pytest.approx(estimate_share(right, right + wrong), abs=1e-9)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=60))
@example([0.0, 1e-13])
def test_the_interval_holds_the_mean_and_mirrors_with_the_scores(scores: list[float]) -> None:
    found, mirrored = _estimate(scores), _estimate([1 - score for score in scores])
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.low < found.high
    assert (found.low, found.high) == pytest.approx((1 - mirrored.high, 1 - mirrored.low), abs=1e-6)


@given(st.floats(0.01, 1e5), st.floats(0.01, 1e5), st.floats(0.001, 0.999))
def test_the_shares_of_a_beta_distribution_are_scipy_s(a: float, b: float, x: float) -> None:
    assert compute_beta_share(x, a, b) == pytest.approx(stats.beta.cdf(x, a, b), abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("cases", [5, 12, 30, 100, 300])
@pytest.mark.parametrize("draw", [uniform, bimodal, ceiling, high_ceiling])
def test_the_interval_of_a_mean_covers(draw: Draw, cases: int) -> None:
    """The benchmark measures the coverage with more samples; 300 show whether it is near 95 %."""
    assert 0.91 <= _INTERVALS["measure_coverage"](draw, SCORES[draw], cases, 300).share <= 1.0


@pytest.mark.slow
def test_the_interval_of_a_share_covers_on_average() -> None:
    for cases in (5, 12, 30, 100):
        assert 0.945 <= _INTERVALS["average"](_INTERVALS["cover_all_rates"](_INTERVALS["find_wilson"], cases)) <= 0.96
