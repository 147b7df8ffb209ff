"""Detections in many images → COCO's twelve figures, one image at a time."""

import math
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agentv_py.comparison.coco_thresholds import ALL_CRITERIA, MOST_DETECTIONS, OVERLAP_COUNT, OVERLAPS, SIZES
from agentv_py.report.summary import Summary

if TYPE_CHECKING:
    import numpy as np

    Bits = np.ndarray[tuple[int, int], np.dtype[np.bool_]]

PRECISIONS = ("AP", "AP50", "AP75", "AP_small", "AP_medium", "AP_large")
RECALLS = ("AR1", "AR10", "AR100", "AR_small", "AR_medium", "AR_large")
FIGURES = PRECISIONS + RECALLS

Figures = dict[str, float | None]


@dataclass(slots=True)
class LabelDetections:
    """All detections of one label, in the order of the images, and the number of objects of each size."""

    objects: list[int] = field(default_factory=lambda: [0] * len(SIZES))
    confidence: "array[float]" = field(default_factory=lambda: array("d"))
    matched: "array[int]" = field(default_factory=lambda: array("Q"))
    ignored: "array[int]" = field(default_factory=lambda: array("Q"))
    rank: "array[int]" = field(default_factory=lambda: array("B"))
    """By detection: how many detections of its image have a higher confidence."""

    def extend(self, other: "LabelDetections") -> None:
        self.objects = [count + more for count, more in zip(self.objects, other.objects, strict=True)]
        self.confidence.extend(other.confidence)
        self.matched.extend(other.matched)
        self.ignored.extend(other.ignored)
        self.rank.extend(other.rank)


@dataclass(slots=True)
class Detections:
    labels: dict[Any, LabelDetections] = field(default_factory=dict)

    def add(self, coco: Any) -> None:
        """Add an image: what the evaluator writes under `details.coco`."""
        for entry in coco if isinstance(coco, list) else ():
            detections = _read_label(entry)
            if detections is not None:
                self.labels.setdefault(entry["label"], LabelDetections()).extend(detections)

    def merge(self, other: "Detections") -> None:
        for name, detections in other.labels.items():
            self.labels.setdefault(name, LabelDetections()).extend(detections)

    def figures(self) -> Figures:
        """Compute the mean of each figure over the labels; None where no label has an object of that size."""
        by_label: dict[str, list[float]] = {name: [] for name in FIGURES}
        for detections in self.labels.values():
            for name, figure in _compute_figures(detections):
                by_label[name].append(figure)
        return {name: math.fsum(each) / len(each) if each else None for name, each in by_label.items()}


def compute_detection_figures(summary: Summary) -> dict[str, Figures]:
    """Compute the figures of each evaluator that detects objects."""
    return {
        summary.name_evaluator(evaluator): evaluator.detections.figures()
        for evaluator in summary.evaluators
        if evaluator.detections is not None
    }


def _read_label(entry: Any) -> LabelDetections | None:
    """Read one label of an image; None where the entry is damaged, since a results file may hold anything."""
    try:
        confidence, matched, ignored = entry["confidence"], entry["matched"], entry["ignored"]
        count, objects = len(confidence), entry["objects"]
        detections = LabelDetections(
            objects, array("d", confidence), array("Q", matched), array("Q", ignored), _RANKS[:count]
        )
        hash(entry["label"])
    except (TypeError, KeyError, OverflowError, ValueError):
        return None
    if not _are_counts(objects) or not count == len(matched) == len(ignored) <= MOST_DETECTIONS:
        return None
    return detections if max((*matched, *ignored, 0)) <= ALL_CRITERIA and all(map(math.isfinite, confidence)) else None


def _are_counts(objects: Any) -> bool:
    whole = isinstance(objects, list) and len(objects) == len(SIZES)
    return whole and all(type(number) is int and 0 <= number < 2**31 for number in objects)


_RANKS = array("B", range(MOST_DETECTIONS))


def _compute_figures(label: LabelDetections) -> Iterator[tuple[str, float]]:
    """Compute the figures of one label, for those sizes that have objects."""
    import numpy as np

    order = np.argsort(-np.array(label.confidence), kind="stable")
    matched, ignored = (np.array(bits, dtype=np.uint64)[order] for bits in (label.matched, label.ignored))
    rank = np.array(label.rank)[order]
    for number, size in enumerate(SIZES):
        objects = label.objects[number]
        if not objects:
            continue
        counted = ~_unpack_bits(ignored, number)
        right = _unpack_bits(matched, number) & counted
        precision = _interpolate_precision(right, counted, objects)
        recall = right.sum(axis=1) / objects
        suffix = "" if size == "all" else f"_{size}"
        yield f"AP{suffix}", float(precision.mean())
        yield f"AR{suffix or MOST_DETECTIONS}", float(recall.mean())
        if size == "all":
            yield "AP50", float(precision[OVERLAPS.index(0.5)])
            yield "AP75", float(precision[OVERLAPS.index(0.75)])
            yield from ((f"AR{most}", float(right[:, rank < most].sum(axis=1).mean() / objects)) for most in (1, 10))


def _unpack_bits(numbers: Any, size: int) -> "Bits":
    """Return a row of bits for each overlap threshold."""
    import numpy as np

    shifts = np.arange(size * OVERLAP_COUNT, (size + 1) * OVERLAP_COUNT, dtype=np.uint64)
    bits: Bits = (numbers >> shifts[:, None] & np.uint64(1)).astype(bool)
    return bits


def _interpolate_precision(right: "Bits", counted: "Bits", objects: int) -> Any:
    """Return, for each overlap, the mean over 101 recalls of the best precision at that recall or a higher one."""
    import numpy as np

    true_positives = np.cumsum(right, axis=1)
    precision = true_positives / np.maximum(np.cumsum(counted, axis=1), 1)
    best = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    best = np.concatenate([best, np.zeros((len(best), 1))], axis=1)  # the precision at a recall that is never reached
    recalls = np.linspace(0.0, 1.0, 101)
    indexes = [np.searchsorted(reached, recalls) for reached in true_positives / objects]
    return np.take_along_axis(best, np.array(indexes), axis=1).mean(axis=1)
