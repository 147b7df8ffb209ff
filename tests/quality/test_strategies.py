"""Which strategy compares a field."""

from typing import Any

import pytest

from agentv_py.evaluators.json_quality.infer import infer_strategies
from agentv_py.evaluators.json_quality.strategies import Strategy, detect_strategy


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
