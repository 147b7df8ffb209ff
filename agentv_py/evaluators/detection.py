"""Objects found in an image → which of those expected they are, their F1, and what COCO's figures need of it."""

import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any, Literal, Self

from pydantic import Field

from agentv_py.case import ABSENT, Case
from agentv_py.comparison.coco_matching import Answer, answers, asked_of, surest_first
from agentv_py.comparison.coco_thresholds import IN_CASE, MOST_FOUND, SIZES, STEPS
from agentv_py.comparison.comparison import Comparison, is_empty, matched
from agentv_py.comparison.counts import count, micro, quality
from agentv_py.comparison.path_pair import Places, malformed, places
from agentv_py.comparison.paths import ROOT
from agentv_py.comparison.readers.box import BoxFormat
from agentv_py.comparison.readers.detection import Detected, read_found, read_truth
from agentv_py.comparison.scoring import MOST_PAIRS, mismatches, sorted_out
from agentv_py.evaluators.base import Evaluator
from agentv_py.options import Share
from agentv_py.score import SLACK, Score

Judged = list[tuple[Detected, Comparison]]


class Detection(Evaluator):
    type: Literal["detection"]
    path: str = Field("$", min_length=1, description="Where the list of objects is in the candidate.")
    expected_path: str | None = Field(None, min_length=1, description="In the expected value. Default: the same.")
    format: BoxFormat = Field("xywh", description="What the numbers of a box are; an object says so by its keys.")
    iou_threshold: Share = Field(0.5, description="The least overlap of a match in a case.")
    min_confidence: float = Field(
        0.0, allow_inf_nan=False, description="What is less sure does not count in a case; COCO's figures know all."
    )

    def evaluate(self, case: Case) -> Score:
        values = self._places.values(case)
        if isinstance(values, Score):
            return values
        expected, actual = (_objects(value) for value in values)
        truths = [read_truth(one, self.format) for one in expected]
        found = [read_found(one, self.format) for one in actual]
        order = surest_first(found)
        said = answers(truths, found, order, self.iou_threshold - SLACK)
        matches = self._matches(found, said)
        judged = [*self._truths(truths, matches, expected), *self._surplus(found, said, actual)]
        return self._told(judged, matches, _coco(truths, found, said, order))

    def between_answers(self) -> Self:
        """Two answers have theirs in the same place."""
        return type(self).model_validate(dict(self) | {"expected_path": None})

    def doubts(self) -> Iterator[tuple[tuple[str | int, ...], str]]:
        yield from malformed(path=self.path, expected_path=self.expected_path)

    def _matches(self, found: Sequence[Detected], said: Sequence[Answer]) -> dict[int, tuple[int, float]]:
        """By the expected object's index: that of the one that found it, and how well."""
        return {
            answer.partner: (index, round(answer.overlap, 6))
            for index, answer in enumerate(said)
            if answer.partner is not None and found[index].confidence >= self.min_confidence
        }

    def _truths(self, truths: Sequence[Detected], matches: dict[int, Any], values: Sequence[Any]) -> Judged:
        path = self._places.path
        return [
            (truth, matched(f"{path}[{index}]") if index in matches else
             Comparison("missing", f"{path}[{index}]", 0.0, 0.0, truth.note or "missing", values[index], ABSENT))
            for index, truth in enumerate(truths)
            if index in matches or not truth.crowd
        ]  # fmt: skip

    def _surplus(self, found: Sequence[Detected], said: Sequence[Answer], values: Sequence[Any]) -> Judged:
        path = self._places.path
        return [
            (one, Comparison("extra", f"{path}[+{index}]", 0.0, 0.0, one.note or "unexpected", ABSENT, values[index]))
            for index, one in enumerate(found)
            if not said[index].matched & IN_CASE and (one.note or one.confidence >= self.min_confidence)
        ]

    def _told(self, judged: Judged, matches: dict[int, tuple[int, float]], coco: list[dict[str, Any]]) -> Score:
        comparisons = [comparison for _, comparison in judged]
        metrics = {label: micro(count(of).values()) for label, of in _by_label(judged).items()}
        counts = micro(metrics.values())
        found = quality(counts)
        pairs = [[index, *matches[index]] for index in sorted(matches)]
        details: dict[str, Any] = {"format": self.format} | self._places.told
        details |= {"matches": pairs[:MOST_PAIRS], "metrics": metrics, "coco": coco}
        if len(pairs) > MOST_PAIRS:
            details["matches_omitted"] = len(pairs) - MOST_PAIRS
        hits, misses, wrong = sorted_out(comparisons)
        details |= {"precision": found.precision, "recall": found.recall, "f1": found.f1} | mismatches(wrong)
        reasoning = f"{counts['tp']} of {counts['tp'] + counts['fn']} objects found, {counts['fp']} too many"
        score = found.f1 or (0.0 if judged else 1.0)
        labelled = (self._places.path or ROOT,)  # counts go by label, so this tells that the path is labelled
        return Score(score, tuple(hits), tuple(misses), reasoning, details, optional=labelled)

    @cached_property
    def _places(self) -> Places:
        return places(self.path, self.expected_path)


def _objects(value: Any) -> list[Any]:
    if is_empty(value):
        return []
    return value if isinstance(value, list) else [value]


def _by_label(judged: Judged) -> dict[str, list[Comparison]]:
    found: dict[str, list[Comparison]] = {}
    for one, comparison in judged:
        found.setdefault("(no label)" if one.label is None else str(one.label), []).append(comparison)
    return found


def _coco(
    truths: Sequence[Detected], found: Sequence[Detected], said: Sequence[Answer], order: Sequence[int]
) -> list[dict[str, Any]]:
    """For each label how many objects there are of each size, and for each detection, the surest first, its answer."""
    labels: dict[Any, dict[str, Any]] = {}
    for one in (*truths, *found):
        labels.setdefault(
            one.label, {"label": one.label, "objects": [0] * len(SIZES), "confidence": [], "matched": [], "ignored": []}
        )
    for truth in truths:
        asked, objects = asked_of(truth), labels[truth.label]["objects"]
        for number in range(len(SIZES)):
            objects[number] += asked >> number * STEPS & 1
    for index in order:
        entry = labels[found[index].label]
        if len(entry["confidence"]) < MOST_FOUND and found[index].confidence > -math.inf:
            entry["confidence"].append(found[index].confidence)
            entry["matched"].append(said[index].matched & ~IN_CASE)
            entry["ignored"].append(said[index].ignored & ~IN_CASE)
    return list(labels.values())
