"""Expected objects and detections → their matches under every criterion of COCO, and in the case."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from agentv_py.comparison.coco_thresholds import (
    ALL_CRITERIA,
    CASE_CRITERION,
    EACH_OVERLAP,
    EACH_SIZE,
    OVERLAP_COUNT,
    OVERLAPS,
    SIZES,
)
from agentv_py.comparison.matchers.iou import box_covers, box_ious
from agentv_py.comparison.readers.detection import ImageObject

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix

Neighbours = list[tuple[float, int]]
"""The overlap and the index of each expected object that a detection may match."""

_PAIRS_AT_ONCE = 1_000_000
# The number of overlaps that are reached → the criteria with these overlaps.
_REACHED = [((1 << steps) - 1) * EACH_SIZE for steps in range(OVERLAP_COUNT + 1)]


class DetectionMatch(NamedTuple):
    """The criteria under which a detection is a match, and those under which it does not count."""

    matched: int
    ignored: int
    partner: int | None = None
    """The index of the expected object that it matches in the case."""
    overlap: float = 0.0


def list_criteria(detected: ImageObject) -> int:
    """Return the criteria under which an object counts. If its size is unreadable, only the size `all` counts."""
    if detected.crowd:
        return 0
    criteria, area = CASE_CRITERION, detected.area
    for number, (least, most) in enumerate(SIZES.values()):
        if least <= area <= most or (number == 0 and math.isnan(area)):
            criteria |= EACH_OVERLAP << number * OVERLAP_COUNT
    return criteria


def order_by_confidence(detections: Sequence[ImageObject]) -> list[int]:
    """Return the indexes of the detections, by falling confidence; equal ones keep their order."""
    return sorted(range(len(detections)), key=lambda index: detections[index].confidence, reverse=True)


def match_detections(
    truths: Sequence[ImageObject], detections: Sequence[ImageObject], order: Sequence[int], least: float
) -> list[DetectionMatch]:
    """Match the detections in this order; `least` is the overlap that a match in the case needs."""
    neighbours = _find_neighbours(truths, detections, min(least, OVERLAPS[0]))
    criteria = [list_criteria(truth) for truth in truths]
    free = [-1 if truth.crowd else ALL_CRITERIA | CASE_CRITERION for truth in truths]
    matches = [DetectionMatch(0, ~list_criteria(detection) & ALL_CRITERIA) for detection in detections]
    for index in order:
        if index in neighbours:
            matches[index] = _match(neighbours[index], criteria, free, matches[index].ignored, least)
    return matches


def _match(
    neighbours: Neighbours, criteria: Sequence[int], free: list[int], outside: int, least: float
) -> DetectionMatch:
    """Under each criterion, match the free object with the highest overlap, objects that count there first."""
    left, matched, ignored, partner, best = ALL_CRITERIA | CASE_CRITERION, 0, 0, None, 0.0
    neighbours.sort(reverse=True)  # among equals COCO takes the last
    for counts in (True, False):
        for overlap, index in neighbours:
            reached = _REACHED[bisect_right(OVERLAPS, overlap)] | (CASE_CRITERION if overlap >= least else 0)
            taken = left & reached & free[index] & (criteria[index] if counts else ~criteria[index])
            if not taken:
                continue
            left ^= taken
            matched |= taken
            if free[index] > 0:  # a crowd stays free, because it is many objects
                free[index] ^= taken
            if not counts:
                ignored |= taken
            elif taken & CASE_CRITERION:
                partner, best = index, overlap
    return DetectionMatch(matched, ignored | (outside & ~matched), partner, best)


def _find_neighbours(
    truths: Sequence[ImageObject], detections: Sequence[ImageObject], least: float
) -> dict[int, Neighbours]:
    """Return for each detection the objects of its label that overlap it enough."""
    import numpy as np

    neighbours: dict[int, Neighbours] = {}
    if not truths:
        return neighbours
    codes: dict[Any, int] = {}
    labels = np.array([codes.setdefault(truth.label, len(codes)) for truth in truths])
    height = max(1, _PAIRS_AT_ONCE // len(truths))
    for top in range(0, len(detections), height):
        band = detections[top : top + height]
        overlaps = _measure_overlaps(truths, band)
        same_label = np.array([codes.get(detection.label, -1) for detection in band])[:, None] == labels
        rows, columns = np.nonzero((overlaps >= least) & (overlaps > 0.0) & same_label)
        for row, column, overlap in zip(rows.tolist(), columns.tolist(), overlaps[rows, columns].tolist(), strict=True):
            neighbours.setdefault(top + row, []).append((overlap, column))
    return neighbours


def _measure_overlaps(truths: Sequence[ImageObject], detections: Sequence[ImageObject]) -> "Matrix":
    boxes = [detection.box for detection in detections]
    overlaps = box_ious(boxes, [truth.box for truth in truths])
    crowds = [index for index, truth in enumerate(truths) if truth.crowd]
    if crowds:  # one object in a crowd covers little of it, so the share that the crowd covers of the object counts
        overlaps[:, crowds] = box_covers(boxes, [truths[index].box for index in crowds])
    return overlaps
