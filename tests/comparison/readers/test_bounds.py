"""No text makes a reader hang: each of these took from seconds to minutes once."""

from contextlib import suppress

import pytest

from agentv_py import jsontext
from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.matchers.fuzzy import Fuzzy
from agentv_py.comparison.readers.date import read_date
from agentv_py.comparison.readers.number import read_number

_SPACES = " " * 20_000


@pytest.mark.parametrize(
    "text",
    [
        f"5{_SPACES}x",
        f"-{_SPACES}x",
        f"${_SPACES}x",
        "1,234" * 50_000,
        "1" + ",234" * 99 + "x",
        "-" * 400,
        "kr " * 133 + "1",
    ],
)
def test_a_long_text_is_not_a_number(text: str) -> None:
    with pytest.raises(Incomparable):
        read_number(text)


@pytest.mark.parametrize("text", [f"2025-01-15 10{_SPACES}x", f"15{_SPACES}January 2025", "1/" * 50_000])
def test_a_long_text_is_not_a_date(text: str) -> None:
    assert read_date(text) is None


def test_very_long_texts_are_compared_in_bounded_time() -> None:
    left, right = "ab" * 60_000, "ba" * 60_000
    assert 0.99 < Fuzzy().similarity(left, right) <= 1.0
    assert Fuzzy().similarity(left, "xy" * 60_000) == 0.0


@pytest.mark.parametrize(
    "piece",
    ["{", "[", '{"', '{"a":', '{"{":', "[1,", "{}x", "</think>", "<think>", "`", "```\n", '```\n{"a":x}\n', "[{]"],
)
def test_a_text_of_brackets_and_tags_is_read_once(piece: str) -> None:
    """A search from each bracket anew would take minutes."""
    with suppress(jsontext.NotJson):
        jsontext.find(piece * 100_000)


def test_json_is_found_behind_a_great_many_brackets() -> None:
    assert jsontext.find("[see] {below} " * 20_000 + '{"a": 1}').value == {"a": 1}
