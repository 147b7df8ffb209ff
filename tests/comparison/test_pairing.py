"""Who is paired with whom: the best sum, the same in every order."""

import random
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from agentv_py import compare, exact, fuzzy, name, numeric, unordered, within
from agentv_py.comparison.comparison import Measure
from agentv_py.comparison.compile import compile_comparators
from agentv_py.comparison.pairing import assignment, keys, matrices, unambiguous
from agentv_py.comparison.pairing.canonical_order import sort_by_content, write_content
from agentv_py.comparison.pairing.columns import find_leaf_columns
from agentv_py.comparison.trace import Trace
from agentv_py.comparison.walk import walk
from agentv_py.score import Score

_ROW = {"d": fuzzy(threshold=0.5), "p": within(tolerance=5, mode="absolute", weight=2), "q": exact()}

_texts = st.sampled_from(
    ["red apple", "red apples", "green pear", "grey bear", "", "  ", "plum", "p\u00eache", "pe\u0302che"]
)
_rows = st.fixed_dictionaries(
    {},
    optional={
        "d": _texts | st.none(),
        "p": st.sampled_from([0, 1, 5, 10, 100.5, "5.00", "x", None]),
        "q": st.sampled_from([1, 1.0, True, "1", None, {"a": 1}]),
    },
)


def test_the_optimum_is_scipy_s_on_thousands_of_matrices() -> None:
    chance = np.random.default_rng(0)
    for trial in range(3_000):
        shape = tuple(chance.integers(1, 9, 2))
        if trial % 3 == 0:
            scores = chance.random(shape)
        elif trial % 3 == 1:
            scores = chance.integers(0, 3, shape) / 2  # heavy with ties
        else:
            scores = np.where(chance.random(shape) < 0.6, 0.0, chance.integers(1, 5, shape) / 4)
        similarities = np.maximum(scores, 0.01)
        pairs = assignment.pair_optimally(scores, similarities, 0.0)
        best = scores[linear_sum_assignment(scores, maximize=True)].sum()
        assert sum(scores[pair] for pair in pairs) == pytest.approx(best, abs=1e-6)
        assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs) == min(shape)


def test_a_large_tie_heavy_matrix_is_solved_too() -> None:
    scores = np.random.default_rng(1).integers(0, 2, (400, 300)).astype(float)
    pairs = assignment.pair_optimally(scores, scores, 0.0)
    assert sum(scores[pair] for pair in pairs) == scores[linear_sum_assignment(scores, maximize=True)].sum()


def test_among_equal_sums_the_similarities_decide() -> None:
    scores = np.zeros((2, 2))
    assert assignment.pair_optimally(scores, np.array([[0.1, 0.4], [0.4, 0.1]]), 0.0) == [(0, 1), (1, 0)]


def test_of_rows_that_are_alike_the_first_are_paired_on_either_side() -> None:
    scores = np.ones((2, 4))
    assert assignment.pair_optimally(scores, scores, 0.0) == [(0, 0), (1, 1)]
    assert assignment.pair_optimally(scores.T, scores.T, 0.0) == [(0, 0), (1, 1)]
    blank = compare([None, "a", "a"], ["a", "b", "a", "a"], unordered(exact))
    assert (blank.details or {})["alignment"] == {"$": [(1, 0, 1.0), (2, 2, 1.0)]}


def test_a_pair_below_the_threshold_or_of_similarity_0_is_never_made() -> None:
    similarities = np.array([[0.9, 0.8], [0.8, 0.0]])
    assert assignment.pair_optimally(similarities, similarities, 0.0) == [(0, 1), (1, 0)]
    assert assignment.pair_optimally(similarities, similarities, 0.85) == [(0, 0)]
    assert assignment.pair_greedily(similarities, 0.0) == [(0, 0)]


def test_greedy_takes_the_best_first_and_breaks_ties_by_index() -> None:
    assert assignment.pair_greedily(np.array([[0.5, 0.9], [0.9, 0.9]]), 0.0) == [(0, 1), (1, 0)]
    assert assignment.pair_greedily(np.ones((3, 2)), 0.0) == [(0, 0), (1, 1)]


_optional = {"d": fuzzy(threshold=0.5, required=False), "q": exact(required=False)}


