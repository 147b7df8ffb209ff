"""Figures of confidence, against scikit-learn and against what is known of them."""

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve
from sklearn.metrics import brier_score_loss, roc_auc_score

from agentv_py.report.calibration import LEAST_OBSERVATIONS, Calibration, CurvePoint, calibrate
from agentv_py.report.confidence import MOST_VALUES, ConfidenceSummary, ConfidenceTally, round_confidence

Cases = list[list[tuple[float, bool]]]

_CONFIDENCE = st.one_of(st.integers(0, 20).map(lambda n: n / 20), st.floats(0, 1).map(lambda c: round(c, 6)))
_CASES = st.lists(st.lists(st.tuples(_CONFIDENCE, st.booleans()), min_size=1, max_size=8), min_size=30, max_size=60)


def _tally(cases: Cases) -> ConfidenceTally:
    tally = ConfidenceTally()
    for case in cases:
        tally.add([c for c, is_right in case if is_right], [c for c, is_right in case if not is_right])
    return tally


def _calibrate(cases: Cases) -> Calibration:
    figures = calibrate(_tally(cases))
    assert figures is not None
    return figures


@given(_CASES)
def test_the_figures_are_those_of_scikit_learn(cases: Cases) -> None:
    figures = _calibrate(cases)
    confidences, right = map(np.array, zip(*(value for case in cases for value in case), strict=True))
    assert figures.brier == pytest.approx(brier_score_loss(right, confidences, pos_label=True))
    if right.all() or not right.any():
        assert figures.auroc is None
    else:
        assert figures.auroc == pytest.approx(roc_auc_score(right, confidences))
    shares, means = calibration_curve(right, confidences, n_bins=10)
    filled = [one for one in figures.bins if one.size]
    assert [one.accuracy for one in filled] == pytest.approx(shares.tolist())
    assert [one.confidence for one in filled] == pytest.approx(means.tolist())
    sizes = np.array([one.size for one in filled])
    assert figures.ece == pytest.approx(float(sizes @ np.abs(shares - means) / sizes.sum()))


@given(_CASES)
def test_curves_and_reviews_are_what_sorting_the_values_gives(cases: Cases) -> None:
    figures = _calibrate(cases)
    values = [value for case in cases for value in case]
    for point in figures.curve:
        accepted = [is_right for confidence, is_right in values if confidence >= point.threshold]
        assert point == CurvePoint(
            point.threshold, len(accepted) / len(values), 1 - accepted.count(False) / len(accepted)
        )
    assert figures.curve[-1].coverage == 1
    errors = sum(not is_right for _, is_right in values)
    for review in figures.review:
        if not errors:
            assert review.caught is None
            continue
        least_sure = sorted(values)  # of equal confidences, errors first; below, errors last
        most = sum(not is_right for _, is_right in least_sure[: int(np.ceil(review.budget * len(values)))])
        least_sure.sort(key=lambda value: (value[0], not value[1]))
        least = sum(not is_right for _, is_right in least_sure[: int(review.budget * len(values))])
        assert review.caught is not None
        assert least / errors - 1e-9 <= review.caught <= most / errors + 1e-9


@given(_CASES, st.integers(0, 30))
def test_tallies_of_parts_add_up_to_the_tally_of_the_whole(cases: Cases, cut: int) -> None:
    merged = _tally(cases[:cut])
    merged.merge(_tally(cases[cut:]))
    assert merged == _tally(cases)


def test_many_different_confidences_are_rounded_and_keep_their_order() -> None:
    chance = np.random.default_rng(2)
    confidences = np.round(1 - chance.random(40_000) ** 4, 6)
    right = chance.random(40_000) < confidences
    cases = [[(float(c), bool(r))] for c, r in zip(confidences, right, strict=True)]
    figures, tally = _calibrate(cases), _tally(cases)
    assert figures.is_rounded
    assert len(tally.right) + len(tally.wrong) <= 2 * MOST_VALUES
    assert figures.auroc == pytest.approx(roc_auc_score(right, confidences), abs=1e-3)
    assert round_confidence(0.99994) < round_confidence(0.99997) < 1


def test_too_few_observations_have_no_figures() -> None:
    assert calibrate(_tally([[(0.5, True)]] * (LEAST_OBSERVATIONS - 1))) is None
    assert calibrate(_tally([[(0.5, True)]] * LEAST_OBSERVATIONS)) is not None
    assert calibrate(ConfidenceTally()) is None


def test_the_lowest_confidence_is_named_that_is_known_to_be_right_often_enough() -> None:
    cases = [[(0.99, True)]] * 950 + [[(0.5, n % 4 > 0)] for n in range(50)]
    [at_99, at_95, at_90] = _calibrate(cases).accept
    assert (at_99.least, at_99.point) == (0.99, CurvePoint(0.99, 0.95, 1.0))
    assert (at_95.point, at_90.point) == (CurvePoint(0.5, 1.0, 0.987), CurvePoint(0.5, 1.0, 0.987))


def test_too_few_right_values_prove_nothing() -> None:
    [at_99, at_95, at_90] = _calibrate([[(0.9, True)]] * 100).accept
    assert (at_99.point, at_99.needed) == (None, 372)
    assert at_95.point == at_90.point == CurvePoint(0.9, 1.0, 1.0)


def test_errors_that_come_together_count_as_fewer_observations() -> None:
    apart: Cases = [[(0.9, True)] * 9 + [(0.9, n % 4 > 0)] for n in range(120)]
    together: Cases = [[(0.9, True)] * 10] * 117 + [[(0.9, False)] * 10] * 3
    assert sum(r for case in apart for _, r in case) == sum(r for case in together for _, r in case)
    assert _calibrate(apart).accept[1].point is not None
    assert _calibrate(together).accept[1].point is None


@pytest.mark.slow
@pytest.mark.parametrize("least", [0.99, 0.95, 0.9])
def test_the_named_accuracy_is_wrong_in_at_most_one_run_of_twenty(least: float) -> None:
    simulation = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "confidence.py"))
    setting = simulation["Setting"](100, 10, 0.3)
    assert simulation["measure_false_statements"](setting, least, runs=100) <= 0.05


def test_a_results_file_may_hold_anything_as_observations() -> None:
    summary = ConfidenceSummary()
    odd_ones: tuple[Any, ...] = (None, [], "x", {"right": [0.5]}, {"right": {"a": 0.5}}, {"wrong": {"a": ["x", None, True, 2, -1]}},
                {"missing": "many", "invalid": -1, "omitted": True, "invalid_at": 7})  # fmt: skip
    for odd in odd_ones:
        summary.add(odd)
    assert (summary.whole, summary.attributes) == (ConfidenceTally(), {})
    assert (summary.missing, summary.invalid, summary.omitted) == (0, 0, 0)
