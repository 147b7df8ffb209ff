"""From Python: the same objects, the same rows."""

import asyncio
import enum
import json
import re
from contextlib import nullcontext
from contextvars import ContextVar
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime, time
from datetime import date as datetime_date
from decimal import Decimal
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any
from uuid import UUID

import numpy as np
import pydantic
import pytest
from pipeline import rows_of

import agentv_py
from agentv_py import (
    compare,
    custom,
    date,
    distance,
    evaluate,
    exact,
    iou,
    name,
    numeric,
    unordered,
    within,
)
from agentv_py.api.evaluator_cache import find_evaluator

_CASES = [
    {"id": "one", "input": 1, "expected": {"a": 1, "b": [1, 2]}},
    {"id": "two", "input": 2, "expected": {"a": 2, "b": [3, 4]}},
]
_COMPARATORS = {"a": exact, "b": unordered(exact)}


def _executor(number: int) -> dict[str, Any]:
    return {"a": number, "b": [2 * number, 2 * number - 1]}


async def _async_executor(number: int) -> dict[str, Any]:
    await asyncio.sleep(0)
    return _executor(number)


@pytest.mark.parametrize("executor", [_executor, _async_executor])
def test_an_executor_answers_sync_or_async(executor: Any) -> None:
    result = evaluate(_CASES, comparators=_COMPARATORS, executor=executor)
    assert (result.passed, result.total, result.accuracy, result.mean_score) == (2, 2, 1.0, 1.0)


def test_an_async_executor_works_inside_a_running_loop() -> None:
    async def inside() -> int:
        return evaluate(_CASES, _COMPARATORS, _async_executor).passed

    assert asyncio.run(inside()) == 2


def test_an_executor_may_run_a_loop_of_its_own_and_sees_the_callers_context() -> None:
    tenant: ContextVar[int] = ContextVar("tenant")
    tenant.set(1)

    def executor(number: int) -> Any:
        return asyncio.run(_async_executor(number * tenant.get()))

    async def inside() -> int:
        return evaluate(_CASES, _COMPARATORS, executor).passed

    assert (evaluate(_CASES, _COMPARATORS, executor).passed, asyncio.run(inside())) == (2, 2)


def test_accuracy_counts_leaf_fields_and_the_threshold_cases() -> None:
    cases = [{"expected": {"a": 1, "b": [1, 2]}, "candidate": {"a": 1, "b": [1]}}]
    result = evaluate(cases, _COMPARATORS)
    assert (result.passed, result.total, result.accuracy, result.mean_score) == (0, 1, 2 / 3, 0.75)
    assert evaluate(cases, _COMPARATORS, threshold=0.75).passed == 1


def test_several_answers_of_a_case_all_count_and_are_held_against_each_other(tmp_path: Path) -> None:
    case = {"id": "x", "expected": {"a": 1, "b": 2}, "candidates": [{"a": 1, "b": 2}, {"a": 1, "b": 3}, '{"a": 7}']}
    result = evaluate([case], {"a": exact, "b": exact})
    assert (result.passed, result.total, result.accuracy, result.mean_score) == (0, 1, 3 / 6, 0.5)
    [row] = result.cases
    assert (row["repeats"], row["worst_repeat"], row["candidates"]) == ([1.0, 0.5, 0.0], 3, case["candidates"])
    assert row["consistency"] == (0.5 + 0.5) / 6
    result.write(tmp_path / "r.jsonl")
    assert json.loads((tmp_path / "r.jsonl").read_text(encoding="utf-8")) == row
    answered = evaluate([case | {"input": 1}], {"a": exact, "b": exact}, lambda _: {"a": 1, "b": 2})
    assert (answered.accuracy, "repeats" in answered.cases[0]) == (1.0, False)


def test_an_executor_that_raises_is_an_errored_case_and_the_others_go_on() -> None:
    def executor(number: int) -> Any:
        if number == 1:
            raise ValueError("no model")
        return _executor(number)

    result = evaluate(_CASES, _COMPARATORS, executor)
    assert [row["status"] for row in result.cases] == ["error", "ok"]
    assert result.cases[0]["error"] == {"kind": "executor", "message": "the executor raised ValueError: no model"}
    assert "candidate" not in result.cases[0]