@pytest.mark.parametrize(
    ("comparators", "expected", "actual"),
    [
        (_optional, [{}, {"q": 2}], [{"d": "plum", "q": None}, {"d": "pear", "q": 1}]),
        (_optional, [{"d": None}, {"d": None, "q": 2}], [{"d": None, "q": None}, {"q": 1}]),
        (_optional | {"d": fuzzy}, [{"q": 2, "d": 1}, {"q": 2}, {"q": 2, "d": None}], [{"d": "plum"}, {"q": 1, "d": "plum"}, {"q": 2}]),
    ],
)  # fmt: skip
def test_rows_between_which_nothing_counts_are_paired_in_any_order(
    comparators: Any, expected: Any, actual: Any
) -> None:
    orders = product(permutations(expected), permutations(actual))
    scores = {round(compare([*left], [*right], unordered(comparators)).score, 9) for left, right in orders}
    assert len(scores) == 1


@given(st.lists(_rows, max_size=6), st.lists(_rows, max_size=6), st.randoms(use_true_random=False))
def test_permuting_either_side_never_changes_the_score(expected: list[Any], actual: list[Any], chance: Any) -> None:
    before = compare(expected, actual, unordered(_ROW)).score
    for rows in (expected, actual):
        chance.shuffle(rows)
    assert compare(expected, actual, unordered(_ROW)).score == pytest.approx(before, abs=1e-9)


_nested = unordered(
    {
        "d": fuzzy(threshold=0.5, required=False),
        "p": numeric(nullable=True, weight=2),
        "q": exact(any_of=True),
        "n": unordered({"x": exact(required=False), "y": unordered(exact)}),
        "o": {"x": exact},
    }
)
_few = st.sampled_from([0, 1, 2, None])
_nested_rows = st.fixed_dictionaries(
    {},
    optional={
        "d": _texts,
        "p": _few,
        "q": _few | st.lists(_few, max_size=2),
        "n": st.lists(st.fixed_dictionaries({}, optional={"x": _few, "y": st.lists(_few, max_size=2)}), max_size=3),
        "o": st.fixed_dictionaries({}, optional={"x": _few, "z": _few}),
    },
)


@given(
    st.lists(_nested_rows, max_size=6), st.lists(_nested_rows, max_size=6), st.booleans(),
    st.sampled_from(["ignore", "penalize"]), st.randoms(use_true_random=False),
)  # fmt: skip
def test_permuting_either_side_at_any_depth_changes_nothing_that_is_reported(
    expected: list[Any], actual: list[Any], copy: bool, extra_keys: Any, chance: random.Random
) -> None:
    if copy:
        actual = expected[1:] + actual[:2]
    before = compare(expected, actual, _nested, extra_keys=extra_keys)
    expected, actual = ([_shuffled(row, chance) for row in rows] for rows in (expected, actual))
    for rows in (expected, actual):
        chance.shuffle(rows)
    after = compare(expected, actual, _nested, extra_keys=extra_keys)
    assert _reported(after) == _reported(before)


def _shuffled(row: dict[str, Any], chance: random.Random) -> dict[str, Any]:
    inner = [
        {key: chance.sample(value, len(value)) if key == "y" else value for key, value in one.items()}
        for one in row.get("n", ())
    ]
    return row | ({"n": chance.sample(inner, len(inner))} if inner else {})


def _reported(score: Any) -> Any:
    return round(score.score, 9), len(score.hits), len(score.misses), score.leaves, (score.details or {}).get("metrics")


@given(
    rows=st.lists(_rows, max_size=8) | st.lists(_rows | st.none(), max_size=8),
    extra_keys=st.sampled_from(["ignore", "penalize"]),
)
def test_the_order_of_rows_is_that_of_their_contents(rows: list[Any], extra_keys: Any) -> None:
    item = compile_comparators(_ROW, None, extra_keys)
    assert item is not None
    assert sort_by_content(item, rows) == sorted(range(len(rows)), key=lambda index: write_content(item, rows[index]))


@pytest.mark.parametrize("expected", list(permutations([[], [None]])), ids=str)
@pytest.mark.parametrize("actual", list(permutations([[], [None]])), ids=str)
def test_lists_that_hold_nothing_are_paired_in_any_order(expected: Any, actual: Any) -> None:
    score = compare(list(expected), list(actual), unordered(unordered(exact)))
    assert (score.details or {})["metrics"] == {"[][]": {"tp": 0, "tn": 1, "fp": 0, "fn": 0}}


