"""How far two values are apart, and the option that would let them match."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import agentv_py as known
from agentv_py.comparison import compare_value, matchers
from agentv_py.comparison.matchers.base import Match

_NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.decimals(-100, 100, places=2).map(str)
_BOXES = st.lists(st.integers(0, 50), min_size=2, max_size=2).map(lambda at: [*at, at[0] + 40, at[1] + 40])
_VALUES = {"text": st.text("abc d", min_size=1, max_size=8), "number": _NUMBERS, "point": st.lists(
    st.floats(-1e6, 1e6), min_size=2, max_size=2), "box": _BOXES, "date": st.dates().map(str)}  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "match"),
    [
        ("text", known.fuzzy()), ("text", known.fuzzy(algorithm="token_set")), ("text", known.name()),
        ("text", known.semantic()), ("number", known.numeric_tolerance(tolerance=0.5)),
        ("number", known.numeric_tolerance(tolerance=0.1, relative=True)), ("number", known.within(0.05)),
        ("number", known.within(2, "absolute")), ("point", known.distance(1.5)), ("box", known.iou(threshold=0.9)),
        ("number", known.numeric()), ("date", known.date()),
    ],
    ids=lambda value: value if isinstance(value, str) else value.describe_rule(),
)  # fmt: skip
@given(st.data())
def test_the_option_that_a_gap_names_lets_the_two_values_match(kind: str, match: Match, data: Any) -> None:
    expected, actual = data.draw(_VALUES[kind]), data.draw(_VALUES[kind])
    compared = compare_value(match, expected, actual)
    if compared.outcome != "mismatch" or compared.note:
        return
    gap = match.explain_gap(expected, actual, compared.similarity)
    assert gap is not None
    assert gap.words
    if gap.option:
        assert gap.remedy.startswith(f"a {gap.option} of at ")
        assert compare_value(match.model_copy(update={gap.option: gap.limit}), expected, actual).outcome == "match"


@pytest.mark.parametrize(
    ("match", "expected", "actual", "words", "remedy"),
    [
        (known.numeric_tolerance(tolerance=0.1), 1200.5, "1,205.00", "4.5 too high (0.375 %)", "a tolerance of at least 4.5"),
        (known.within(0.05), 100, 89.9, "10.1 too low (10.1 %)", "a tolerance of at least 0.101"),
        (known.within(0.05), 0, 2, "2 too high", "a tolerance of at least 2"),
        (known.numeric(), 10**30, 2, "1e+30 too low (100 %)", ""),
        (known.numeric(), 1.1, 1.0, "0.1 too low (9.09 %)", ""),
        (known.date(), "2025-01-15", "15 February 2025", "31 days late", ""),
        (known.date(), "2025-01-15", "2025-01-14", "1 day early", ""),
        (known.fuzzy(), "Soylent Corp", "Soylent Inc", "similarity 0.6666, below 0.85", "a threshold of at most 0.6666"),
        (known.fuzzy(), "abc", "xyz", "similarity 0, below 0.85", ""),
        (known.iou(), [0, 0, 10, 10], [0, 8, 10, 18], "IoU 0.1111, below 0.5", "a threshold of at most 0.1111"),
        (known.distance(2), [0, 0], [3, 4], "5 apart", "a threshold of at least 5"),
        (known.distance(2), [-1.7e308], [1.7e308], "infinitely far apart", ""),
    ],
)  # fmt: skip
def test_a_gap_is_told_in_the_unit_of_its_match_type(
    match: Match, expected: Any, actual: Any, words: str, remedy: str
) -> None:
    gap = match.explain_gap(expected, actual, compare_value(match, expected, actual).similarity)
    assert gap is not None
    assert (gap.words, gap.remedy) == (words, remedy)


def test_a_type_that_only_tells_equal_from_different_has_no_gap() -> None:
    assert [one.explain_gap("a", "b", 0.0) for one in (known.exact(), known.contains(), known.regex("x"))] == [None] * 3


@pytest.mark.parametrize(
    ("match", "rule"),
    [
        (known.exact(), "the same value"),
        (known.fuzzy(case_sensitive=True), "similarity ≥ 0.85 (levenshtein, case counts)"),
        (known.numeric_tolerance(), "equal numbers"),
        (known.numeric_tolerance(tolerance=0.01, relative=True, decimal=","), "difference ≤ 1 % of expected, decimal ','"),
        (known.within(5, "absolute", strip=["x"]), "difference ≤ 5, without 'x'"),
        (known.numeric(nullable=True), "equal numbers, an empty value is 0"),
        (known.date(), "the same day (month first in 01/02/2025)"),
        (known.date(day_first=True, language=["de", "fr"]), "the same day (day first in 01/02/2025, months in de, fr)"),
        (known.date(formats=["DD/MM/YYYY"]), "the same day (written as DD/MM/YYYY)"),
        (known.name(), "similarity ≥ 0.9 of the names"),
        (known.one_of(["a", 1]), "the same value, and one of 'a', 1"),
        (known.contains(), "contains the expected text"),
        (known.contains(substring="paid", case_sensitive=False), "contains 'paid', in any case"),
        (known.regex("a+"), "the whole text matches a+"),
        (known.regex("a+", search=True), "a part matches a+"),
        (known.presence(), "both present or both empty"),
        (known.semantic(), "similarity ≥ 0.8 of the meaning (lexical)"),
        (known.iou(format="polygon", polygon="exact"), "IoU ≥ 0.5 (polygon, exact area)"),
        (known.distance(5, "manhattan"), "manhattan distance ≤ 5"),
        (known.ignore(), "never counts"),
    ],
)  # fmt: skip
def test_a_rule_says_what_passes(match: Match, rule: str) -> None:
    assert match.describe_rule() == rule


def test_every_match_type_has_a_rule() -> None:
    members: list[Any] = matchers.FAMILY.models()
    assert all("describe_rule" in vars(member) or member.__doc__ for member in members)
