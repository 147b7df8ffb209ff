"""A pattern that backtracks costs its time limit once for each text, however often pairing asks."""

from collections import Counter
from typing import Any

import pytest

from agentv_py.case import Case
from agentv_py.comparison.matchers import regex as module
from agentv_py.comparison.matchers.regex import Regex
from agentv_py.evaluators.object_match import ObjectMatch


class _Endless:
    """A compiled pattern that never comes to an end, and counts how often it is tried on each text."""

    def __init__(self) -> None:
        self.tries = Counter[str]()

    def fullmatch(self, text: str, timeout: float) -> None:
        self.tries[text] += 1
        raise TimeoutError(timeout)

    search = fullmatch


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> _Endless:
    pattern = _Endless()
    monkeypatch.setattr(module, "_compile", lambda _: pattern)
    monkeypatch.setattr(module, "_slow_matches", {})
    monkeypatch.setattr(module, "_SLOW_SECONDS", 0.0)
    return pattern


def _object_match(comparators: Any) -> ObjectMatch:
    return ObjectMatch.model_validate({"type": "object_match", "comparators": comparators})


@pytest.mark.parametrize(
    "comparators",
    [
        {"unordered": {"match": "regex", "pattern": "(a|aa)+"}},
        {"unordered": {"match": "regex", "pattern": "(a|aa)+"}, "matching": "greedy"},
        {"unordered": {"match": "regex", "pattern": "(a|aa)+", "any_of": True}},
    ],
)
def test_each_text_is_tried_once_in_a_list_of_more_texts_than_any_short_memory_holds(
    comparators: Any, endless: _Endless
) -> None:
    texts = [f"a{number}" for number in range(1_100)]
    score = _object_match(comparators).evaluate(Case("", texts[:2], texts))
    assert score.misses[0] == "[0] (missing)"
    assert endless.tries == Counter(texts)


def test_the_next_case_does_not_try_the_same_text_again(endless: _Endless) -> None:
    evaluator = _object_match({"t": {"match": "regex", "pattern": "(a|aa)+"}})
    case = Case("", {"t": "x"}, {"t": "aaaa!"})
    misses = {evaluator.evaluate(case).misses for _ in range(5)}
    assert misses == {("t (the pattern took longer than 0.5 s)",)}
    assert endless.tries == Counter(["aaaa!"])


def test_a_search_and_a_whole_match_of_the_same_text_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_slow_matches", {})
    monkeypatch.setattr(module, "_SLOW_SECONDS", 0.0)  # both results are kept
    whole, somewhere = Regex(pattern="[0-9]+"), Regex(pattern="[0-9]+", search=True)
    for _ in range(2):
        assert (whole.similarity("x", "no 5"), somewhere.similarity("x", "no 5")) == (0.0, 1.0)
