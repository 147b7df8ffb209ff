"""Objects found in an image → which expected objects they are, their F1, and the data of COCO's figures."""

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, ClassVar, Literal, Self

from pydantic import Field

from agentv_py.case import ABSENT, Case
from agentv_py.comparison.coco_matching import DetectionMatch, list_criteria, match_detections, order_by_confidence
from agentv_py.comparison.coco_thresholds import CASE_CRITERION, MOST_DETECTIONS, OVERLAP_COUNT, SIZES
from agentv_py.comparison.comparison import Comparison, build_full_match, is_empty
from agentv_py.comparison.counts import count_outcomes, quality, sum_counts
from agentv_py.comparison.field_rule import FieldRule
from agentv_py.comparison.mismatch import describe_mismatches, split_hits_and_misses
from agentv_py.comparison.path_pair import PathPair, find_malformed_paths, pair_paths
from agentv_py.comparison.readers.box import BoxFormat
from agentv_py.comparison.readers.detection import ImageObject, read_detection, read_truth
from agentv_py.comparison.scoring import MOST_PAIRS
from agentv_py.comparison.truth import Truth
from agentv_py.comparison.truth.build import collect_path
from agentv_py.evaluators.base import Evaluator, ReadExpected
from agentv_py.options import Share
from agentv_py.score import SLACK, Score

Comparisons = list[tuple[ImageObject, Comparison]]
"""Each object, expected or found, with its comparison."""


