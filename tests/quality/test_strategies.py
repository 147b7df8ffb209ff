"""Which strategy compares a field."""

from typing import Any

import pytest

from agentv_py.evaluators.json_quality.strategies import Strategy, detect_strategy, infer_strategies


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


def test_prose_in_one_case_decides_for_all_and_empty_values_decide_nothing() -> None:
    found = infer_strategies(
        [{"a": 1, "b": "12", "c": None, "d": " "}, {"b": "twelve", "d": 4}, {"b": "13"}, [1], "text"]
    )
    assert found == (
        {"a": "EXACT", "b": "SEMANTIC", "d": "EXACT"},
        [
            "'c' is empty in every case, so it is left out",
            "cases whose expected value is not an object, and so left out: 2",
        ],
    )
