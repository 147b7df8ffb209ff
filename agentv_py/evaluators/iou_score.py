"""Boxes of a case → how well they overlap the expected boxes."""

import math
from collections.abc import Iterator
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

from pydantic import Field

from agentv_py.case import Case
from agentv_py.comparison.batch import Aggregation, Batch, Matching, aggregate, compare_batch, precision_and_recall
from agentv_py.comparison.comparison import Comparison
from agentv_py.comparison.compile import compile_leaf
from agentv_py.comparison.field_rule import FieldRule
from agentv_py.comparison.matchers.iou import Iou, PolygonArea
from agentv_py.comparison.path_pair import PathPair, find_malformed_paths, pair_paths
from agentv_py.comparison.readers.box import BoxFormat, is_box
from agentv_py.comparison.tree import Leaf
from agentv_py.comparison.truth import Truth
from agentv_py.comparison.truth.build import collect_path
from agentv_py.evaluators.base import Evaluator, ReadExpected
from agentv_py.options import Share
from agentv_py.score import SLACK, Score, VerdictName


class IouScore(Evaluator):
    type: Literal["iou_score"]
    bbox_path: str = Field(min_length=1, description="Where the box, or the list of boxes, is in the candidate.")
    expected_bbox_path: str | None = Field(None, min_length=1, description="In the expected value. Default: the same.")
    format: BoxFormat = Field("xyxy", description="What the numbers of a box are; an object says so by its keys.")
    threshold: Share | None = Field(None, description="The least overlap that passes, of a box and of them all.")
    matching: Matching = Field("index", description="Which boxes belong together; index: those at the same place.")
    aggregation: Aggregation = Field("mean", description="Of the boxes' overlaps; a box without a partner has 0.")
    polygon: PolygonArea = Field("bounding_box", description="exact: the polygon's own area; needs the extra geometry.")

    harmless_details: ClassVar[frozenset[str]] = Evaluator.harmless_details | {
        "format", "paths", "pairs", "pairs_omitted", "precision", "recall", "f1"
    }  # fmt: skip

    def evaluate(self, case: Case) -> Score:
        values = self._places.values(case)
        if isinstance(values, Score):
            return values
        batch = compare_batch(self._leaf, self.matching, *values, self._places.path, self._is_box)
        overlaps = [comparison.similarity for comparison in batch.comparisons]
        batch.trace.comparisons = [self._apply_threshold(comparison) for comparison in batch.trace.comparisons]
        score = batch.build_score(aggregate(overlaps, batch.size, self.aggregation), self._describe_pair)
        return self._conclude(score, batch)

    def problems(self) -> Iterator[tuple[str, str]]:
        yield from self._iou.problems()

    def for_consistency(self) -> Self:
        """Return an evaluator that looks for the boxes of both answers at the same path."""
        return type(self).model_validate(dict(self) | {"expected_bbox_path": None})

    def warnings(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        yield from find_malformed_paths(bbox_path=self.bbox_path, expected_bbox_path=self.expected_bbox_path)
        yield from (((key,), what) for key, what in self._iou.warnings())

    def truths(self) -> Iterator[Truth]:
        yield collect_path(*self._places.expected_option("bbox_path"), self._iou.explain_unreadable, self._list_boxes)

    def list_rules(self, read_expected: ReadExpected) -> Iterator[FieldRule]:  # noqa: ARG002  the options say it all
        passes = "the score is the IoU" if self.threshold is None else f"IoU ≥ {self.threshold:.10g}"
        options = {
            "format": self.format,
            "threshold": self.threshold,
            "matching": self.matching,
            "polygon": self.polygon,
        }
        facts: dict[str, Any] = {"share": 1.0, "place": ("bbox_path",)}
        if self.threshold is not None:
            facts["match"] = self._iou.model_copy(update={"threshold": self.threshold})
        yield FieldRule(self.bbox_path, "iou", f"{passes} ({self.format})", options, **facts)

    def _list_boxes(self, value: list[Any]) -> list[Any]:
        return [value] if self._is_box(value) else value

    def _apply_threshold(self, comparison: Comparison) -> Comparison:
        """Decide whether a pair of boxes matches. It comes after the pairing, because boxes pair by overlap alone."""
        is_decided = comparison.role != "leaf" or comparison.note or comparison.outcome not in ("match", "mismatch")
        if self.threshold is None or is_decided:
            return comparison
        is_match = comparison.similarity >= self.threshold - SLACK
        return comparison._replace(outcome="match" if is_match else "mismatch")

    def _conclude(self, score: Score, batch: Batch) -> Score:
        boxes = f"{batch.size} box{'' if batch.size == 1 else 'es'}"
        reasoning = f"{self.aggregation} IoU {score.score:.3f} over {boxes}"
        details = {"format": self.format, **self._places.details, **(score.details or {})}
        if self.threshold is None:
            return score._replace(reasoning=reasoning, details=details)
        verdict: VerdictName = "pass" if score.score >= self.threshold - SLACK else "fail"
        return score._replace(reasoning=reasoning, details=details | precision_and_recall(score), verdict=verdict)

    def _describe_pair(self, expected: Any, actual: Any) -> dict[str, Any]:
        common, union = self._iou.overlap(expected, actual)
        iou = self._iou.similarity(expected, actual)
        return {"iou": round(iou, 6), "intersection": round(common, 6), "union": round(union, 6)}

    def _is_box(self, value: Any) -> bool:
        return is_box(value, self.format)

    @cached_property
    def _iou(self) -> Iou:
        return Iou(format=self.format, polygon=self.polygon, threshold=0.0)

    @cached_property
    def _leaf(self) -> Leaf:
        return compile_leaf(self._iou)._replace(passes_at=math.ulp(0.0))

    @cached_property
    def _places(self) -> PathPair:
        return pair_paths(self.bbox_path, self.expected_bbox_path)
