"""What the offline backend says of two texts."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentv_py.models.backends import Lexical

_near = Lexical().similarities


@given(texts=st.lists(st.tuples(st.text(), st.text()), max_size=4))
def test_it_gives_a_share_for_each_pair_the_same_in_both_directions(texts: list[tuple[str, str]]) -> None:
    found = _near(texts)
    assert len(found) == len(texts)
    assert all(0.0 <= one <= 1.0 for one in found)
    assert found == _near([(right, left) for left, right in texts])


@given(text=st.text())
def test_a_text_is_wholly_like_itself(text: str) -> None:
    assert _near([(text, text)]) == [1.0]


@given(words=st.lists(st.text("abcdeéßж", min_size=1), min_size=1, max_size=6), data=st.data())
def test_the_order_case_and_punctuation_of_words_do_not_count(words: list[str], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(words))
    assert _near([(" ".join(words), ", ".join(shuffled).upper() + "!")]) == [1.0]


@pytest.mark.parametrize(
    ("left", "right", "low", "high"),
    [
        ("Senior engineer with 10 years of experience", "Experienced senior engineer, 10+ years", 0.85, 0.95),
        ("Senior engineer with 10 years of experience", "Senior engineer with 12 years of experience", 0.8, 0.9),
        ("10 apples", "12 apples", 0.4, 0.7),
        ("free delivery", "deliveries are free", 0.6, 0.8),
        ("minus -5 degrees", "minus 5 degrees", 0.5, 0.8),
        ("ＡＢＣ ﬁne", "abc fine", 1.0, 1.0),
        ("A cat sat", "The stock market fell", 0.0, 0.0),
        ("!!!", "???", 0.0, 0.0),
        ("", "anything", 0.0, 0.0),
    ],
)
def test_examples(left: str, right: str, low: float, high: float) -> None:
    [found] = _near([(left, right)])
    assert low <= found <= high


def test_long_texts_take_no_longer_than_their_length() -> None:
    assert _near([("word " * 200_000, "other " * 200_000)]) == [0.0]
