"""One reader of dates."""

from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentv_py.comparison.readers.date import read_date
from agentv_py.comparison.readers.date_format import compile_format

_DAY = date(2025, 1, 15)


@pytest.mark.parametrize(
    "text",
    [
        "2025-01-15", "2025-1-15", "2025/01/15", "2025-01-15T10:00:00Z", "2025-01-15 23:59:59.999+14:00", "15-JAN-2025",
        "15 January 2025", "15 jan. 2025", "15th January 2025", "January 15, 2025", "Jan 15 2025", "Jan. 15th, 2025",
        "01/15/2025", "15/01/2025", "15.01.2025", "15.1.2025", "20250115", "20250115T101500Z", " 2025-01-15 ", 20250115,
        "Wed, 15 Jan 2025 10:00:00 +0000", "Wednesday 15 January 2025", "2025-W03-3", "2025-015", "01/15/2025 10:30 PM",
    ],
)  # fmt: skip
def test_a_day_is_read_in_many_spellings(text: Any) -> None:
    assert read_date(text) == _DAY


@pytest.mark.parametrize(
    "value",
    [
        "30-FEB-2025", "2025-02-30", "2025-13-01", "32.01.2025", "15.13.2025", "13/13/2025", "2025", "Jan 2025", "soon", "",
        "2025-01-15x", "x2025-01-15", "2025-01-15 garbage", "1/2/5", "2025-366", "0000-01-01", 2025, 20251301, True, None,
        [], "2025-01-15T25:00",
    ],
)  # fmt: skip
def test_anything_else_is_not_a_date(value: Any) -> None:
    assert read_date(value) is None


def test_an_ambiguous_date_is_month_first_unless_told_otherwise() -> None:
    assert read_date("01/02/2025") == date(2025, 1, 2)
    assert read_date("01/02/2025", day_first=True) == date(2025, 2, 1)
    assert read_date("01/15/2025", day_first=True) == _DAY
    assert read_date("03.04.2024") == date(2024, 4, 3)


@pytest.mark.parametrize(
    ("spelling", "text"),
    [
        ("DD/MM/YYYY", "15/01/2025"), ("DD/MM/YYYY", "15/1/2025"), ("YYYY-MM-DD", "2025-01-15"), ("DD-MMM-YYYY", "15-JAN-2025"),
        ("%d/%m/%Y", "15/01/2025"), ("%d %B %Y", "15 January 2025"), ("DDMMYYYY", "15012025"), ("D.M.YY", "15.1.25"),
        ("%y%m%d", "250115"), ("YYYY-MM-DDTHH:mm:ss", "2025-01-15T10:00:00"), ("DD/MM/YYYY", "15/01/2025 10:30"),
        ("MMMM D, YYYY", "January 15, 2025"), ("dd.MM.yyyy", "15.01.2025"),
    ],
)  # fmt: skip
def test_formats_take_tokens_of_both_kinds(spelling: str, text: str) -> None:
    assert read_date(text, (compile_format(spelling),)) == _DAY


def test_formats_are_tried_in_order_and_nothing_else_is_accepted() -> None:
    formats = (compile_format("DD/MM/YYYY"), compile_format("MM/DD/YYYY"))
    assert read_date("01/02/2025", formats) == date(2025, 2, 1)
    assert read_date("01/15/2025", formats) == _DAY
    assert read_date("2025-01-15", formats) is None


@pytest.mark.parametrize("spelling", ["MM/YYYY", "YYYY", "QQ", "%Q", "DD/DD/YYYY", ""])
def test_a_format_that_cannot_name_a_day_is_refused(spelling: str) -> None:
    with pytest.raises(ValueError, match="date"):
        compile_format(spelling)


@given(st.dates(min_value=date(1000, 1, 1)))
def test_every_day_is_read_back_from_every_spelling(day: date) -> None:
    english = ["", "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"][day.month]
    year, month, number = day.year, day.month, day.day
    for text in (
        f"{day}",
        f"{number:02}.{month:02}.{year}",
        f"{month:02}/{number:02}/{year}",
        f"{number:02}-{english}-{year}",
    ):
        assert read_date(text) == day
    assert read_date(f"{number:02}/{month:02}/{year}", day_first=True) == day
