"""Points of a case → how near they are to the expected points."""

import math
from collections.abc import Iterator
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

from pydantic import Field

from agentv_py.case import Case
from agentv_py.comparison.batch import Aggregation, Batch, Matching, aggregate, compare_batch, precision_and_recall
from agentv_py.comparison.compile import compile_leaf
from agentv_py.comparison.field_rule import FieldRule
from agentv_py.comparison.matchers.distance import Distance, Metric, Reach
from agentv_py.comparison.path_pair import PathPair, find_malformed_paths, pair_paths
from agentv_py.comparison.readers.point import is_point
from agentv_py.comparison.tree import Leaf
from agentv_py.comparison.truth import Truth
from agentv_py.comparison.truth.build import collect_path
from agentv_py.evaluators.base import Evaluator, ReadExpected
from agentv_py.score import Score, VerdictName

# Vectors at 90 degrees or more score almost 0, but among them the nearer vector is still paired first.
_ANY = 1e-9


class _Proximity(Distance):
    """Scores points without a threshold: the score falls with the distance."""

    threshold: Reach = 0.0

    graded = True

    @property
    def passes_at(self) -> float:
        return _ANY if self.metric == "cosine" else math.ulp(0.0)

    def nearness(self, distance: Any) -> Any:
        if self.metric != "cosine":
            return 1.0 / (1.0 + distance)
        return (1.0 - distance) * (distance < 1.0 - _ANY) + _ANY * (1.0 - distance / 2.0) * (distance >= 1.0 - _ANY)


class CoordinateDistance(Evaluator):
    type: Literal["coordinate_distance"]
    point_path: str = Field(min_length=1, description="Where the point, or the list of points, is in the candidate.")
    expected_point_path: str | None = Field(None, min_length=1, description="In the expected value. Default: the same.")
    metric: Metric = "euclidean"
    threshold: Reach | None = Field(None, description="The largest distance that passes, inclusive.")
    matching: Matching = Field("index", description="Which points belong together; index: those at the same place.")
    aggregation: Aggregation = Field("mean", description="Of the points' scores; a point without a partner has 0.")

    harmless_details: ClassVar[frozenset[str]] = Evaluator.harmless_details | {
        "paths", "pairs", "pairs_omitted", "distances", "precision", "recall", "f1"
    }  # fmt: skip

    def evaluate(self, case: Case) -> Score:
        values = self._places.values(case)
        if isinstance(values, Score):
            return values
        batch = compare_batch(self._leaf, self.matching, *values, self._places.path, is_point)
        scores = [comparison.score for comparison in batch.comparisons]
        score = batch.build_score(aggregate(scores, batch.size, self.aggregation), self._describe_pair)
        return self._conclude(score, batch)

    def for_consistency(self) -> Self:
        """Return an evaluator that looks for the points of both answers at the same path."""
        return type(self).model_validate(dict(self) | {"expected_point_path": None})

    def warnings(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        yield from find_malformed_paths(point_path=self.point_path, expected_point_path=self.expected_point_path)

    def truths(self) -> Iterator[Truth]:
        option = self._places.expected_option("point_path")
        yield collect_path(
            *option, self._distance.explain_unreadable, lambda value: [value] if is_point(value) else value
        )

    def list_rules(self, read_expected: ReadExpected) -> Iterator[FieldRule]:  # noqa: ARG002  the options say it all
        nearness = "1 - distance" if self.metric == "cosine" else "1 / (1 + distance)"
        passes = f"the score is {nearness}" if self.threshold is None else self._distance.describe_rule()
        options = {"metric": self.metric, "threshold": self.threshold, "matching": self.matching}
        match = None if self.threshold is None else self._distance
        yield FieldRule(self.point_path, "distance", passes, options, share=1.0, place=("point_path",), match=match)

    def _conclude(self, score: Score, batch: Batch) -> Score:
        details = {**self._places.details, **(score.details or {})}
        details["distances"] = [pair.get("distance") for pair in details["pairs"]]
        points = f"{batch.size} point{'' if batch.size == 1 else 's'}"
        if self.threshold is None:
            reasoning = f"{self.aggregation} nearness {score.score:.3f} over {points}"
            return score._replace(reasoning=reasoning, details=details)
        reasoning = f"{len(score.hits)} of {points} within {self.threshold:g}"
        verdict: VerdictName = "fail" if score.misses else "pass"
        return score._replace(reasoning=reasoning, details=details | precision_and_recall(score), verdict=verdict)

    def _describe_pair(self, expected: Any, actual: Any) -> dict[str, Any]:
        return {"distance": round(self._distance.distance(expected, actual), 6)}

    @cached_property
    def _distance(self) -> Distance:
        if self.threshold is None:
            return _Proximity(metric=self.metric)
        return Distance(metric=self.metric, threshold=self.threshold)

    @cached_property
    def _leaf(self) -> Leaf:
        return compile_leaf(self._distance)

    @cached_property
    def _places(self) -> PathPair:
        return pair_paths(self.point_path, self.expected_point_path)
