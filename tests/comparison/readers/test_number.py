"""One reader of numbers."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.readers.number import read_number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1,234.50", 1234.5), ("1,234,567", 1234567), ("12.5%", 12.5), ("12.5 %", 12.5), ("$1,000", 1000), ("-$5", -5),
        ("$-5", -5), ("($5.00)", -5), ("(5)", -5), ("5-", -5), ("5.00- EUR", -5), ("USD 100", 100), ("100 EUR", 100),
        ("€1.5", 1.5), ("1.5 €", 1.5), ("R$ 5", 5), ("US$5", 5), ("+5", 5), (".5", 0.5), ("5.", 5), ("1e5", 1e5),
        ("1E-2", 0.01), ("−7", -7), (" 42 ", 42), ("007", 7), ("1 234.5", 1234.5), ("1'234", 1234), ("¥1,000", 1000),
        ("12345678901234567890.12", Decimal("12345678901234567890.12")), ("123456789012345678901", 123456789012345678901),
        ("٣", 3), ("𝟙𝟚𝟛", 123), ("₿ 0.5", 0.5),
    ],
)  # fmt: skip
def test_text_that_is_wholly_a_number_is_read(text: str, number: float) -> None:
    assert read_number(text) == number


@pytest.mark.parametrize(
    "value",
    [
        "12 apples", "INV-100", "INV 100", "2 items at 3", "1,23,4", "abc", True, False, "1.2.3", "--5", "(5", "5)", "-(5)",
        "(-5)", "1_000", "0x10", "nan", "inf", "³", "1,2345", "0,123", "1.234,50", "$", "-", "%", "e5", "1e", "1e5.5", [], {},
        None, "USDX 5", "ABC 5", "5 USD EUR", "1 2", "12 34", "1,234,56", "10**5",
    ],
)  # fmt: skip
def test_anything_else_is_not_a_number(value: Any) -> None:
    with pytest.raises(Incomparable, match=r"^not a number$"):
        read_number(value)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "1e400", "-1e999"])
def test_an_infinite_number_is_named_as_such(value: Any) -> None:
    with pytest.raises(Incomparable, match=r"^not a finite number$"):
        read_number(value)


@pytest.mark.parametrize(("text", "number"), [("1.234,50", 1234.5), ("1.234", 1234), ("0,5", 0.5), ("€ 12,50", 12.5)])
def test_a_decimal_comma_is_one_word_away(text: str, number: float) -> None:
    assert read_number(text, ",") == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_written_out_is_read_back(number: float) -> None:
    assert float(read_number(repr(number))) == number


@given(st.integers(-(10**30), 10**30))
def test_an_integer_with_thousands_is_read_back(number: int) -> None:
    assert read_number(f"{number:,}") == number
