"""object_match with `default: auto`: the rules of `init --from` choose what is not listed."""

import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pipeline import plan_of, rows_of

from agentv_py.errors import InvalidSuite
from agentv_py.evaluators.object_match import ObjectMatch
from agentv_py.run.fingerprint import Fingerprints
from agentv_py.suite.load import load
from agentv_py.suite.selection import Selection

Write = Callable[[str, Any], Path]

_AUTO = {"type": "object_match", "default": "auto"}
_INVOICES = [
    {"number": "A-1", "issued": "13/02/2025", "total": 10.5, "rows": [{"sku": "a", "net": 1.25}, {"sku": "b", "net": 2}]},
    {"number": "A-2", "issued": "03/04/2025", "total": 7.25, "rows": [{"sku": "c", "net": 3.5}]},
]  # fmt: skip
_SPELLED = {
    "number": "A-2",
    "issued": "3 April 2025",
    "total": "7.25",
    "rows": [{"sku": "c", "net": 3.502}],
}


def _cases(*answers: Any) -> list[dict[str, Any]]:
    return [
        {"id": f"case-{number}", "expected": expected, "candidate": answer}
        for number, (expected, answer) in enumerate(zip(_INVOICES, answers, strict=True), 1)
    ]


def _write_suite(
    write: Write, evaluator: dict[str, Any], cases: list[dict[str, Any]], name: str = "suite.yaml"
) -> Path:
    return write(name, {"name": "suite", "evaluators": [evaluator], "cases": cases})


def test_the_rules_see_the_expected_values_of_all_cases(write: Write) -> None:
    """Only the first case shows that the day comes first, and that amounts have two decimals."""
    [_, row] = rows_of(_write_suite(write, _AUTO, _cases(_INVOICES[0], _SPELLED)))
    assert (row["score"], row["misses"]) == (1.0, [])


def test_a_case_has_the_same_row_whatever_is_selected(write: Write) -> None:
    path = _write_suite(write, _AUTO, _cases(_INVOICES[0], _SPELLED))
    every, one = (load(str(path), Selection(cases=cases)) for cases in ((), ("case-2",)))
    raw = [list(plan.read_raw_cases())[-1] for plan in (every, one)]
    prints = [Fingerprints(plan).compute(case, has_own=False) for plan, case in zip((every, one), raw, strict=True)]
    assert prints[0] == prints[1]


def test_the_fingerprint_says_what_was_chosen_and_not_how_often_it_was_seen(write: Write) -> None:
    cases = _cases(*_INVOICES)
    more = {"id": "case-3", "expected": {**_INVOICES[0], "total": 2.25}, "candidate": 1}
    finer = {"id": "case-3", "expected": {**_INVOICES[0], "total": 2.255}, "candidate": 1}
    plans = [plan_of(_write_suite(write, _AUTO, list_)) for list_ in (cases, [*cases, more], [*cases, finer])]
    raw = next(iter(plans[0].read_raw_cases()))
    first, same, other = (Fingerprints(plan).compute(raw, has_own=False) for plan in plans)
    assert first == same != other


def test_each_place_names_its_comparator_its_rule_and_its_reason(write: Write) -> None:
    own = {**_AUTO, "comparators": {"rows": {"unordered": {"sku": {"match": "fuzzy", "threshold": 0.5}}}}}
    [evaluator] = plan_of(_write_suite(write, own, _cases(*_INVOICES))).suite.evaluators or []
    assert isinstance(evaluator, ObjectMatch)
    suggestion = evaluator.suggest_comparators()
    assert suggestion is not None
    assert [(path, place.order, place.options, place.rule, place.reason) for path, place in suggestion.list_places()] == [
        ("number", "", {"match": "exact"}, "code", "'number' is a code, all different"),
        ("issued", "", {"match": "date", "day_first": True}, "date", "2 dates, the day first"),
        ("total", "", {"match": "numeric_tolerance", "tolerance": 0.005}, "number", "2 numbers, 2 decimals"),
        ("rows", "unordered", {}, "listed", "listed in the suite"),
        ("rows[].sku", "", {"match": "fuzzy", "threshold": 0.5}, "listed", "listed in the suite"),
        ("rows[].net", "", {"match": "numeric_tolerance", "tolerance": 0.005}, "number", "3 numbers, 2 decimals"),
    ]  # fmt: skip


def test_a_mapping_over_a_list_is_for_each_row_and_the_rest_of_a_map_counts(write: Write) -> None:
    scores = {f"key {number}": {f"{number} {key}": "x" for key in range(15)} for number in range(3)}
    cases = [
        {
            "expected": {"rows": [{"a": 1, "b": 2.5}], "data": below},
            "candidate": {"rows": [{"a": 2, "b": 2}], "data": {}},
        }
        for below in scores.values()
    ]
    own = {**_AUTO, "comparators": {"rows": {"a": "ignore"}, "data": {"0 0": "presence"}}}
    [row, *_] = rows_of(_write_suite(write, own, cases))
    missing = [f"data.0 {key} (required, missing)" for key in range(15)]
    assert row["misses"] == ["rows[0].b", *missing]


def test_a_case_with_evaluators_of_its_own_learns_from_all_cases(write: Write) -> None:
    rows = _cases(_INVOICES[0], _SPELLED)
    write("cases.jsonl", "\n".join(json.dumps({**row, "evaluators": [_AUTO]}) for row in rows))
    [_, row] = rows_of(write("suite.yaml", {"dataset": "cases.jsonl"}))
    assert row["score"] == 1.0


def test_what_an_evaluator_has_learned_travels_to_other_processes(write: Write) -> None:
    [evaluator] = plan_of(_write_suite(write, _AUTO, _cases(*_INVOICES))).suite.evaluators or []
    copy = pickle.loads(pickle.dumps(evaluator))
    assert isinstance(copy, ObjectMatch)
    suggestion = copy.suggest_comparators()
    assert suggestion is not None
    assert suggestion.fields["issued"].options == {"match": "date", "day_first": True}


@pytest.mark.parametrize(
    ("evaluator", "message"),
    [
        ({**_AUTO, "comparators": {"a": "ignore"}}, "evaluators[0].comparators: everything is ignored"),
        ({**_AUTO, "comparators": {"b": "exact"}}, "evaluators[0].comparators.b: no case's expected value has 'b'"),
        ({**_AUTO, "default": "atuo"}, "Invalid match type: 'atuo'; did you mean 'auto'?"),
    ],
)
def test_what_cannot_work_is_an_error(write: Write, evaluator: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidSuite) as caught:
        plan_of(_write_suite(write, evaluator, [{"expected": {"a": 1}, "candidate": {"a": 1}}]))
    assert message in str(caught.value)
