"""What was found in many images → COCO's twelve figures: one fold, an image at a time."""

import math
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agentv_py.comparison.coco_thresholds import MOST_FOUND, OVERLAPS, QUESTIONS, SIZES, STEPS
from agentv_py.report.summary import Summary

if TYPE_CHECKING:
    import numpy as np

    Bits = np.ndarray[tuple[int, int], np.dtype[np.bool_]]

PRECISIONS = ("AP", "AP50", "AP75", "AP_small", "AP_medium", "AP_large")
RECALLS = ("AR1", "AR10", "AR100", "AR_small", "AR_medium", "AR_large")
FIGURES = PRECISIONS + RECALLS

Figures = dict[str, float | None]


@dataclass(slots=True)
class Label:
    """All detections of one label, in the order of the images, and how many objects of each size there are."""

    objects: list[int] = field(default_factory=lambda: [0] * len(SIZES))
    confidence: "array[float]" = field(default_factory=lambda: array("d"))
    matched: "array[int]" = field(default_factory=lambda: array("Q"))
    ignored: "array[int]" = field(default_factory=lambda: array("Q"))
    rank: "array[int]" = field(default_factory=lambda: array("B"))
    """How many of its image are surer."""

    def extend(self, other: "Label") -> None:
        self.objects = [mine + theirs for mine, theirs in zip(self.objects, other.objects, strict=True)]
        self.confidence.extend(other.confidence)
        self.matched.extend(other.matched)
        self.ignored.extend(other.ignored)
        self.rank.extend(other.rank)


@dataclass(slots=True)
class Detections:
    labels: dict[Any, Label] = field(default_factory=dict)

    def add(self, coco: Any) -> None:
        """Count an image: what the evaluator says of it under `coco`."""
        for entry in coco if isinstance(coco, list) else ():
            label = _read(entry)
            if label is not None:
                self.labels.setdefault(entry["label"], Label()).extend(label)

    def merge(self, other: "Detections") -> None:
        for name, label in other.labels.items():
            self.labels.setdefault(name, Label()).extend(label)

    def figures(self) -> Figures:
        """COCO's figures; None where there is no object to find."""
        found: dict[str, list[float]] = {name: [] for name in FIGURES}
        for label in self.labels.values():
            for name, figure in _figures(label):
                found[name].append(figure)
        return {name: math.fsum(each) / len(each) if each else None for name, each in found.items()}


def detection(summary: Summary) -> dict[str, Figures]:
    """The figures of each evaluator that has any."""
    found = ((one.name, one.detections) for one in summary.evaluators.values())
    return {name: detections.figures() for name, detections in found if detections is not None}


def _read(entry: Any) -> Label | None:
    """What stands in a results file may be anything; None where it is not an image's answer."""
    try:
        confidence, matched, ignored = entry["confidence"], entry["matched"], entry["ignored"]
        count, objects = len(confidence), entry["objects"]
        label = Label(objects, array("d", confidence), array("Q", matched), array("Q", ignored), _RANKS[:count])
        hash(entry["label"])
    except (TypeError, KeyError, OverflowError, ValueError):
        return None
    if not _are_counts(objects) or not count == len(matched) == len(ignored) <= MOST_FOUND:
        return None
    return label if max((*matched, *ignored, 0)) <= QUESTIONS and all(map(math.isfinite, confidence)) else None


def _are_counts(objects: Any) -> bool:
    whole = isinstance(objects, list) and len(objects) == len(SIZES)
    return whole and all(type(number) is int and 0 <= number < 2**31 for number in objects)


_RANKS = array("B", range(MOST_FOUND))


def _figures(label: Label) -> Iterator[tuple[str, float]]:
    """Of one label, those that there are objects for."""
    import numpy as np

    order = np.argsort(-np.array(label.confidence), kind="stable")
    matched, ignored = (np.array(bits, dtype=np.uint64)[order] for bits in (label.matched, label.ignored))
    rank = np.array(label.rank)[order]
    for number, size in enumerate(SIZES):
        objects = label.objects[number]
        if not objects:
            continue
        counted = ~_bits(ignored, number)
        right = _bits(matched, number) & counted
        precision = _precision(right, counted, objects)
        recall = right.sum(axis=1) / objects
        suffix = "" if size == "all" else f"_{size}"
        yield f"AP{suffix}", float(precision.mean())
        yield f"AR{suffix or MOST_FOUND}", float(recall.mean())
        if size == "all":
            yield "AP50", float(precision[OVERLAPS.index(0.5)])
            yield "AP75", float(precision[OVERLAPS.index(0.75)])
            yield from ((f"AR{most}", float(right[:, rank < most].sum(axis=1).mean() / objects)) for most in (1, 10))


def _bits(numbers: Any, size: int) -> "Bits":
    """A row for each overlap."""
    import numpy as np

    places = np.arange(size * STEPS, (size + 1) * STEPS, dtype=np.uint64)
    bits: Bits = (numbers >> places[:, None] & np.uint64(1)).astype(bool)
    return bits


def _precision(right: "Bits", counted: "Bits", objects: int) -> Any:
    """For each overlap the mean, over a hundred and one recalls, of the best precision at that recall or beyond."""
    import numpy as np

    found = np.cumsum(right, axis=1)
    precision = found / np.maximum(np.cumsum(counted, axis=1), 1)
    best = np.maximum.accumulate(precision[:, ::-1], axis=1)[:, ::-1]
    best = np.concatenate([best, np.zeros((len(best), 1))], axis=1)  # a recall that is never reached
    wanted = np.linspace(0.0, 1.0, 101)
    places = [np.searchsorted(line, wanted) for line in found / objects]
    return np.take_along_axis(best, np.array(places), axis=1).mean(axis=1)
