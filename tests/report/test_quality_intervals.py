"""Intervals of precision, recall and F1, against oracles and laws."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from agentv_py.report.attribute_counts import MOST_KINDS, AttributeCounts
from agentv_py.report.diff.f1_shift import estimate_f1_shift
from agentv_py.report.quality_intervals import NO_ESTIMATES, estimate_quality
from agentv_py.report.statistics import Estimate, estimate_share

_DOCUMENTS = st.lists(st.tuples(*[st.integers(0, 4)] * 4), min_size=1, max_size=40)


def _count(documents: list[tuple[int, int, int, int]]) -> AttributeCounts:
    counts = AttributeCounts()
    for document in documents:
        counts.add(document, 1)
    return counts


@given(right=st.integers(0, 300), wrong=st.integers(0, 300))
def test_recall_of_one_value_per_document_has_wilson_s_interval(right: int, wrong: int) -> None:
    assume(right + wrong > 1)
    recall = estimate_quality(_count([(1, 0, 0, 0)] * right + [(0, 0, 0, 1)] * wrong)).recall
    assert recall == pytest.approx(estimate_share(right, right + wrong), abs=1e-9)


@given(documents=_DOCUMENTS, data=st.data())
def test_the_order_of_the_documents_changes_no_bit_of_the_bounds(
    documents: list[tuple[int, int, int, int]], data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations(documents))
    half = len(documents) // 2
    merged = _count(shuffled[:half])
    merged.merge(_count(shuffled[half:]))
    assert estimate_quality(_count(documents)) == estimate_quality(_count(shuffled)) == estimate_quality(merged)


def test_the_interval_of_many_documents_is_that_of_a_bootstrap_over_documents() -> None:
    chance = np.random.default_rng(1)
    rows = 1 + chance.poisson(6, 400)
    right = chance.binomial(rows, chance.beta(4, 1, 400))
    f1 = estimate_quality(_count([(a, 0, b - a, b - a) for a, b in zip(right.tolist(), rows.tolist(), strict=True)])).f1
    drawn = chance.integers(400, size=(2_000, 400))
    theirs = np.quantile(right[drawn].sum(axis=1) / rows[drawn].sum(axis=1), [0.025, 0.975])
    assert f1 is not None
    assert (f1.low, f1.high) == pytest.approx(theirs.tolist(), abs=0.003)


def test_one_document_says_nothing_about_others() -> None:
    assert estimate_quality(_count([(19, 0, 1, 1)])).f1 == Estimate(0.95, 0.0, 1.0)


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
    assert estimate_f1_shift(np.zeros((3, 3)), np.zeros((3, 3)), 0) is None


def test_kinds_beyond_the_bound_are_summed_up_and_count_as_much() -> None:
    documents = [(n, 0, 1, 0) for n in range(MOST_KINDS + 100)]
    counts, turned = _count(documents), _count(documents[::-1])
    assert (len(counts.kinds), counts.beyond is None) == (MOST_KINDS, False)
    assert counts.sum_up() == {"tp": sum(range(MOST_KINDS + 100)), "tn": 0, "fp": MOST_KINDS + 100, "fn": 0}
    assert estimate_quality(counts) == estimate_quality(turned)
    counts.merge(turned)
    twice = AttributeCounts()
    for document in documents:
        twice.add(document, 2)
    assert (counts.sum_up(), estimate_quality(counts)) == (twice.sum_up(), estimate_quality(twice))


def test_a_change_of_every_document_is_worse_and_none_is_not() -> None:
    right, wrong = np.array([[1.0, 0, 0]] * 12), np.array([[0.0, 1, 1]] * 12)
    sides = (right, wrong), (wrong, right), (right, right)
    shifts = [estimate_f1_shift(*each, 0) for each in sides]
    assert [shift and (shift.delta, shift.verdict) for shift in shifts] == [
        (-1.0, "worse"),
        (1.0, "better"),
        (0.0, "tied"),
    ]
    assert shifts[2] is not None
    assert shifts[2].low < 0 < shifts[2].high


@given(st.lists(st.tuples(*[st.integers(0, 5)] * 6), min_size=2, max_size=30))
def test_the_change_of_f1_is_that_of_the_sums(documents: list[tuple[int, ...]]) -> None:
    before, after = (np.array(documents, dtype=float)[:, side] for side in (slice(0, 3), slice(3, 6)))
    shift = estimate_f1_shift(before, after, 0)
    assume(before.any() and after.any())
    old, new = (2 * tp / (2 * tp + fp + fn) for tp, fp, fn in (before.sum(0), after.sum(0)))
    assert shift is not None
    assert shift.delta == pytest.approx(new - old, abs=1e-9)