def test_the_rows_are_those_of_the_command(tmp_path: Path) -> None:
    result = evaluate([{"id": "x", "expected": {"a": 1}, "candidate": {"a": 2}}], {"a": exact}, suite="s")
    result.write(tmp_path / "r.jsonl")
    [ours] = map(json.loads, (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines())
    suite = tmp_path / "s.yaml"
    suite.write_text(
        "evaluators: [{type: object_match, comparators: {a: exact}}]\ncases: [{id: x, expected: {a: 1}, candidate: {a: 2}}]\n"
    )
    [theirs] = rows_of(suite)
    for row in (ours, theirs):
        del row["timestamp"], row["duration_ms"], row["evaluator_results"][0]["duration_ms"]
    del theirs["fingerprint"]  # a comparator in Python may be a function, which has no hash
    assert ours == theirs


def _said(found: Any, _expected: Any, _actual: Any) -> Any:
    return found


def test_a_custom_comparator_returns_a_bool_or_a_similarity() -> None:
    assert compare({"a": "X"}, {"a": "x"}, {"a": custom(lambda e, a: e.lower() == a.lower())}).score == 1.0
    assert compare({"a": 1}, {"a": 2}, {"a": custom(lambda _e, _a: 0.9)}).score == 0.9
    assert compare({"a": 1}, {"a": 2}, {"a": custom(lambda _e, _a: 0.7)}).score == 0.0
    assert compare([1, 2], [2, 1], unordered(custom(lambda e, a: e == a))).score == 1.0
    for wrong in (2, None, "0.9", float("nan")):
        with pytest.raises(ValueError, match=f"returned {wrong!r}; a similarity is a bool or a number from 0 to 1"):
            compare({"a": 1}, {"a": 1}, {"a": custom(partial(_said, wrong))})


def test_boxes_and_points_compare_like_any_value() -> None:
    comparators = {"boxes": unordered(iou(format="xywh", threshold=0.3)), "at": distance(5)}
    expected = {"boxes": [[0, 0, 10, 10], (20, 20, 10, 10)], "at": (0, 0)}
    score = compare(expected, {"boxes": [[20, 20, 10, 10], [0, 0, 10, 4]], "at": [3, 4]}, comparators)
    assert score.score == pytest.approx(0.85)
    assert score.hits == ("boxes[0]", "boxes[1]", "at")


def test_python_values_stand_for_json_ones() -> None:
    @dataclass
    class Line:
        price: float

    class Invoice(pydantic.BaseModel):
        lines: list[Any]

    assert compare({"lines": [{"price": 1.0}]}, Invoice(lines=[{"price": 1}]), {"lines": {"price": exact}}).score == 1.0
    assert compare({"line": {"price": 1}}, {"line": Line(1.0)}, {"line": {"price": exact}}).score == 1.0
    with pytest.raises(TypeError, match="object is not a JSON value"):
        compare({"a": 1}, {"a": object()}, {"a": exact})


def test_bad_cases_and_bad_comparators_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown keys 'expcted'"):
        evaluate([{"expcted": 1}], exact)
    with pytest.raises(ValueError, match="case 1: candidate and candidates exclude each other"):
        evaluate([{"candidate": 1, "candidates": [1]}], exact)
    with pytest.raises(ValueError, match="case 1: candidates must be a list with an answer in it"):
        evaluate([{"candidates": []}], exact)
    with pytest.raises(ValueError, match="duplicate id 'x'"):
        evaluate([{"id": "x"}, {"id": "x"}], exact)
    with pytest.raises(ValueError, match="needs comparators"):
        compare(1, 1, {})


def test_comparators_may_be_any_mapping() -> None:
    comparators = MappingProxyType(
        {"a": MappingProxyType({"b": exact}), "c": unordered(MappingProxyType({"d": exact}))}
    )
    value = {"a": {"b": 1}, "c": [{"d": 1}]}
    assert compare(value, value, comparators).hits == ("a.b", "c[0].d")


def test_a_wrong_comparator_is_told_in_the_words_of_a_suite() -> None:
    wrong: list[tuple[Any, str]] = [
        ({"a": {"b": "fuzy"}}, "comparators.a.b: Invalid match type: 'fuzy'; did you mean 'fuzzy'?"),
        ({"a": {"unordered": exact, "treshold": 1}}, "comparators.a.treshold: unknown key 'treshold'; did you mean"),
        ({"a": None}, "comparators.a: must be a mapping, not null"),
        ({"a": within}, "comparators.a: within is not a match type: call it if it returns one, else wrap it in custom"),
        ({"a": lambda _e, _a: True}, "comparators.a: <lambda> is not a match type"),
    ]
    for comparators, message in wrong:
        with pytest.raises(ValueError, match=re.escape(message)):
            compare({"a": 1}, {"a": 1}, comparators)
    with pytest.raises(ValueError, match=re.escape("unordered.a: Invalid match type: 'nmae'; did you mean 'name'?")):
        unordered({"a": "nmae"})
    with pytest.raises(ValueError, match="Invalid matching: 'best'"):
        unordered(exact, matching="best")  # type: ignore[arg-type]


def test_a_whole_answer_may_be_one_value() -> None:
    assert compare("Acme Inc", "ACME", name).verdict == "pass"
    assert compare(5, 6, exact).misses == ("$",)


def test_type_checkers_see_the_types() -> None:
    assert (Path(agentv_py.__file__).parent / "py.typed").is_file()


def test_no_case_at_all_is_no_success() -> None:
    result = evaluate(iter([]), exact)
    assert (result.passed, result.total, result.accuracy, result.mean_score) == (0, 0, 0.0, 0.0)


def test_accuracy_counts_what_could_not_be_read() -> None:
    cases: list[dict[str, Any]] = [
        {"expected": {"a": 1}, "candidate": {"a": 1}},
        {"expected": {"a": 1}, "candidate": "sorry"},
    ]
    assert evaluate(cases, {"a": exact}).accuracy == 0.5
    assert evaluate([{"expected": {"t": []}, "candidate": {"t": []}}], {"t": unordered(exact)}).accuracy == 1.0

    def fails(_input: Any) -> Any:
        raise ValueError

    assert evaluate([{"input": 1, "expected": {"a": 1, "b": 2}}], {"a": exact, "b": exact}, fails).accuracy == 0.0


def test_an_answer_that_is_no_json_is_an_errored_case() -> None:
    cases: list[dict[str, Any]] = [{"input": 1, "expected": {"a": 1}}, {"input": 2, "expected": {"a": 1}}]
    result = evaluate(cases, {"a": exact}, lambda number: {1} if number == 1 else {"a": 1})
    assert [row["status"] for row in result.cases] == ["error", "ok"]
    assert evaluate(cases, {"a": exact}, lambda _number: _async_executor(1)).passed == 2


def test_enums_and_decimals_stand_for_their_values() -> None:
    class Colour(enum.StrEnum):
        RED = "red"

    class Size(enum.IntEnum):
        BIG = 3

    for expected, actual in ((Colour.RED, "red"), (Size.BIG, 3), (Decimal("1.5"), 1.5), (Decimal(2), 2)):
        for left, right in ((expected, actual), (actual, expected)):
            assert compare({"a": left}, {"a": right}, {"a": exact}).score == 1.0


def test_times_keep_their_time_and_ids_their_text() -> None:
    noon, one = datetime(2025, 1, 15, 12, tzinfo=UTC), datetime(2025, 1, 15, 13, tzinfo=UTC)
    assert compare({"a": noon}, {"a": one}, {"a": exact}).score == 0.0
    assert compare({"a": noon}, {"a": one}, {"a": date}).score == 1.0

    class Visit(pydantic.BaseModel):
        id: UUID
        at: datetime
        day: datetime_date
        opens: time
        price: Decimal

    visit = Visit(id=UUID(int=1), at=noon, day=noon.date(), opens=noon.time(), price=Decimal("1.50"))
    spelled = {
        "id": "00000000-0000-0000-0000-000000000001", "at": "2025-01-15T12:00:00+00:00", "day": "2025-01-15",
        "opens": "12:00:00", "price": 1.5,
    }  # fmt: skip
    assert compare(spelled, visit, dict.fromkeys(spelled, exact)).hits == tuple(spelled)


def test_numbers_of_numpy_stand_for_theirs() -> None:
    actual = {"a": np.float32(1.5), "b": np.bool_(True), "c": np.array([[1, 2], [3, 4]]), "d": np.float64("nan")}
    score = compare({"a": 1.5, "b": True, "c": [[1, 2], [3, 4]], "d": 1.0}, actual, dict.fromkeys("abcd", exact))
    assert score.misses == ("d (not a finite number)",)
    assert compare({"a": Decimal("sNaN")}, {"a": 1}, {"a": numeric}).misses == ("a (not a finite number)",)


def test_what_holds_itself_or_is_too_deep_is_refused() -> None:
    circle: list[Any] = []
    circle.append(circle)
    with pytest.raises(TypeError, match="nested deeper than 200 levels"):
        compare(circle, circle, unordered(exact))
    with pytest.raises(TypeError, match="case 1: nested deeper than 200 levels"):
        evaluate([{"expected": circle}], exact)


def test_a_typo_in_a_comparator_warns() -> None:
    with pytest.warns(UserWarning, match="no case's expected value has 'bb'; did you mean 'b'?"):
        evaluate([{"expected": {"a": 1, "b": 2}, "candidate": {"a": 1}}], {"a": exact, "bb": exact})


@pytest.mark.parametrize("actual", [{"a": 1, "b": 2}, {"a": 1, "b": 3}, {"a": 1, "b": None}])
def test_what_a_user_changes_in_details_changes_no_other_score(actual: dict[str, Any]) -> None:
    expected, comparators = {"a": 1, "b": 2}, {"a": "exact", "b": "exact"}

    def list_details() -> list[Any]:
        rows = evaluate([{"expected": expected, "candidate": actual}] * 2, comparators).cases
        return [compare(expected, actual, comparators).details] + [
            row["evaluator_results"][0]["details"] for row in rows
        ]

    untouched = list_details()
    before = deepcopy(untouched)
    for details in list_details():
        details["metrics"]["a"]["tp"] += 10
        details["mine"] = True
    assert untouched == before == list_details()


def test_misuse_is_named() -> None:
    with pytest.raises(TypeError, match="case 1: must be a mapping"):
        evaluate(["x"], exact)  # type: ignore[list-item]
    with pytest.raises(TypeError, match="case 1: object is not a JSON value"):
        evaluate([{"expected": object()}], exact)
    with pytest.raises(TypeError, match="case 1: tags must be a list of texts, not 'ab'"):
        evaluate([{"expected": 1, "tags": "ab"}], exact)
    with pytest.raises(TypeError, match="the class Path is not a JSON value"):
        compare({"a": 1}, {"a": Path}, {"a": exact})
    with pytest.raises(TypeError, match="executor must be a function from input to answer, not 'gpt'"):
        evaluate(_CASES, _COMPARATORS, "gpt")  # type: ignore[arg-type]
    for threshold in (80, "high"):
        with pytest.raises(ValueError, match=f"threshold must be from 0 to 1, not {threshold!r}"):
            evaluate(_CASES, _COMPARATORS, _executor, threshold)  # type: ignore[arg-type]


def test_a_case_without_an_id_has_its_number() -> None:
    cases: list[dict[str, Any]] = [{"id": None, "expected": 1, "candidate": 1}, {"expected": 1, "candidate": 1}]
    assert [row["case_id"] for row in evaluate(cases, exact).cases] == ["1", "2"]


def test_equal_comparators_are_compiled_once_and_changed_ones_anew() -> None:
    lines = unordered({"price": exact})
    comparators: dict[str, Any] = {"total": {"match": "within", "tolerance": 1}, "lines": lines}
    first = find_evaluator(comparators=comparators, extra_keys="ignore")
    assert find_evaluator(comparators=dict(comparators), extra_keys="ignore") is first
    assert find_evaluator(comparators=comparators, extra_keys="penalize") is not first
    assert find_evaluator(comparators=comparators | {"lines": unordered({"price": exact})}) is not first
    comparators["total"]["mode"] = "absolute"
    assert compare({"total": 10}, {"total": 11}, comparators).score == 1.0
    comparators["total"]["tolerance"] = 0.5
    assert compare({"total": 10}, {"total": 11}, comparators).score == 0.0
    for key in ("sku", ["sku"]):
        assert compare([], [], {"unordered": {"sku": "exact"}, "key": key}).score == 1.0
    for weight in (1, True):  # these are equal in Python
        with pytest.raises(ValueError, match="weight") if weight is True else nullcontext():
            compare({"a": 1}, {"a": 1}, {"a": {"match": "exact", "weight": weight}})


@pytest.mark.parametrize("text", ["NaN", "1e999", "-Infinity"])
def test_a_text_that_names_no_finite_number_equals_itself_and_no_number(text: str) -> None:
    assert agentv_py.compare(text, text).score == 1.0
    assert agentv_py.compare({"a": text}, {"a": text}).score == 1.0
    for expected, actual in ((float(text), float(text)), (text, float(text)), (float(text), text)):
        assert agentv_py.compare(expected, actual).misses in [("$ (not a finite number)",), ("$ (not a number)",)]
