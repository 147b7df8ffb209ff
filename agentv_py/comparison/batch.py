"""One item or a list of items on either side → pairs of items, and the score of all of them."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Literal

from agentv_py.comparison.comparison import Comparison, Incomparable, is_empty
from agentv_py.comparison.counts import count_outcomes, quality, sum_counts
from agentv_py.comparison.paths import attribute_of
from agentv_py.comparison.scoring import MOST_PAIRS, score_from_trace
from agentv_py.comparison.trace import Trace
from agentv_py.comparison.tree import Leaf, List, Pairing
from agentv_py.comparison.walk import walk
from agentv_py.score import Score

Matching = Literal["index", "greedy", "optimal"]
Aggregation = Literal["mean", "median", "min"]
DescribePair = Callable[[Any, Any], dict[str, Any]]
"""An expected and an actual item → what `details` shows of them. It may raise Incomparable."""


@dataclass(slots=True)
class Batch:
    path: str
    expected: list[Any]
    actual: list[Any]
    trace: Trace

    @property
    def size(self) -> int:
        return max(len(self.expected), len(self.actual))

    @property
    def comparisons(self) -> list[Comparison]:
        """The comparison of each pair, in the order of the expected items."""
        return [comparison for comparison in self.trace.comparisons if comparison.role == "leaf"]

    def pairs(self) -> list[tuple[int, int]]:
        rows = self.trace.alignment.get(self.path)
        if rows is not None:
            return [(expected, actual) for expected, actual, _ in rows]
        return [(index, index) for index in range(min(len(self.expected), len(self.actual)))]

    def build_score(self, score: float, describe: DescribePair) -> Score:
        """Return the score with the details of each pair. All items count as one attribute."""
        self.trace.comparisons = [_explain_unpaired(comparison, describe) for comparison in self.trace.comparisons]
        whole = score_from_trace(score, self.trace)
        metrics = {attribute_of(self.path): sum_counts(count_outcomes(self.trace.comparisons).values())}
        return whole._replace(details={**self._describe_pairs(describe), **(whole.details or {}), "metrics": metrics})

    def _describe_pairs(self, describe: DescribePair) -> dict[str, Any]:
        pairs = [
            {"expected": left, "actual": right} | _describe_or_note(describe, self.expected[left], self.actual[right])
            for left, right in self.pairs()
            if not (is_empty(self.expected[left]) or is_empty(self.actual[right]))
        ]
        omitted = {"pairs_omitted": len(pairs) - MOST_PAIRS} if len(pairs) > MOST_PAIRS else {}
        return {"pairs": pairs[:MOST_PAIRS], **omitted}


def compare_batch(
    leaf: Leaf, matching: Matching, expected: Any, actual: Any, path: str, is_item: Callable[[Any], bool]
) -> Batch:
    trace = Trace()
    if is_item(expected) and is_item(actual):
        walk(leaf, expected, actual, path, trace)
        return Batch(path, [expected], [actual], trace)
    left, right = ([] if is_empty(value) else [value] if is_item(value) else value for value in (expected, actual))
    pairing = None if matching == "index" else Pairing(matching, every_leaf_counts=leaf.always_counts)
    walk(List(leaf, pairing), left, right, path, trace)
    return Batch(path, left, right, trace)


def aggregate(scores: Sequence[float], size: int, aggregation: Aggregation) -> float:
    """Return the mean, median or minimum. An item without a partner counts as 0; two empty sides score 1."""
    if not size:
        return 1.0
    if aggregation == "mean":
        return math.fsum(scores) / size
    padded = [*scores, *[0.0] * (size - len(scores))]
    return median(padded) if aggregation == "median" else min(padded)


def precision_and_recall(score: Score) -> dict[str, float | None]:
    """Return precision, recall and F1 over the items of a batch's score."""
    [counts] = (score.details or {})["metrics"].values()
    items = quality(counts)
    return {"precision": items.precision, "recall": items.recall, "f1": items.f1}


def _explain_unpaired(comparison: Comparison, describe: DescribePair) -> Comparison:
    """Replace the note of an item without a partner that cannot be read by the reason."""
    if comparison.role != "row":
        return comparison
    value = comparison.expected if comparison.outcome == "missing" else comparison.actual
    note = None if is_empty(value) else _describe_or_note(describe, value, value).get("note")
    return comparison if note is None else comparison._replace(note=note)


def _describe_or_note(describe: DescribePair, expected: Any, actual: Any) -> dict[str, Any]:
    try:
        return describe(expected, actual)
    except Incomparable as why:
        return {"note": why.note}
