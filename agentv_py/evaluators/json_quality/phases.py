"""Comparisons of top-level keys → five buckets → completeness, hallucination and accuracy."""

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from agentv_py.case import ABSENT
from agentv_py.comparison.comparison import Comparison
from agentv_py.evaluators.json_quality.strategies import Strategy
from agentv_py.options import Options, Weight


class Weights(Options):
    """Of the phases in the score; hallucination is taken off."""

    accuracy: Weight = 0.45
    completeness: Weight = 0.25
    safety: Weight = 0.15
    hallucination: Weight = 0.15

    @property
    def perfect(self) -> float:
        """The score of a perfect answer."""
        return math.fsum((self.accuracy, self.completeness, self.safety))


def check_weights(weights: Weights) -> Weights:
    """Return weights with which an answer can score more than 0. Raises ValueError."""
    if not weights.perfect:
        raise ValueError("accuracy, completeness and safety all weigh 0, so every score would be 0")
    return weights


class FieldComparison(NamedTuple):
    """A top-level key of the expected object or of the answer, and how the two compare there."""

    key: str
    strategy: Strategy
    comparison: Comparison
    parts: tuple[Comparison, ...]
    """What is shown as hits and misses: the comparison itself, or those of its parts if the values differ."""


class Buckets(NamedTuple):
    """The keys by presence. In the names, which details show, GT is the expected value and AIO the answer."""

    extra_keys: list[str]
    gt_null_aio_has_value: list[str]
    gt_non_null: list[str]
    aio_missing_or_null: list[str]
    both_non_null: list[str]


def classify(fields: Sequence[FieldComparison]) -> Buckets:
    buckets = Buckets([], [], [], [], [])
    for key, _, comparison, _ in fields:
        if comparison.expected is ABSENT:
            buckets.extra_keys.append(key)
        elif comparison.outcome == "extra":
            buckets.gt_null_aio_has_value.append(key)
        elif comparison.outcome != "blank":
            buckets.gt_non_null.append(key)
            missing = comparison.outcome == "missing"
            (buckets.aio_missing_or_null if missing else buckets.both_non_null).append(key)
    return buckets


def completeness(buckets: Buckets) -> float:
    """The share of expected values that the answer has; 1 if nothing is expected."""
    return len(buckets.both_non_null) / len(buckets.gt_non_null) if buckets.gt_non_null else 1.0


def hallucination(buckets: Buckets, distinct: int) -> float:
    """The share of all keys, expected and answered, whose value is invented."""
    return (len(buckets.extra_keys) + len(buckets.gt_null_aio_has_value)) / distinct if distinct else 0.0


def accuracy(fields: Sequence[FieldComparison]) -> float:
    """The mean score of the fields that have a value on both sides; 1 if there are no such fields."""
    scores = [field.comparison.score for field in fields if is_scored(field)]
    return sum(scores) / len(scores) if scores else 1.0


def is_scored(field: FieldComparison) -> bool:
    return field.comparison.outcome in ("match", "mismatch") and field.strategy != "IGNORE"


def field_details(fields: Sequence[FieldComparison]) -> dict[str, dict[str, Any]]:
    """The strategy, similarity and score of each key that has an expected and an answered value."""
    return {
        key: {"strategy": strategy, "similarity": comparison.similarity, "score": comparison.score}
        if strategy != "IGNORE"
        else {"strategy": strategy}
        for key, strategy, comparison, _ in fields
        if comparison.outcome in ("match", "mismatch")
    }