def test_of_pairings_that_are_equally_good_the_same_one_is_taken_in_every_order() -> None:
    # One whole match and one row that has no partner, or three thirds of a match.
    expected, actual = (
        [{"a": 1, "b": 1, "c": 1}, {"a": 1, "b": 2, "c": 2}],
        [{"a": 1, "b": 1, "c": 1}, {"a": 3, "b": 1, "c": 1}],
    )
    optional = {"a": exact(required=False), "b": exact(required=False)}
    for comparators, left, right in (
        ({"a": exact, "b": exact, "c": exact}, expected, actual),
        ({"a": exact, "b": exact}, [{"a": 1, "b": 9}, {"a": 9, "b": 1}], [{"a": 1, "b": 1}]),
        (optional, [{"a": 1}, {"a": 1, "b": 2}], [{"a": 1}, {"a": 1, "b": 2}]),
        (optional, [{"a": 1, "b": 2}, {"b": 3}, {}], [{"a": 2}, {"b": 2}, {"a": 1}]),
    ):
        orders = product(permutations(left), permutations(right))
        found = [_reported(compare([*one], [*two], unordered(comparators))) for one, two in orders]
        assert found == found[:1] * len(found)


_labelled = _rows.filter(lambda row: any(value not in (None, "", "  ", "x") for value in row.values()))


@given(st.lists(_labelled, max_size=8), st.randoms(use_true_random=False))
def test_a_shuffled_copy_of_itself_scores_1(rows: list[Any], chance: random.Random) -> None:
    # A price of "x" is no number, so it is not in the domain.
    rows = [{key: value for key, value in row.items() if value != "x"} for row in rows]
    shuffled = rows.copy()
    chance.shuffle(shuffled)
    assert compare(rows, shuffled, unordered(_ROW)).score == 1.0


@given(st.recursive(st.integers(0, 3), lambda inner: st.lists(inner, max_size=3), max_leaves=12).filter(
    lambda value: isinstance(value, list) and all(isinstance(row, list) and all(type(x) is int for x in row) for row in value)
), st.randoms(use_true_random=False))  # fmt: skip
def test_lists_of_lists_pair_by_their_best_pairing(matrix: list[Any], chance: random.Random) -> None:
    shuffled = [chance.sample(row, len(row)) for row in matrix]
    chance.shuffle(shuffled)
    assert compare(matrix, shuffled, unordered(unordered(exact))).score == 1.0


@given(
    st.lists(_rows, min_size=1, max_size=5), st.lists(_rows, min_size=1, max_size=5),
    st.sampled_from(["unlabelled", "empty"]), st.booleans(),
)  # fmt: skip
def test_the_matrices_agree_with_the_walk(expected: list[Any], actual: list[Any], absent: Any, by_leaves: bool) -> None:
    below = {} if absent == "empty" else {"n": {"x": exact(), "y": name()}}
    field = compile_comparators(_ROW | below, None, "ignore", absent)
    assert field is not None
    for rows in (expected, actual):
        for number, row in enumerate(rows):
            if number % 2:
                row["n"] = {"x": number, "y": "Acme Inc"}
    columns = matrices.measure_all_pairs(field, expected, actual, by_leaves)
    assert columns is not None
    counts = np.broadcast_to(columns.counts, columns.scores.shape)
    for row, left in enumerate(expected):
        for column, right in enumerate(actual):
            measure = walk(field, left, right, "", Trace(by_leaves=by_leaves))
            if measure is None:
                assert counts[row, column] == columns.similarities[row, column] == 0.0
            else:
                found = (columns.scores[row, column], columns.similarities[row, column])
                assert found == pytest.approx((measure.score, measure.similarity))


_full_rows = st.fixed_dictionaries(
    {
        "d": st.sampled_from(
            ["red apple", "red apples", "green pear", "grey bear", "p\u00eache", "pe\u0302che", "pêches"]
        ),
        "p": st.sampled_from([0, 1, 5, 10, 100.5, "5.00", "x", float("nan")]),
        "q": st.sampled_from([1, 1.0, True, "1", "2", "3", "4"]),
    }
)


@given(st.lists(_full_rows, min_size=1, max_size=7), st.lists(_full_rows, min_size=1, max_size=7), st.integers(0, 7))
def test_an_unambiguous_pairing_is_the_pairing_of_all_pairs(expected: list[Any], actual: list[Any], kept: int) -> None:
    _check_unambiguous(expected, expected[:kept] + actual)  # so that some rows match fully


