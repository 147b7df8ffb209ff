"""Intervals, against what is known of them."""

import pytest
from scipy import stats

from agentv_py.report.statistics import Estimate, estimate_mean, estimate_share, student_quantile


@pytest.mark.parametrize(
    ("successes", "total", "low", "high"),
    [(0, 10, 0.0, 0.2775328), (10, 10, 0.7224672, 1.0), (5, 10, 0.2365931, 0.7634069), (81, 263, 0.2553136, 0.3661985)],
)  # fmt: skip
def test_wilson_s_interval_is_the_published_one(successes: int, total: int, low: float, high: float) -> None:
    assert tuple(estimate_share(successes, total)) == pytest.approx((successes / total, low, high), abs=1e-4)


def test_student_s_points_are_scipy_s() -> None:
    points = [student_quantile(degrees) for degrees in range(1, 300)]
    assert points == pytest.approx(stats.t.ppf(0.975, range(1, 300)).tolist(), abs=5e-5)


def test_a_mean_has_an_interval_within_its_range() -> None:
    scores = [1.0, 1.0, 0.5, 0.75]
    found = estimate_mean(sum(scores), sum(score**2 for score in scores), len(scores))
    assert tuple(found) == pytest.approx((0.8125, 0.4318, 1.0), abs=1e-3)
    assert estimate_mean(0.0, 0.0, 0) == Estimate(0.0, 0.0, 1.0)
    assert estimate_mean(0.5, 0.25, 1) == Estimate(0.5, 0.0, 1.0)
