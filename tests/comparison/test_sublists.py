"""Lists in lists: paired at the best sum of best sums, and each pair of elements looked at a few times at most."""

import random
import unicodedata
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

from agentv_py import compare, custom, exact, fuzzy, numeric, unordered
from agentv_py.comparison.comparison import Incomparable, is_empty
from agentv_py.comparison.compile import compile_comparators
from agentv_py.comparison.matchers.base import Match
from agentv_py.comparison.pairing import assignment, matrices
from agentv_py.comparison.trace import Trace
from agentv_py.comparison.walk import walk

_Measure = tuple[float, float, bool]


class _List:
    """A comparator of a list, for the reference below."""

    def __init__(self, item: Any, threshold: float = 0.0) -> None:
        self.item = item
        self.threshold = threshold

    def written(self) -> Any:
        item = self.item
        below = item.written() if isinstance(item, _List) else item
        if isinstance(item, dict):
            below = {key: one.written() if isinstance(one, _List) else one for key, one in item.items()}
        return unordered(below, threshold=self.threshold)


def _reference(how: Any, expected: Any, actual: Any) -> _Measure:
    """The score, the similarity, and whether anything is not blank, by trying every pair of everything with scipy."""
    if isinstance(how, Match):
        return _leaf(how, expected, actual)
    if isinstance(how, dict):
        return _record(how, expected, actual)
    if not isinstance(expected, list) or not isinstance(actual, list):
        left, right = is_empty(expected), is_empty(actual)
        blank = (left and not _is_filled(how, actual)) or (right and not _is_filled(how, expected))
        return (1.0, 1.0, False) if blank else (0.0, 0.0, True)
    cells = [[_reference(how.item, left, right) for right in actual] for left in expected]
    filled = [[_is_filled(how.item, one) for one in rows] for rows in (expected, actual)]
    pairs = _pair(cells, how.threshold, *filled) if expected and actual else []
    taken = [cells[row][column] for row, column in pairs]
    missing, surplus = ([index for index, one in enumerate(side) if one] for side in filled)
    alone = max(
        len(set(missing) - {row for row, _ in pairs}), len(set(surplus) - {column for _, column in pairs})
    )  # a blank row costs nothing
    length = len(taken) + alone
    if not length:
        return 1.0, 1.0, False
    telling = [one[1] for one in taken if one[2]]
    similarity = sum(telling) / (len(telling) + alone) if telling or alone else 1.0
    return sum(one[0] for one in taken) / length, similarity, bool(telling or alone)


def _pair(cells: list[list[_Measure]], threshold: float, left: Any, right: Any) -> list[tuple[int, int]]:
    """The best pairs; among equal ones those that leave the fewest rows alone that are not blank."""
    made = np.array([[one[1] > 0 and one[1] >= threshold - 1e-9 for one in row] for row in cells])
    gain = [[one[0] + assignment.TIE_BREAK * one[1] for one in row] for row in cells]
    gain = np.array(gain) + 1e-12 * np.add.outer(np.array(left, float), np.array(right, float))
    rows, columns = linear_sum_assignment(np.where(made, gain, 0.0), maximize=True)
    return [(row, column) for row, column in zip(rows.tolist(), columns.tolist(), strict=True) if made[row, column]]


def _is_filled(how: Any, value: Any) -> bool:
    """Whether any leaf of a value is not empty; a value of another shape is one leaf."""
    if isinstance(how, _List) and isinstance(value, list):
        return any(_is_filled(how.item, one) for one in value)
    if isinstance(how, dict) and isinstance(value, dict):
        return any(_is_filled(how[key], value.get(key)) for key in how)
    return not is_empty(value)


def _record(how: dict[str, Any], expected: Any, actual: Any) -> _Measure:
    measures = [_reference(how[key], expected[key], actual.get(key)) for key in how if key in expected]
    telling = [one for one in measures if one[2]]
    similarity = sum(one[1] for one in telling) / len(telling) if telling else 1.0
    return sum(one[0] for one in measures) / len(measures), similarity, bool(telling)


def _leaf(match: Match, expected: Any, actual: Any) -> _Measure:
    if is_empty(expected) or is_empty(actual):
        blank = is_empty(expected) and is_empty(actual)
        return (1.0, 1.0, False) if blank else (0.0, 0.0, True)
    if isinstance(expected, str) and isinstance(actual, str):
        expected, actual = unicodedata.normalize("NFC", expected), unicodedata.normalize("NFC", actual)
    try:
        similarity = match.similarity(expected, actual)
    except Incomparable:
        alike = (type(expected) is bool) == (type(actual) is bool) and expected == actual
        return float(alike), float(alike), True
    passed = similarity >= match.passes_at
    return (similarity if match.graded else 1.0) if passed else 0.0, similarity, True


_values = st.sampled_from(
    [0, 1, 1.0, 2, True, "1", "ab", "abc", "abd", "caf\u00e9", "cafe\u0301", None, "  ", float("nan"), {"a": 1}]
)
_inner = st.lists(_values, max_size=4)
_odd = _inner | st.sampled_from([None, "", 5])
_records = st.builds(
    lambda always, sometimes: always | sometimes,
    st.fixed_dictionaries({"x": st.sampled_from([0, 1, None])}),
    st.fixed_dictionaries({}, optional={"y": _odd}),
)


