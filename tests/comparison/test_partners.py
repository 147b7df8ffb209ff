"""The partner of each row, and the next best one."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from agentv_py import compare, unordered
from agentv_py.case import Case
from agentv_py.comparison.partners import ListPartners, Partner, RowPartner
from agentv_py.evaluators.object_match import ObjectMatch

_ROWS = st.lists(st.fixed_dictionaries({"a": st.integers(0, 3), "b": st.integers(0, 3)}), max_size=5)


def _list(comparators: Any, expected: Any, actual: Any, **options: Any) -> list[ListPartners]:
    evaluator = ObjectMatch.model_validate({"type": "object_match", "comparators": comparators, **options})
    return list(evaluator.list_partners(Case("x", expected, actual)))


@given(expected=_ROWS, actual=_ROWS)
def test_partners_are_the_alignment_and_the_next_best_is_the_most_similar_other_row(
    expected: list[Any], actual: list[Any]
) -> None:
    row = {"a": "exact", "b": "numeric_tolerance"}
    details = compare(expected, actual, unordered(row)).details or {}
    stored = {left: (right, similarity) for left, right, similarity in details.get("alignment", {}).get("$", [])}
    lists = _list({"unordered": row}, expected, actual)
    if not lists:
        assert not expected
        assert not actual
        return
    [found] = lists
    assert found.alike == sum(similarity == 1.0 for _, similarity in stored.values())
    for index, partner, next_best, rival in found.rows:
        assert (None if partner is None else partner.row) == stored.get(index, (None,))[0]
        others = [number for number in range(len(actual)) if partner is None or number != partner.row]
        best = max((_measure(row, expected[index], actual[number]) for number in others), default=0.0)
        assert round(next_best.similarity if next_best else 0.0, 6) == best
        assert rival == (
            next((left for left, (right, _) in stored.items() if next_best and right == next_best.row), None)
        )
    taken = {right for right, _ in stored.values()}
    assert list(found.surplus) == [index for index in range(len(actual)) if index not in taken]


def _measure(row: Any, expected: Any, actual: Any) -> float:
    """The similarity of two rows alone: they are the only pair of two lists."""
    details = compare([expected], [actual], unordered(row)).details or {}
    pairs = details.get("alignment", {}).get("$", [])
    return pairs[0][2] if pairs else 0.0


def test_lists_inside_paired_rows_and_unlisted_lists_are_found() -> None:
    comparators = {
        "rows": {"unordered": {"id": "exact", "parts": {"unordered": "exact"}}, "key": "id"},
        "flat": "exact",
    }
    expected = {"rows": [{"id": 1, "parts": [1, 2]}, {"id": 2, "parts": [3]}], "flat": [1]}
    actual = {"rows": [{"id": 2, "parts": [3]}, {"id": 1, "parts": [2, 9]}], "flat": [2]}
    rows, first, second = _list(comparators, expected, actual)
    assert (rows.path, rows.pairing, rows.alike) == ("rows", "rows pair where their keys match", 1)
    assert rows.rows[0].partner == Partner(1, 0.75)
    assert (first.path, first.rows, first.surplus) == ("rows[0].parts", [RowPartner(0, None, None)], [1])
    assert (second.path, second.rows, second.alike) == ("rows[1].parts", [], 1)


def test_a_very_long_list_has_partners_and_no_next_best() -> None:
    expected = [{"a": number, "b": 0} for number in range(300)]
    actual = [{"a": number, "b": 1} for number in range(300)]
    [found] = _list({"unordered": {"a": "exact", "b": "exact"}, "key": "a"}, expected, actual)
    assert not found.is_measured
    assert {row.next_best for row in found.rows} == {None}
    assert len(found.rows) == 300
