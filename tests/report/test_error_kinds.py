"""What kind of error a miss is."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from agentv_py.case import Case
from agentv_py.comparison.private_data import remove_values
from agentv_py.evaluators import Evaluators
from agentv_py.evaluators.grade import assign_names, grade
from agentv_py.evaluators.object_match import ObjectMatch
from agentv_py.report.error_kinds import ErrorKinds, Example, list_error_words
from agentv_py.report.error_patterns import name_pattern

_COMPARATORS = {"a": "exact", "b": "numeric", "d": "date", "items": {"unordered": {"x": "exact", "y": "exact"}}}


def _score(expected: Any, candidate: Any) -> dict[str, Any]:
    evaluator = ObjectMatch.model_validate({"type": "object_match", "name": "e", "comparators": _COMPARATORS})
    result, _ = grade(assign_names([evaluator])[0], Case("c", expected, candidate))
    return {"case_id": "c", "candidate": candidate, "evaluator_results": [result]}


def _find(expected: Any, candidate: Any) -> ErrorKinds:
    row, kinds = _score(expected, candidate), ErrorKinds()
    kinds.add(row["evaluator_results"][0], row)
    return kinds


@pytest.mark.parametrize(
    ("expected", "actual", "pattern"),
    [
        (12.5, 1250, "× 100"),
        (1250, 12.5, "÷ 100"),
        ("12.50", "1250", "× 100"),
        (1234, 1.234, "thousands read as decimals"),
        (1.234, 1234, "decimals read as thousands"),
        (5, -5, "sign"),
        ("5.00", "(5.00)", "sign"),
        ("USD 12.50", "12.50", "currency missing"),
        ("$12.50", 12.5, "currency missing"),
        ("12.50", "USD 12.50", None),
        ("2025-11-07", "2025-07-11", "day and month swapped"),
        ("07 November 2025", "2025-07-11", "day and month swapped"),
        ("2025-06-26", "2025-26-06", "day and month swapped"),
        ("26 June 2025", "2025/26/06 10:30", "day and month swapped"),
        ("2025-06-26", "2025-27-06", None),
        ("2025-06-26", "2025-06-31", None),
        ("2025-06-26", "2025-26-061", None),
        ("2025-11-07", "2025-11-08", None),
        (0, 0, None),
        (0, 100, None),
        (True, -1, None),
        ("abc", "abd", None),
        (None, 5, None),
        ([1], [100], None),
        (1, 10**400, None),
        ("1" * 500, "2" * 500, None),
    ],
)
def test_usual_errors_have_names(expected: Any, actual: Any, pattern: str | None) -> None:
    assert name_pattern(expected, actual) == pattern


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=2),
)


@given(_JSON, _JSON)
def test_naming_a_pattern_never_fails(expected: Any, actual: Any) -> None:
    assert isinstance(name_pattern(expected, actual), str | None)


def test_each_attribute_has_its_kinds() -> None:
    kinds = _find({"a": "x", "b": 5, "d": "2025-01-02"}, {"a": 7, "b": "abc"})
    assert kinds.attributes == {"a": {"type": 1}, "b": {"unreadable": 1}, "d": {"missed": 1}}
    kinds = _find({"a": None, "b": 1, "d": "2025-01-02"}, {"a": "new", "b": 2, "d": [1]})
    assert kinds.attributes["a"] == {"invented": 1}
    assert kinds.attributes["b"] == {"misread": 1}


def test_rows_of_lists_are_missed_invented_or_duplicated() -> None:
    rows = [{"x": n, "y": n} for n in range(4)]
    kinds = _find({"items": rows}, {"items": [rows[0], rows[0], rows[1], rows[2], {"x": 9, "y": 9}, {"x": 8, "y": 8}]})
    assert kinds.lists == {"items": {"missed": 1, "invented": 2, "duplicated": 1}}
    kinds = _find({"items": rows}, {"items": rows[:2]})
    assert kinds.lists == {"items": {"missed": 2}}
    assert kinds.patterns == {("truncated list", "items"): 1}
    assert kinds.attributes == {"items[].x": {"missed": 2}, "items[].y": {"missed": 2}}
    assert _find({"items": rows}, {"items": [rows[0], rows[3]]}).patterns == {}


def test_two_fields_that_have_each_other_s_value_are_swapped() -> None:
    kinds = _find({"a": 1, "b": 200, "d": None}, {"a": 200, "b": 1, "d": None})
    assert kinds.patterns == {("two fields swapped", "a"): 1}
    assert kinds.examples == {"two fields swapped": Example("c", "a", 1, 200)}


def test_an_answer_that_is_not_json_is_counted_apart() -> None:
    kinds = _find({"a": 1}, "no JSON")
    assert (kinds.unreadable_answers, kinds.attributes) == (1, {})


def test_kinds_beyond_the_listed_mismatches_are_unknown() -> None:
    rows = [{"x": n, "y": n} for n in range(60)]
    kinds = _find({"items": rows}, {"items": [{"x": row["x"], "y": -1} for row in rows]})
    assert sum(kinds.attributes["items[].y"].values()) == 60
    assert kinds.attributes["items[].y"]["unknown"] == 10


def test_results_without_data_have_kinds_and_no_patterns() -> None:
    row = _score({"b": 5}, {"b": 500})
    row = {"case_id": "c", "evaluator_results": [remove_values(row["evaluator_results"][0], ())]}
    kinds = ErrorKinds()
    kinds.add(row["evaluator_results"][0], row)
    assert (kinds.attributes, kinds.patterns, kinds.without_values) == ({"b": {"misread": 1}}, {}, 1)


def test_parts_add_up_to_the_whole() -> None:
    pairs = [({"a": 1, "b": 2}, {"a": 100}), ({"items": [{"x": 1, "y": 1}]}, {"items": []}), ({"b": 3}, {"b": -3})]
    whole, merged = ErrorKinds(), ErrorKinds()
    for pair in pairs:
        row = _score(*pair)
        whole.add(row["evaluator_results"][0], row)
        merged.merge(_find(*pair))
    assert vars(merged) == vars(whole)


@pytest.mark.parametrize(
    "options",
    [
        {"type": "latency", "max_ms": 5},
        {"type": "rules", "rules": [{"that": "candidate == 2", "message": "not a sum of its parts"}]},
        {"type": "json_schema", "schema": {"type": "string"}},
    ],
)
def test_a_limit_or_a_rule_that_fails_is_not_unreadable(options: Any) -> None:
    evaluator = TypeAdapter(Evaluators).validate_python([options])[0]
    result, _ = grade(assign_names([evaluator])[0], Case("c", 1, 1, facts={"latency_ms": 9.0}))
    row = {"case_id": "c", "candidate": 1, "evaluator_results": [result]}
    assert result["misses"]
    assert list_error_words(row)[:1] == ["misread"]


def test_words_for_filters_name_kinds_and_patterns() -> None:
    assert list_error_words(_score({"a": "x", "b": 5}, {"b": -5})) == ["missed", "misread", "sign"]
    assert list_error_words(_score({"a": "x"}, {"a": "x"})) == []


@pytest.mark.parametrize(
    "details",
    [{}, {"mismatches": 5}, {"mismatches": [5, {}, {"path": 7}, {"path": "a[", "outcome": 3, "note": []}]},
     {"metrics": {"a": 5, "b": {"fp": "x", "fn": -3}}, "mismatches": [{"path": "b", "expected": {}, "actual": []}]}],
)  # fmt: skip
def test_a_judge_may_write_anything_as_details(details: Any) -> None:
    result = {"name": "e", "type": "code_judge", "misses": ["x"], "hits": 7, "details": details}
    ErrorKinds().add(result, {"case_id": "c"})
