"""Numbers at the edge of what a float holds, and at the edge of their tolerance."""

import math

from hypothesis import given
from hypothesis import strategies as st

from agentv_py.comparison.matchers.numeric_tolerance import NumericTolerance

_SIZES = st.sampled_from([0.0, 5e-324, 1e-300, 0.1, 1.1, 3.0, 19.99, 1e16, 1e308, 1.7976931348623157e308])
_TOLERANCES = st.sampled_from([0.0, 5e-324, 1e-300, 1e-13, 0.01, 0.1, 1.0, 3.0, 1e308])
_OTHERS = st.sampled_from([7, -3, 2**60, 10**400, "1.1"])


def test_a_tolerance_too_small_for_a_float_is_the_same_for_one_pair_and_for_many() -> None:
    match = NumericTolerance(tolerance=0.1, relative=True)
    assert match.matrix([5e-324], [0]).tolist() == [[match.similarity(5e-324, 0)]]


def test_a_tolerance_beyond_every_float_is_the_same_for_one_pair_and_for_many() -> None:
    match, size = NumericTolerance(tolerance=1e308, relative=True), 1.7976931348623157e308
    assert match.matrix([size], [-size]).tolist() == [[match.similarity(size, -size)]]


@given(sizes=st.lists(_SIZES, min_size=1, max_size=4), tolerance=_TOLERANCES, relative=st.booleans(), data=st.data())
def test_at_the_edge_of_the_tolerance_all_pairs_at_once_are_what_each_pair_is(
    sizes: list[float], tolerance: float, relative: bool, data: st.DataObject
) -> None:
    match = NumericTolerance(tolerance=tolerance, relative=relative)
    edges = [size + sign * (tolerance * size if relative else tolerance) for size in sizes for sign in (1, -1)]
    steps = data.draw(st.lists(st.sampled_from([-1e-9, -3e-12, -1e-12, 0.0, 1e-16, 1e-12, 3e-12, 1e-9]), min_size=1))
    actuals: list[object] = [edge * (1 + step) for edge in edges for step in steps if math.isfinite(edge * (1 + step))]
    actuals += data.draw(st.lists(_OTHERS, max_size=1))  # with such a number the values are read one by one
    similarities = [[match.similarity(size, actual) for actual in actuals] for size in sizes]
    assert match.matrix(sizes, actuals).tolist() == similarities