@given(
    st.lists(_full_rows, min_size=1, max_size=7), st.lists(_full_rows, min_size=1, max_size=7), st.integers(0, 7),
    st.integers(0, 3), st.floats(0.01, 20.0),
)  # fmt: skip
def test_an_unambiguous_pairing_is_optimal_where_a_column_tells_rows_apart(
    expected: list[Any], actual: list[Any], kept: int, shift: int, weight: float
) -> None:
    numbered = [row | {"q": f"S{number}"} for number, row in enumerate(expected)]
    answers = numbered[:kept] + [row | {"q": f"S{number}"} for number, row in enumerate(actual, kept + shift)]
    _check_unambiguous(numbered, answers[::-1], _ROW | {"q": exact(weight=weight)})


def _check_unambiguous(expected: list[Any], actual: list[Any], comparators: Any = _ROW) -> None:
    field = compile_comparators(comparators, None, "ignore")
    assert field is not None
    found = unambiguous.pair_unambiguous(find_leaf_columns(field), expected, actual, 0.0)
    if found is not None:
        pairs, full = found
        every = matrices.measure_all_pairs(field, expected, actual)
        assert every is not None
        gain = every.scores + assignment.TIE_BREAK * every.similarities
        best = gain[linear_sum_assignment(gain, maximize=True)].sum()
        assert sum(gain[pair] for pair in pairs) == pytest.approx(best, abs=1e-11)
        assert all(
            walk(field, expected[row], actual[dict(pairs)[row]], "", Trace()) == Measure(1.0, 1.0) for row in full
        )


def test_most_short_lists_need_no_matrix() -> None:
    rows: list[dict[str, Any]] = [{"d": chr(97 + n) * 9, "p": 100 * n, "q": f"S{n}"} for n in range(12)]
    noisy = [row | {"p": row["p"] + (7 if n % 4 == 0 else 0)} for n, row in enumerate(reversed(rows))]
    field = compile_comparators(_ROW, None, "ignore")
    assert field is not None
    for left, right in ((rows, noisy), (rows[2:], noisy), (rows, noisy[3:])):
        found = unambiguous.pair_unambiguous(find_leaf_columns(field), left, right, 0.0)
        assert found is not None
        assert {left[row]["q"] == right[column]["q"] for row, column in found[0]} == {True}


def test_what_is_no_number_cannot_hang_the_solver() -> None:
    rows = [{"p": float("nan")}, {"p": float("inf")}, {"p": 1}] * 8
    score = compare(rows, rows[::-1], unordered({"p": numeric}))
    assert score.score == pytest.approx(8 / 24)
    assert "[0] (missing)" in score.misses


def test_thousands_of_keys_are_paired_in_flat_memory_and_in_order_of_appearance() -> None:
    count = 3_000
    expected: list[dict[str, Any]] = [{"sku": f"item {number:06d} of the list", "n": number} for number in range(count)]
    expected += [{"sku": "twin", "n": number} for number in range(count)]
    # A third of the keys have one other letter, which fuzzy keys allow and exact keys do not.
    actual = [
        {**row, "sku": row["sku"].replace("item", "itam") if row["n"] % 3 == 0 else row["sku"]}
        for row in reversed(expected)
    ]
    rows = {"n": exact, "sku": fuzzy(threshold=0.95)}
    own = compare(expected[:count], actual[count:], unordered(rows, key="sku"))
    assert _details(own)["metrics"]["[].n"] == {"tp": count, "tn": 0, "fp": 0, "fn": 0}
    exactly = compare(expected, actual, unordered({"n": exact, "sku": exact}, key="sku"))
    assert exactly.misses.count("[0] (missing)") == 1
    assert [pair[:2] for pair in _details(exactly)["alignment"]["$"][:2]] == [(1, 2 * count - 2), (2, 2 * count - 3)]
    same = compare(expected[count:], actual[:count], unordered({"n": exact, "sku": exact}, key="sku"))
    assert [pair[:2] for pair in _details(same)["alignment"]["$"]] == [(index, index) for index in range(100)]


def _details(score: Score) -> dict[str, Any]:
    return dict(score.details or {})


@given(expected=st.lists(_rows, max_size=4), actual=st.lists(_rows, max_size=4))
def test_keys_that_pass_pair_the_same_in_bands_of_any_height(expected: list[Any], actual: list[Any]) -> None:
    rows = unordered(_ROW, key=["d", "p"])
    whole = compare(expected, actual, rows)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(keys, "_CELLS_AT_ONCE", 1)
        assert compare(expected, actual, rows) == whole
