"""Numbers at the edge of what a float holds."""

from agentv_py.comparison.matchers.numeric_tolerance import NumericTolerance


def test_a_tolerance_too_small_for_a_float_is_the_same_for_one_pair_and_for_many() -> None:
    match = NumericTolerance(tolerance=0.1, relative=True)
    assert match.matrix([5e-324], [0]).tolist() == [[match.similarity(5e-324, 0)]]
