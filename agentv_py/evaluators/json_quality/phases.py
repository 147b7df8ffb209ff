"""Comparisons of top-level keys → five buckets → completeness, hallucination and accuracy."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import Comparison
from agentv_py.evaluators.json_quality.strategies import Strategy


class Compared(NamedTuple):
    """A top-level key of either side, and what became of it."""

    key: str
    strategy: Strategy
    comparison: Comparison


class Buckets(NamedTuple):
    """The keys by what became of them; GT is the expected value, AIO the answer."""

    extra_keys: list[str]
    gt_null_aio_has_value: list[str]
    gt_non_null: list[str]
    aio_missing_or_null: list[str]
    both_non_null: list[str]


def classify(compared: Sequence[Compared]) -> Buckets:
    found = Buckets([], [], [], [], [])
    for key, _, comparison in compared:
        if comparison.expected is ABSENT:
            found.extra_keys.append(key)
        elif comparison.outcome == "extra":
            found.gt_null_aio_has_value.append(key)
        elif comparison.outcome != "blank":
            found.gt_non_null.append(key)
            missing = comparison.outcome == "missing"
            (found.aio_missing_or_null if missing else found.both_non_null).append(key)
    return found


def completeness(buckets: Buckets) -> float:
    """The share of what is expected that is there; where nothing is expected, all of it is."""
    return len(buckets.both_non_null) / len(buckets.gt_non_null) if buckets.gt_non_null else 1.0


def hallucination(buckets: Buckets, distinct: int) -> float:
    """The share of all keys of both sides that were made up."""
    return (len(buckets.extra_keys) + len(buckets.gt_null_aio_has_value)) / distinct if distinct else 0.0


def accuracy(compared: Sequence[Compared]) -> float:
    """The share of what both sides have that is right; where nothing is to be scored, all of it is."""
    scores = [one.comparison.score for one in compared if is_scored(one)]
    return sum(scores) / len(scores) if scores else 1.0


def is_scored(one: Compared) -> bool:
    return one.comparison.outcome in ("match", "mismatch") and one.strategy != "IGNORE"


def shown(compared: Sequence[Compared]) -> dict[str, dict[str, Any]]:
    """Of each key that both sides have: its strategy, similarity and score."""
    return {
        key: {"strategy": strategy, "similarity": comparison.similarity, "score": comparison.score}
        if strategy != "IGNORE"
        else {"strategy": strategy}
        for key, strategy, comparison in compared
        if comparison.outcome in ("match", "mismatch")
    }
