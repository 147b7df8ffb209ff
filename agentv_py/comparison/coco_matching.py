"""Objects that are there and objects that were found → who was found, at every overlap and size COCO asks about."""

import math
from bisect import bisect_right
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from agentv_py.comparison.coco_thresholds import EACH_SIZE, EACH_STEP, IN_CASE, OVERLAPS, QUESTIONS, SIZES, STEPS
from agentv_py.comparison.matchers.iou import box_covers, box_ious
from agentv_py.comparison.readers.detection import Detected

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix

Near = list[tuple[float, int]]

_PAIRS_AT_ONCE = 1_000_000
_REACHED = [((1 << steps) - 1) * EACH_SIZE for steps in range(STEPS + 1)]


class Answer(NamedTuple):
    """Of one detection: the questions to which it is a match, and those in which it does not count."""

    matched: int
    ignored: int
    partner: int | None = None
    """The object it finds in its case."""
    overlap: float = 0.0


def asked_of(one: Detected) -> int:
    """The questions in which an object counts; what has no size that can be read counts where size does not matter."""
    if one.crowd:
        return 0
    asked, area = IN_CASE, one.area
    for number, (least, most) in enumerate(SIZES.values()):
        if least <= area <= most or (number == 0 and math.isnan(area)):
            asked |= EACH_STEP << number * STEPS
    return asked


def surest_first(found: Sequence[Detected]) -> list[int]:
    """Their indexes; of those that are equally sure the first comes first."""
    return sorted(range(len(found)), key=lambda index: found[index].confidence, reverse=True)


def answers(truths: Sequence[Detected], found: Sequence[Detected], order: Sequence[int], least: float) -> list[Answer]:
    """What becomes of each detection when they choose in this order; `least` is the overlap of a match in the case."""
    near = _candidates(truths, found, min(least, OVERLAPS[0]))
    asked = [asked_of(truth) for truth in truths]
    free = [-1 if truth.crowd else QUESTIONS | IN_CASE for truth in truths]
    said = [Answer(0, ~asked_of(one) & QUESTIONS) for one in found]
    for index in order:
        if index in near:
            said[index] = _answer(near[index], asked, free, said[index].ignored, least)
    return said


def _answer(near: Near, asked: Sequence[int], free: list[int], outside: int, least: float) -> Answer:
    """For each question the nearest free object that counts there is taken, and only then one that does not."""
    left, matched, ignored, partner, best = QUESTIONS | IN_CASE, 0, 0, None, 0.0
    near.sort(reverse=True)  # among equals COCO takes the last
    for counts in (True, False):
        for overlap, index in near:
            reached = _REACHED[bisect_right(OVERLAPS, overlap)] | (IN_CASE if overlap >= least else 0)
            taken = left & reached & free[index] & (asked[index] if counts else ~asked[index])
            if not taken:
                continue
            left ^= taken
            matched |= taken
            if free[index] > 0:  # a crowd never ends
                free[index] ^= taken
            if not counts:
                ignored |= taken
            elif taken & IN_CASE:
                partner, best = index, overlap
    return Answer(matched, ignored | (outside & ~matched), partner, best)


def _candidates(truths: Sequence[Detected], found: Sequence[Detected], least: float) -> dict[int, Near]:
    """For each detection the objects of its label that overlap it enough, and how much."""
    import numpy as np

    candidates: dict[int, Near] = {}
    if not truths:
        return candidates
    codes: dict[Any, int] = {}
    labels = np.array([codes.setdefault(truth.label, len(codes)) for truth in truths])
    height = max(1, _PAIRS_AT_ONCE // len(truths))
    for top in range(0, len(found), height):
        some = found[top : top + height]
        shares = _shares(truths, some)
        like = np.array([codes.get(one.label, -1) for one in some])[:, None] == labels
        rows, columns = np.nonzero((shares >= least) & (shares > 0.0) & like)
        for row, column, share in zip(rows.tolist(), columns.tolist(), shares[rows, columns].tolist(), strict=True):
            candidates.setdefault(top + row, []).append((share, column))
    return candidates


def _shares(truths: Sequence[Detected], found: Sequence[Detected]) -> "Matrix":
    boxes = [one.box for one in found]
    shares = box_ious(boxes, [truth.box for truth in truths])
    crowds = [index for index, truth in enumerate(truths) if truth.crowd]
    if crowds:  # whoever is in a crowd covers little of it, but it covers the one
        shares[:, crowds] = box_covers(boxes, [truths[index].box for index in crowds])
    return shares
