"""What cases with several answers add up to."""

from statistics import fmean, pstdev, pvariance
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentv_py.report.repeats import MOST_CASES, RepeatSummary

_SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=6)


def _row(scores: list[float], name: str = "c", consistency: float | None = None) -> dict[str, Any]:
    row: dict[str, Any] = {"case_id": name, "status": "ok", "repeats": scores, "evaluator_results": [{"name": "e"}]}
    return row if consistency is None else row | {"consistency": consistency}


def _added(rows: list[dict[str, Any]]) -> RepeatSummary:
    found = RepeatSummary()
    for row in rows:
        found.add(row)
    return found


@given(scores=_SCORES)
def test_a_case_s_figures_are_those_of_its_population(scores: list[float]) -> None:
    [line] = _added([_row(scores)]).weakest
    assert (line.best, line.mean) == (max(scores), fmean(scores))
    assert line.variance == pytest.approx(pvariance(scores), abs=1e-12)
    assert line.standard_deviation == pytest.approx(pstdev(scores), abs=1e-6)
    assert [scores[number - 1] for number in line.ranking] == sorted(scores, reverse=True)


@given(rows=st.lists(_SCORES, max_size=2 * MOST_CASES), cut=st.integers(0, 2 * MOST_CASES))
def test_parts_add_up_to_the_whole(rows: list[list[float]], cut: int) -> None:
    listed = [_row(scores, str(number), scores[0]) for number, scores in enumerate(rows)]
    whole, left, right = _added(listed), _added(listed[:cut]), _added(listed[cut:])
    left.merge(right)
    assert left.weakest == whole.weakest
    assert [one[0] for one in left.totals] == [one[0] for one in whole.totals]
    assert (left.cases, left.consistency_cases, left.left_out) == (whole.cases, whole.consistency_cases, whole.left_out)
    assert (left.best, left.mean, left.consistency) == pytest.approx((whole.best, whole.mean, whole.consistency))


def test_repeats_are_ranked_by_their_means_and_ties_by_number() -> None:
    found = _added([_row([0.2, 1.0, 0.5], "a", 0.4), _row([0.4, 0.8], "b", 0.6), _row([1.0], "c")])
    assert found.ranking() == [(2, 2, 0.9), (1, 3, pytest.approx(1.6 / 3)), (3, 1, 0.5)]
    whole = found.overall()
    assert (whole.name, whole.consistency, whole.ranking) == ("all 3 cases", 0.5, [2, 1, 3])
    variance = (pvariance([0.2, 1.0, 0.5]) + 0.04) / 3
    assert (whole.best, whole.mean, whole.variance) == pytest.approx((2.8 / 3, (1.7 / 3 + 1.6) / 3, variance))
    assert [line.name for line in found.weakest] == ["a", "b", "c"]
    assert found.left_out == {"e": None}


def test_an_errored_case_has_no_scores_to_speak_of() -> None:
    assert _added([_row([0.0, 1.0]) | {"status": "error"}]) == RepeatSummary()