class Detection(Evaluator):
    type: Literal["detection"]
    path: str = Field("$", min_length=1, description="Where the list of objects is in the candidate.")
    expected_path: str | None = Field(None, min_length=1, description="In the expected value. Default: the same.")
    format: BoxFormat = Field("xywh", description="What the numbers of a box are; an object says so by its keys.")
    iou_threshold: Share = Field(0.5, description="The least overlap of a match in a case.")
    min_confidence: float = Field(
        0.0, allow_inf_nan=False, description="What is less sure does not count in a case; COCO's figures know all."
    )

    # The figures of a report need the labels and the confidences in `coco`.
    harmless_details: ClassVar[frozenset[str]] = Evaluator.harmless_details | {
        "format", "paths", "matches", "matches_omitted", "coco", "precision", "recall", "f1"
    }  # fmt: skip

    def evaluate(self, case: Case) -> Score:
        values = self._places.values(case)
        if isinstance(values, Score):
            return values
        expected, actual = (_list_objects(value) for value in values)
        truths = [read_truth(value, self.format) for value in expected]
        detections = [read_detection(value, self.format) for value in actual]
        order = order_by_confidence(detections)
        coco = match_detections(truths, detections, order, self.iou_threshold - SLACK)
        matches = self._pick_matches(detections, coco)
        compared = [*self._compare_truths(truths, matches, expected), *self._compare_surplus(detections, coco, actual)]
        return self._make_score(compared, matches, _describe_for_coco(truths, detections, coco, order))

    def for_consistency(self) -> Self:
        """Return an evaluator that looks for the objects of both answers at the same path."""
        return type(self).model_validate(dict(self) | {"expected_path": None})

    def warnings(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        yield from find_malformed_paths(path=self.path, expected_path=self.expected_path)

    def truths(self) -> Iterator[Truth]:
        def explain(value: Any) -> str:
            return read_truth(value, self.format).note

        yield collect_path(*self._places.expected_option("path"), explain, list)

    def list_rules(self, read_expected: ReadExpected) -> Iterator[FieldRule]:  # noqa: ARG002  the options say it all
        passes = f"same label, and IoU ≥ {self.iou_threshold:.10g} ({self.format})"
        if self.min_confidence:
            passes += f", confidence ≥ {self.min_confidence:.10g}"
        yield FieldRule(f"{self._places.path}[]", "detection", passes, share=1.0, place=("path",))

    def _pick_matches(
        self, detections: Sequence[ImageObject], coco: Sequence[DetectionMatch]
    ) -> dict[int, tuple[int, float]]:
        """Return, by the index of an expected object, the index of the detection that matches it, and their overlap."""
        return {
            answer.partner: (index, round(answer.overlap, 6))
            for index, answer in enumerate(coco)
            if answer.partner is not None and detections[index].confidence >= self.min_confidence
        }

    def _compare_truths(
        self, truths: Sequence[ImageObject], matches: dict[int, Any], values: Sequence[Any]
    ) -> Comparisons:
        path = self._places.path
        return [
            (truth, build_full_match(f"{path}[{index}]") if index in matches else
             Comparison("missing", f"{path}[{index}]", 0.0, 0.0, truth.note or "missing", values[index], ABSENT))
            for index, truth in enumerate(truths)
            if index in matches or not truth.crowd
        ]  # fmt: skip

    def _compare_surplus(
        self, detections: Sequence[ImageObject], coco: Sequence[DetectionMatch], values: Sequence[Any]
    ) -> Comparisons:
        path = self._places.path
        return [
            (
                extra,
                Comparison("extra", f"{path}[+{index}]", 0.0, 0.0, extra.note or "unexpected", ABSENT, values[index]),
            )
            for index, extra in enumerate(detections)
            if not coco[index].matched & CASE_CRITERION and (extra.note or extra.confidence >= self.min_confidence)
        ]

    def _make_score(
        self, compared: Comparisons, matches: dict[int, tuple[int, float]], coco: list[dict[str, Any]]
    ) -> Score:
        comparisons = [comparison for _, comparison in compared]
        metrics = {label: sum_counts(count_outcomes(of).values()) for label, of in _group_by_label(compared).items()}
        counts = sum_counts(metrics.values())
        figures = quality(counts)
        pairs = [[index, *matches[index]] for index in sorted(matches)]
        details: dict[str, Any] = {"format": self.format} | self._places.details
        details |= {"matches": pairs[:MOST_PAIRS], "metrics": metrics, "coco": coco}
        if len(pairs) > MOST_PAIRS:
            details["matches_omitted"] = len(pairs) - MOST_PAIRS
        hits, misses, wrong = split_hits_and_misses(comparisons)
        details |= {"precision": figures.precision, "recall": figures.recall, "f1": figures.f1} | describe_mismatches(
            wrong
        )
        reasoning = f"{counts['tp']} of {counts['tp'] + counts['fn']} objects found, {counts['fp']} too many"
        score = figures.f1 or (0.0 if compared else 1.0)
        return Score(score, tuple(hits), tuple(misses), reasoning, details)

    @cached_property
    def _places(self) -> PathPair:
        return pair_paths(self.path, self.expected_path)


def _list_objects(value: Any) -> list[Any]:
    if is_empty(value):
        return []
    return value if isinstance(value, list) else [value]


def _group_by_label(compared: Comparisons) -> dict[str, list[Comparison]]:
    groups: dict[str, list[Comparison]] = {}
    for detected, comparison in compared:
        groups.setdefault("(no label)" if detected.label is None else str(detected.label), []).append(comparison)
    return groups


def _describe_for_coco(
    truths: Sequence[ImageObject],
    detections: Sequence[ImageObject],
    coco: Sequence[DetectionMatch],
    order: Sequence[int],
) -> list[dict[str, Any]]:
    """Return for each label the number of objects of each size, and the matches of each detection, surest first."""
    labels: dict[Any, dict[str, Any]] = {}
    for detected in (*truths, *detections):
        labels.setdefault(
            detected.label,
            {"label": detected.label, "objects": [0] * len(SIZES), "confidence": [], "matched": [], "ignored": []},
        )
    for truth in truths:
        asked, objects = list_criteria(truth), labels[truth.label]["objects"]
        for number in range(len(SIZES)):
            objects[number] += asked >> number * OVERLAP_COUNT & 1
    for index in order:
        entry = labels[detections[index].label]
        if len(entry["confidence"]) < MOST_DETECTIONS and detections[index].confidence > -math.inf:
            entry["confidence"].append(detections[index].confidence)
            entry["matched"].append(coco[index].matched & ~CASE_CRITERION)
            entry["ignored"].append(coco[index].ignored & ~CASE_CRITERION)
    return list(labels.values())
