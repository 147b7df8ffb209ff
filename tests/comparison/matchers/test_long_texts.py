"""Texts too long to be compared in full: exact where few edits part them, else never above the exact similarity."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from agentv_py import compare, fuzzy, unordered
from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.matchers import fuzzy as module
from agentv_py.comparison.matchers.fuzzy import Fuzzy
from agentv_py.comparison.readers.passages import cut_at_landmarks, cut_into_blocks, find_landmarks

_MATCH = Fuzzy(case_sensitive=True)
_LENGTH = 40_000


def _write(chance: random.Random, length: int = _LENGTH) -> str:
    words = ["".join(chance.choices("abcdefghijklmnop", k=chance.randint(2, 9))) for _ in range(2_000)]
    return "x" + " ".join(chance.choices(words, k=length))[: length - 2] + "x"


def _edit(text: str, times: int, chance: random.Random) -> str:
    letters = list(text)
    for place in chance.sample(range(1, len(text) - 1), times):
        letters[place] = "Z"
    return "".join(letters)


def test_where_few_edits_part_two_long_texts_the_similarity_is_exact() -> None:
    chance = random.Random(0)
    text = _write(chance)
    for other in (
        _edit(text, 40, chance),
        text[:9_000] + "q" * 500 + text[9_000:],
        text[300:],
        "Z" * 300 + text[:-300],
    ):
        assert _MATCH.similarity(text, other) == Levenshtein.normalized_similarity(text, other)


def test_where_many_edits_part_them_it_is_near_the_exact_one_and_never_above_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    chance = random.Random(1)
    text, unlike = _write(chance, 6_000), _write(chance, 6_000)
    others = [
        _edit(text, 1_800, chance),
        text[:3_000] + unlike[3_000:],
        text[3_000:] + text[:3_000],
        unlike,
        unlike[:900],
    ]
    exact = [_MATCH.similarity(text, other) for other in others]
    monkeypatch.setattr(module, "_LONG", 1_000)
    found = [_MATCH.similarity(text, other) for other in others]
    assert [similarity <= limit for similarity, limit in zip(found, exact, strict=True)] == [True] * 5
    assert found == pytest.approx(exact, abs=0.03)


_letters = st.text(alphabet="ab \U0001f600\ud800", max_size=60)


@given(_letters, _letters, st.integers(1, 40))
def test_passages_are_the_whole_texts(left: str, right: str, times: int) -> None:
    left, right = left * times, right * (41 - times) + left
    for passages in (
        list(cut_at_landmarks(left, right, find_landmarks(left), find_landmarks(right))),
        list(cut_into_blocks(left, right)),
    ):
        assert ("".join(one for one, _ in passages), "".join(other for _, other in passages)) == (left, right)


@pytest.mark.parametrize("algorithm", ["levenshtein", "jaro_winkler", "token_set"])
@pytest.mark.parametrize("most", [1, 10**9])
def test_all_pairs_say_what_each_pair_says(algorithm: Any, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LONG", most)
    match = Fuzzy(algorithm=algorithm)
    left, right = (
        ["red apple", "Pear tree", "green plum", 5, "apple red"],
        ["red apple", "plum", "pears", None, "red apples"],
    )
    for row, expected in zip(match.matrix(left, right).tolist(), left, strict=True):
        for similarity, actual in zip(row, right, strict=True):
            try:
                assert similarity == match.similarity(expected, actual)
            except Incomparable:
                assert similarity != similarity  # noqa: PLR0124  only NaN is not itself


@pytest.mark.parametrize("algorithm", ["levenshtein", "jaro_winkler", "token_set"])
def test_a_very_long_text_is_itself(algorithm: Any) -> None:
    text = _write(random.Random(2), 1_000_000)
    assert Fuzzy(algorithm=algorithm).similarity(text, text.upper()) == 1.0


def test_texts_that_no_bound_helps_are_a_miss_that_says_so() -> None:
    chance = random.Random(3)
    one, other = (" ".join(f"{chance.getrandbits(64):x}" for _ in range(7_000)) for _ in range(2))
    assert compare(one, other, fuzzy(algorithm="token_set")).misses == ("$ (too long)",)
    assert compare(one, other, fuzzy(algorithm="jaro_winkler")).misses == ("$ (too long)",)


def test_long_near_misses_still_find_their_partners() -> None:
    chance = random.Random(4)
    rows = [_write(chance) for _ in range(3)]
    answers = [_edit(row, _LENGTH // 4, chance) for row in reversed(rows)]
    score = compare(rows, answers, unordered(fuzzy(threshold=0.95)))
    assert (score.score, score.misses) == (0.0, ("[0]", "[1]", "[2]"))
    assert [(one, two) for one, two, _ in (score.details or {})["alignment"]["$"]] == [(0, 2), (1, 1), (2, 0)]


def test_the_letters_that_are_compared_grow_with_the_length_and_not_with_its_square() -> None:
    chance = random.Random(5)
    cells = []
    for length in (50_000, 100_000):
        left, right = _write(chance, length), _write(chance, length)
        passages = cut_at_landmarks(left, right, find_landmarks(left), find_landmarks(right))
        cells.append(sum(len(one) * len(other) for one, other in passages))
    assert cells[1] <= 2.5 * cells[0]
