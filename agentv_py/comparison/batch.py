"""One item or many, on either side → pairs of them, and what all of them amount to."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, Literal

from agentv_py.comparison.comparison import Comparison, is_empty
from agentv_py.comparison.counts import count, micro, quality
from agentv_py.comparison.matchers.base import Incomparable
from agentv_py.comparison.paths import attribute_of
from agentv_py.comparison.scoring import MOST_PAIRS, told
from agentv_py.comparison.trace import Trace
from agentv_py.comparison.tree import Leaf, List, Pairing
from agentv_py.comparison.walk import walk
from agentv_py.score import Score

Matching = Literal["index", "greedy", "optimal"]
Aggregation = Literal["mean", "median", "min"]
Shown = Callable[[Any, Any], dict[str, Any]]


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
        """One for each pair, in the order of the expected items."""
        return [one for one in self.trace.comparisons if one.role == "leaf"]

    def pairs(self) -> list[tuple[int, int]]:
        rows = self.trace.alignment.get(self.path)
        if rows is not None:
            return [(expected, actual) for expected, actual, _ in rows]
        return [(index, index) for index in range(min(len(self.expected), len(self.actual)))]

    def scored(self, score: float, shown: Shown) -> Score:
        """The score, with what there is to tell of each pair. All items are one attribute."""
        self.trace.comparisons = [_explained(one, shown) for one in self.trace.comparisons]
        found = told(score, self.trace)
        metrics = {attribute_of(self.path): micro(count(self.trace.comparisons).values())}
        return found._replace(details={**self._shown(shown), **(found.details or {}), "metrics": metrics})

    def _shown(self, shown: Shown) -> dict[str, Any]:
        pairs = [
            {"expected": left, "actual": right} | _told(shown, self.expected[left], self.actual[right])
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
    pairing = None if matching == "index" else Pairing(matching, sure=leaf.always_counts)
    walk(List(leaf, pairing), left, right, path, trace)
    return Batch(path, left, right, trace)


def aggregate(scores: Sequence[float], size: int, aggregation: Aggregation) -> float:
    """Items without a partner count as 0; nothing against nothing is right."""
    if not size:
        return 1.0
    if aggregation == "mean":
        return math.fsum(scores) / size
    every = [*scores, *[0.0] * (size - len(scores))]
    return median(every) if aggregation == "median" else min(every)


def precision_and_recall(score: Score) -> dict[str, float | None]:
    """Over the items: of those that are there, and of those that should be."""
    [counts] = (score.details or {})["metrics"].values()
    found = quality(counts)
    return {"precision": found.precision, "recall": found.recall, "f1": found.f1}


def _explained(one: Comparison, shown: Shown) -> Comparison:
    """What has no partner because it cannot be read says so."""
    if one.role != "row":
        return one
    value = one.expected if one.outcome == "missing" else one.actual
    note = None if is_empty(value) else _told(shown, value, value).get("note")
    return one if note is None else one._replace(note=note)


def _told(shown: Shown, expected: Any, actual: Any) -> dict[str, Any]:
    try:
        return shown(expected, actual)
    except Incomparable as why:
        return {"note": why.note}