@pytest.mark.parametrize(
    ("how", "rows"),
    [
        (_List(exact()), _odd),
        (_List(fuzzy(threshold=0.6)), _odd),
        (_List(fuzzy(threshold=0.6), threshold=0.5), _odd),
        (_List(numeric()), _odd),
        (_List(_List(exact())), st.lists(_odd, max_size=3)),
        (_List(_List(fuzzy(threshold=0.6)), threshold=0.4), st.lists(_odd, max_size=3)),
        ({"x": exact(), "y": _List(exact())}, _records),
        ({"x": exact(), "y": _List(fuzzy(threshold=0.6))}, _records),
        (_List({"x": exact(), "y": _List(fuzzy(threshold=0.6))}), st.lists(_records, max_size=3)),
    ],
    ids=["exact", "fuzzy", "threshold", "numeric", "exact-2", "fuzzy-2", "record-exact", "record-fuzzy", "list-of-records"],
)  # fmt: skip
def test_all_pairs_of_lists_are_measured_as_the_walk_and_as_scipy_would(how: Any, rows: Any) -> None:
    outer = _List(how).written()
    field = compile_comparators(outer, None, "ignore")
    assert field is not None

    @given(st.lists(rows, min_size=1, max_size=4), st.lists(rows, min_size=1, max_size=4))
    def check(expected: list[Any], actual: list[Any]) -> None:
        item = field.item  # type: ignore[union-attr]
        measures = matrices.measure_all_pairs(item, expected, actual)
        assert measures is not None or _has_blank_rows(how, [*expected, *actual])
        for row, left in enumerate(expected):
            for column, right in enumerate(actual):
                reference = _reference(how, left, right)
                assert walk(item, left, right, "", Trace()) == pytest.approx((*reference, 1.0), abs=1e-9)
                if measures is not None:
                    found = measures.scores[row, column], measures.similarities[row, column]
                    assert found == pytest.approx(reference[:2], abs=1e-9)
                    assert np.broadcast_to(measures.has_content, measures.scores.shape)[row, column] == reference[2]
        assert compare(expected, actual, outer).score == pytest.approx(
            _reference(_List(how), expected, actual)[0], abs=1e-7
        )

    check()


def _has_blank_rows(how: Any, values: list[Any]) -> bool:
    """Whether a list holds an object that is blank: the walk alone measures such lists."""
    if isinstance(how, dict):
        return any(_has_blank_rows(how[key], [one[key] for one in values if key in one]) for key in how)
    if not isinstance(how, _List):
        return False
    rows = [row for value in values if isinstance(value, list) for row in value]
    blank = isinstance(how.item, dict) and not all(_is_filled(how.item, row) for row in rows)
    return blank or _has_blank_rows(how.item, rows)


@given(
    st.lists(st.lists(st.lists(st.integers(0, 4), max_size=3), max_size=3), max_size=4),
    st.randoms(use_true_random=False),
)
def test_permuting_lists_at_three_levels_changes_nothing_that_is_reported(
    value: list[Any], chance: random.Random
) -> None:
    how = unordered(unordered(unordered(exact)))
    other = _change(value, chance)
    before, after = compare(value, other, how), compare(_shuffle(value, chance), _shuffle(other, chance), how)
    assert _report(after) == _report(before)
    assert compare(value, _shuffle(value, chance), how).score == 1.0


def _report(score: Any) -> Any:
    return round(score.score, 9), len(score.hits), len(score.misses), score.leaves, (score.details or {})["metrics"]


def _shuffle(value: Any, chance: random.Random) -> Any:
    return [_shuffle(one, chance) for one in chance.sample(value, len(value))] if isinstance(value, list) else value


@pytest.mark.parametrize("leaf", [exact(), fuzzy(threshold=0.5), numeric()], ids=["exact", "fuzzy", "numeric"])
def test_lists_too_long_to_try_every_way_are_paired_as_scipy_would(leaf: Match) -> None:
    chance = random.Random(0)
    values = range(9) if isinstance(leaf, type(numeric())) else ["ab", "abc", "abcd", "xbcd", "xy", "xyz", ""]
    how = _List(leaf)
    for _ in range(20):
        expected, actual = ([chance.choices(values, k=chance.randint(5, 9)) for _ in range(6)] for _ in range(2))
        field = compile_comparators(how.written(), None, "ignore")
        assert field is not None
        measures = matrices.measure_all_pairs(field, expected, actual)
        assert measures is not None
        reference = [[_reference(how, left, right)[:2] for right in actual] for left in expected]
        assert np.stack([measures.scores, measures.similarities], axis=2) == pytest.approx(
            np.array(reference), abs=1e-9
        )


def _change(value: Any, chance: random.Random) -> Any:
    if isinstance(value, list):
        return [_change(one, chance) for one in value if chance.random() < 0.9]
    return value + (chance.random() < 0.2)


def _nest(depth: int, chance: random.Random) -> Any:
    return [_nest(depth - 1, chance) for _ in range(2)] if depth else chance.randint(0, 10**6)


@pytest.mark.parametrize("required", [True, False], ids=["in matrices", "by the walk"])
@pytest.mark.parametrize("depth", [3, 5, 6])
def test_each_level_of_lists_costs_no_more_than_its_pairs(depth: int, required: bool) -> None:
    calls = []

    def near(expected: int, actual: int) -> float:
        calls.append(expected)
        return 1.0 / (1.0 + abs(expected - actual))

    how: Any = custom(near)(required=required)
    for _ in range(depth):
        how = unordered(how)
    chance = random.Random(1)
    value = _nest(depth, chance)
    compare(value, _shuffle(_change(value, random.Random(3)), chance), how)
    assert len(calls) <= 4 * 4**depth


def test_lists_that_hold_the_same_are_paired_once() -> None:
    calls = []

    def near(expected: int, actual: int) -> float:
        calls.append(expected)
        return 1.0 / (1.0 + abs(expected - actual))

    score = compare([[0, 1, 2]] * 30, [[0, 1, 9]] * 30, unordered(unordered(custom(near))))
    assert len(score.hits) == 60
    assert len(calls) <= 30 * 30
