"""Which slice is worse than the rest, against an oracle and by simulation."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rows import row
from scipy import stats

from agentv_py.report.slices.fold import Slices
from agentv_py.report.slices.weakest import compute_fisher_tail, find_worse_slices
from agentv_py.report.tally import Tally
from agentv_py.suite.slice_key import SliceKey


@given(st.data())
def test_the_test_of_a_pass_rate_is_fisher_s(data: st.DataObject) -> None:
    cases = data.draw(st.integers(2, 200))
    passed, drawn = data.draw(st.integers(0, cases)), data.draw(st.integers(1, cases - 1))
    hits = data.draw(st.integers(max(0, drawn - (cases - passed)), min(drawn, passed)))
    whole, part = Tally(), Tally()
    whole.cases, whole.passed, part.cases, part.passed = cases, passed, drawn, hits
    tail = compute_fisher_tail(whole, part)
    assert tail == pytest.approx(stats.hypergeom(cases, passed, drawn).cdf(hits), rel=1e-7, abs=1e-12)


def _count_named(draw: Any, runs: int) -> float:
    """Return the share of runs of 60 cases in five equal slices, all alike, in which any slice is named."""
    chance, named = np.random.default_rng(0), 0
    for _ in range(runs):
        slices = Slices.for_all_suites([SliceKey("metadata.v")])
        for n, score in enumerate(draw(chance).tolist()):
            slices.add(row(f"c{n}", score, metadata={"v": f"v{n % 5}"}))
        named += bool(find_worse_slices(slices.list_tables()))
    return named / runs


@pytest.mark.slow
@pytest.mark.parametrize(
    "draw",
    [
        lambda chance: (chance.random(60) < 0.8).astype(float),
        lambda chance: chance.beta(8, 1, 60),
        lambda chance: np.where(chance.random(60) < 0.1, chance.random(60), 1.0),
        lambda chance: np.where(chance.random(60) < 0.1, chance.random(60), 0.0),
    ],
    ids=["pass or fail", "graded", "nearly all right", "nearly all wrong"],
)
def test_slices_that_are_alike_are_seldom_named(draw: Any) -> None:
    assert _count_named(draw, 40) <= 0.16  # 5 %, and three standard errors of 40 runs more
