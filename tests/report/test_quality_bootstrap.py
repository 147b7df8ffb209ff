"""Intervals of precision, recall and F1, against oracles and laws."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from agentv_py.report.attribute_counts import MOST_KINDS, AttributeCounts
from agentv_py.report.quality_bootstrap import NO_ESTIMATES, estimate_f1_shift, estimate_quality, find_tails

_DOCUMENTS = st.lists(st.tuples(*[st.integers(0, 4)] * 4), min_size=1, max_size=40)


def _count(documents: list[tuple[int, int, int, int]]) -> AttributeCounts:
    counts = AttributeCounts()
    for document in documents:
        counts.add(document, 1)
    return counts


@pytest.mark.parametrize(("right", "documents"), [(12, 12), (0, 12), (25, 30), (95, 100), (290, 300)])
def test_recall_of_one_value_per_document_has_jeffreys_interval(right: int, documents: int) -> None:
    counts = _count([(1, 0, 0, 0)] * right + [(0, 0, 0, 1)] * (documents - right))
    recall = estimate_quality(counts).recall
    low, high = stats.beta(right + 0.5, documents - right + 0.5).ppf([0.025, 0.975])
    assert recall is not None
    assert recall.low == pytest.approx(0.0 if right == 0 else low, abs=0.015)
    assert recall.high == pytest.approx(1.0 if right == documents else high, abs=0.015)


@given(documents=_DOCUMENTS)
def test_an_interval_holds_its_figure_and_stays_between_0_and_1(documents: list[tuple[int, int, int, int]]) -> None:
    for estimate in filter(None, estimate_quality(_count(documents))):
        assert 0 <= estimate.low <= estimate.value <= estimate.high <= 1


@given(documents=_DOCUMENTS, other=_DOCUMENTS)
def test_counts_that_are_merged_are_the_counts_of_all(
    documents: list[tuple[int, int, int, int]], other: list[tuple[int, int, int, int]]
) -> None:
    merged = _count(documents)
    merged.merge(_count(other))
    assert vars(merged) == vars(_count([*documents, *other]))
    assert list(merged.sum_up().values()) == [sum(each) for each in zip(*documents, *other, strict=True)]


def test_nothing_to_count_has_no_interval() -> None:
    assert estimate_quality(_count([(0, 3, 0, 0)])) == NO_ESTIMATES
    assert estimate_f1_shift(np.zeros((3, 3)), np.zeros((3, 3))) is None


def test_kinds_beyond_the_bound_are_only_summed_up() -> None:
    counts = _count([(n, 0, 1, 0) for n in range(MOST_KINDS + 100)])
    assert (len(counts.kinds), counts.documents_beyond) == (MOST_KINDS, 100)
    assert counts.sum_up() == {"tp": sum(range(MOST_KINDS + 100)), "tn": 0, "fp": MOST_KINDS + 100, "fn": 0}
    f1 = estimate_quality(counts).f1
    assert f1 is not None
    assert f1.high - f1.low < 0.001


def test_a_change_of_every_document_is_worse_and_none_is_not() -> None:
    right, wrong = np.array([[1.0, 0, 0]] * 12), np.array([[0.0, 1, 1]] * 12)
    fall, rise, same = estimate_f1_shift(right, wrong), estimate_f1_shift(wrong, right), estimate_f1_shift(right, right)
    assert fall is not None
    assert rise is not None
    assert same is not None
    assert (fall.is_worse, rise.is_worse, same.is_worse) == (True, False, False)
    assert same.low < 0 < same.high


@given(values=st.lists(st.floats(-1, 1), min_size=2, max_size=50))
def test_the_tails_are_those_of_numpy_to_the_last_bit(values: list[float]) -> None:
    assert find_tails(np.array(values)) == tuple(np.quantile(values, [0.025, 0.975]))
