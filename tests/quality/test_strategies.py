"""Which strategy compares a field."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl

from agentv_py.case import Case
from agentv_py.evaluators.json_quality import JsonQuality
from agentv_py.evaluators.json_quality.infer import infer_strategies
from agentv_py.evaluators.json_quality.strategies import Strategy, detect_strategy

Write = Callable[[str, Any], Path]


@pytest.mark.parametrize(
    ("value", "strategy"),
    [
        (1, "EXACT"), (1.5, "EXACT"), (False, "EXACT"), ([], "EXACT"), ({"a": "b"}, "EXACT"),
        ("2025-01-15", "EXACT"), ("15 January 2025", "EXACT"), ("12.5%", "EXACT"), ("$1,234.50", "EXACT"),
        ("a@b.io", "EXACT"), (" a@b.io ", "EXACT"), ("a@b", "SEMANTIC"), ("mail a@b.io", "SEMANTIC"),
        ("12 apples", "SEMANTIC"), ("30 February 2025", "SEMANTIC"), ("active", "SEMANTIC"), ("a@" * 10_000, "SEMANTIC"),
    ],
)  # fmt: skip
def test_only_prose_is_compared_by_its_meaning(value: Any, strategy: Strategy) -> None:
    assert detect_strategy(value) == strategy


def test_strategies_are_inferred_by_the_rules_of_init() -> None:
    invoices = [
        {"invoice_id": "INV-1", "currency": "EUR", "total": "1.234,50", "net": 1037.4, "date": "13/02/2025", "due": "31. März 2025",
         "vendor": "Acme GmbH", "terms": "Pay within thirty days of receipt", "city": "Berlin", "phone": "+49 30 1234567", "email": "a@b.de",
         "items": [{"sku": "a", "qty": 1}], "tags": ["x"], "steps": ["y"], "address": {"city": "Bonn"}, "bbox": [0, 0, 5, 5], "paid": True},
        {"invoice_id": "INV-2", "currency": "USD", "total": "99,00", "net": 83.19, "date": "01/03/2025", "due": "1. Mai 2025",
         "vendor": "Globex AG", "terms": "Due at once, without any discount", "city": "Hamburg", "phone": "040 998877"},
    ]  # fmt: skip
    assert infer_strategies(invoices) == (
        {
            "invoice_id": "EXACT", "currency": "EXACT", "total": "NUMERIC", "net": "NUMERIC", "date": "DATE", "due": "DATE",
            "vendor": "NAME", "terms": "SEMANTIC", "city": "FUZZY", "phone": "EXACT", "email": "EXACT", "items": "UNORDERED",
            "tags": "UNORDERED", "steps": "EXACT", "address": "EXACT", "bbox": "EXACT", "paid": "EXACT",
        },
        [
            "json_quality needs decimal: \",\" for 'total'",
            "json_quality needs day_first: true for 'date'",
            "json_quality needs language: auto for 'due'",
        ],
    )  # fmt: skip


def test_empty_values_decide_nothing_and_what_is_left_out_is_said() -> None:
    found = infer_strategies(
        [{"a": 1, "b": "12", "c": None, "d": " "}, {"b": "twelve", "d": 4}, {"b": "13"}, [1], "text"]
    )
    assert found == (
        {"a": "NUMERIC", "b": "FUZZY", "d": "NUMERIC"},
        [
            "'c' is empty in every case, so it is left out",
            "cases whose expected value is not an object, and so left out: 2",
        ],
    )


def test_default_auto_applies_the_inferred_strategies_with_the_options_that_values_need() -> None:
    expected = {"invoice_id": "INV-1", "currency": "EUR", "total": "1.234,50", "date": "13/02/2025", "due": "1. Mai 2025",
                "vendor": "Acme GmbH", "city": "Berlin", "tags": ["x", "y"], "note": ""}  # fmt: skip
    answer = {"invoice_id": "INV-1", "currency": "EUX", "total": 1234.5, "date": "2025-02-13", "due": "2025-05-01",
              "vendor": "ACME", "city": "Berlln", "tags": ["y", "x"]}  # fmt: skip
    evaluator = JsonQuality(type="json_quality", normalize=True, default="auto", strategies={"city": "EXACT"})
    score = evaluator.evaluate(Case("a", expected, answer))
    assert (list(score.hits), list(score.misses)) == (
        ["invoice_id", "total", "date", "due", "vendor", "tags", "note"],
        ["currency", "city"],
    )
    assert score.details is not None
    used = {key: field["strategy"] for key, field in score.details["fields"].items()}
    assert used == infer_strategies([expected])[0] | {"city": "EXACT"}
    given = JsonQuality(type="json_quality", default="auto", decimal=".", strategies={"date": "EXACT"})
    assert [miss for miss in given.evaluate(Case("a", expected, answer)).misses if miss.startswith(("to", "da"))] == [
        "total (not a number)",
        "date",
    ]


def test_default_auto_sees_all_cases_and_explain_shows_the_rules(evalctl: Evalctl, write: Write) -> None:
    cases = [
        {"id": "a", "expected": {"on": "13/02/2025", "code": "A-1"}, "candidate": {"on": "2025-02-13", "code": "A-1"}},
        {"id": "b", "expected": {"on": "01/03/2025", "code": "B-2"}, "candidate": {"on": "2025-03-01", "code": "B-3"}},
    ]
    write("s.yaml", {"evaluators": [{"type": "json_quality", "normalize": True, "default": "auto"}], "cases": cases})
    done = evalctl("run", "s.yaml", "-o", "-")
    assert [json.loads(line)["misses"] for line in done.stdout.splitlines()] == [[], ["code"]]
    shown = json.loads(evalctl("explain", "s.yaml", "--format", "json").stdout)
    rules = shown["suites"][0]["evaluators"][0]["fields"]
    assert [(rule["path"], rule["comparator"], rule["rule"], rule["reason"]) for rule in rules] == [
        ("on", "DATE", "date", "2 dates, the day first"),
        ("code", "EXACT", "code", "'code' is a code, all different"),
    ]
