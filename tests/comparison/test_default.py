"""The default comparator: compiled once for all objects that have the same keys, and what it says stays the same."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentv_py import compare, exact, fuzzy, unordered
from agentv_py.case import Case
from agentv_py.comparison import compile as compiling
from agentv_py.comparison.tree import RecordEntry
from agentv_py.evaluators.object_match import ObjectMatch


def _object_match(**options: Any) -> ObjectMatch:
    return ObjectMatch.model_validate({"type": "object_match", **options})


def test_objects_with_the_same_keys_are_compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_key = compiling.compile_key

    def count(key: str, *rest: Any) -> RecordEntry:
        compiled.append(key)
        return compile_key(key, *rest)

    evaluator = _object_match(comparators={"id": "exact"}, default="exact")
    monkeypatch.setattr(compiling, "compile_key", count)
    for number in range(20):
        value = {"id": number, "a": 1, "b": {"c": [{"d": 1, "e": 2}] * 3}}
        assert evaluator.evaluate(Case("", value, value)).score == 1.0
    assert compiled == ["a", "b", "c", "d", "e"]


def test_an_object_of_very_many_keys_is_compared_too() -> None:
    value = {f"k{number}": number for number in range(500)}
    score = compare(value, value | {"k7": 0}, {"k0": exact}, default=exact)
    assert (score.score, score.misses, score.leaves) == (499 / 500, ("k7",), 500)


_leaves = st.sampled_from([0, 1, 1.0, True, "a", "b", " ", None, float("nan")])
_objects = st.fixed_dictionaries({}, optional=dict.fromkeys("abc", _leaves))


@given(_objects, _objects, st.booleans())
def test_a_key_under_the_default_is_compared_as_if_it_were_listed_with_what_reads_its_type(
    expected: dict[str, Any], actual: dict[str, Any], alike: bool
) -> None:
    match = fuzzy(threshold=0.5, weight=2.0) if alike else exact(weight=2.0)
    by_key = {
        key: match if value is None or isinstance(value, str) else exact(weight=2.0) for key, value in expected.items()
    }
    listed = compare(expected | {"z": 1}, actual, {"z": exact} | by_key)
    default = compare(expected | {"z": 1}, actual, {"z": exact}, default=match)
    assert repr(default) == repr(listed)  # NaN, which equals nothing, is among the values


def test_rows_of_an_order_free_list_find_their_partners_by_the_default() -> None:
    rows = [{"a": number, "b": {"c": [number, number + 1]}} for number in range(8)]
    assert compare({"r": rows}, {"r": rows[::-1]}, {"r": unordered({"a": exact})}, default=exact).score == 1.0
