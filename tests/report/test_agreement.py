"""Judges against people, against scikit-learn."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import Evalctl
from hypothesis import given
from hypothesis import strategies as st
from rows import SCHEMA, lines, row
from sklearn.metrics import cohen_kappa_score

from agentv_py.report.agreement import Agreement, read_person

Write = Callable[[str, Any], Path]


@pytest.mark.parametrize(
    ("expected", "passes"),
    [
        ("pass", True), ("fail", False), ("Pass", None), ({"verdict": "pass"}, True), ({"verdict": "fail", "by": "Ann"}, False),
        ({"score": 0.8}, True), ({"score": 0.79, "reason": "late"}, False), ({"score": 2}, None), ({"score": True}, None),
        ({"verdict": "maybe", "score": 1}, None), ({"verdict": ["pass"]}, None), ({"verdict": "pass", "total": 5}, None),
        ({}, None), (0.9, None), (True, None), (None, None), (["pass"], None),
    ],
)  # fmt: skip
def test_a_verdict_of_a_person_is_read_only_where_it_is_one(expected: Any, passes: bool | None) -> None:
    assert read_person(expected) is passes


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=40))
def test_kappa_is_that_of_scikit_learn(pairs: list[tuple[bool, bool]]) -> None:
    agreement = Agreement()
    for judge, person in pairs:
        agreement.add({"verdict": "pass" if judge else "fail"}, person_passes=person)
    judges, people = zip(*pairs, strict=True)
    assert agreement.agreement == sum(judge == person for judge, person in pairs) / len(pairs)
    if len({*judges, *people}) == 1:
        assert agreement.kappa is None
    else:
        assert agreement.kappa == pytest.approx(cohen_kappa_score(judges, people))


def test_reports_show_how_far_judges_agree_with_people(evalctl: Evalctl, write: Write) -> None:
    rows = []
    for number in range(10):
        each = row(f"c{number}", 1.0 if number < 6 else 0.0, expected="pass" if number < 5 else {"score": 0.1})
        each["evaluator_results"][0]["type"] = "llm_judge"
        rows.append(each)
    write("r.jsonl", lines(*rows))
    report = json.loads(evalctl("report", "r.jsonl", "--format", "json").stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(report)
    assert report["judges"]["e"] == {
        "cases": 10, "agreement": 0.9, "kappa": pytest.approx(0.8), "base_rate": 0.5, "true_pass_rate": 1.0,
        "true_fail_rate": 0.8,
    }  # fmt: skip
    assert "judges against people" in evalctl("report", "r.jsonl").stdout
    assert (
        "| e | 10 | 90.0% | 0.800 | 50.0% | 100.0% | 80.0% |"
        in evalctl("report", "r.jsonl", "--format", "markdown").stdout
    )
