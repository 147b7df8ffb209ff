"""Two boxes or polygons → their common area, divided by the area that they cover together."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.matchers.base import Match, explain_failure
from agentv_py.comparison.readers import polygon
from agentv_py.comparison.readers.box import NOWHERE, Box, BoxFormat, read_box, read_corners
from agentv_py.options import Share
from agentv_py.score import SLACK

if TYPE_CHECKING:
    from agentv_py.comparison.gap import Gap
    from agentv_py.comparison.matchers.base import Matrix

PolygonArea = Literal["bounding_box", "exact"]

# A float may round a larger integer, and boxes are compared as floats.
_FAR = 2**53
# This many pairs fit into the caches of a processor.
_PAIRS_AT_ONCE = 32_768


class Iou(Match):
    """Boxes or polygons that overlap enough; the overlap is also the score."""

    match: Literal["iou"] = "iou"
    format: BoxFormat = Field("xyxy", description="What the numbers of a box are; an object says so by its keys.")
    threshold: Share = Field(0.5, description="The least overlap that passes.")
    polygon: PolygonArea = Field("bounding_box", description="exact: the polygon's own area; needs the extra geometry.")

    graded = True

    @property
    def passes_at(self) -> float:
        return self.threshold - SLACK

    @property
    def reads_lists(self) -> bool:
        return True

    @property
    def box_format(self) -> str:
        return self.format

    @property
    def exact(self) -> bool:
        return self.format == "polygon" and self.polygon == "exact"

    def similarity(self, expected: Any, actual: Any) -> float:
        if self.format != "polygon":
            iou = _compute_plain_iou(expected, actual, sized=self.format == "xywh")
            if iou is not None:
                return iou
        elif self.exact:
            common, union = self.overlap(expected, actual)
            return min(1.0, common / union) if union else 0.0
        return box_iou(read_box(expected, self.format), read_box(actual, self.format))

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        if self.exact:
            return polygon.measure_ious(
                *([_read_polygon(value) for value in values] for values in (expecteds, actuals))
            )
        return box_ious(*([self._read_edges(value) for value in values] for values in (expecteds, actuals)))

    def overlap(self, expected: Any, actual: Any) -> tuple[float, float]:
        """Return the area that two boxes share, and the area that they cover together. Raises Incomparable."""
        if not self.exact:
            return box_overlap(read_box(expected, self.format), read_box(actual, self.format))
        left, right = (polygon.build_polygon(read_corners(value)) for value in (expected, actual))
        return polygon.measure_overlap(left, right)

    def describe_rule(self) -> str:
        area = ", exact area" if self.exact else ""
        return f"IoU ≥ {self.threshold:.10g} ({self.format}{area})"

    def explain_gap(self, expected: Any, actual: Any, similarity: float) -> "Gap":  # noqa: ARG002  it is measured already
        from agentv_py.comparison.gap import describe_similarity

        return describe_similarity(similarity, self.threshold, "IoU")

    def explain_unreadable(self, value: Any) -> str:
        if self.exact:  # without the library, `problems` says so
            read = (
                (lambda corners: polygon.build_polygon(read_corners(corners))) if polygon.is_ready() else read_corners
            )
            return explain_failure(read, value)
        return explain_failure(lambda box: read_box(box, self.format), value)

    def problems(self) -> Iterator[tuple[str, str]]:
        if self.exact and not polygon.is_ready():
            yield "polygon", f"exact {polygon.MISSING}"

    def warnings(self) -> Iterator[tuple[str, str]]:
        if self.polygon == "exact" and self.format != "polygon":
            yield "polygon", f"polygon: exact says nothing about boxes of the format {self.format!r}"

    def _read_edges(self, value: Any) -> Box:
        try:
            return read_box(value, self.format)
        except Incomparable:
            return NOWHERE


def _read_polygon(value: Any) -> Any:
    """Return a polygon, or None if it cannot be read."""
    try:
        return polygon.build_polygon(read_corners(value))
    except Incomparable:
        return None


def _compute_plain_iou(expected: Any, actual: Any, *, sized: bool) -> float | None:
    """Return the IoU of two lists of four numbers, the usual case; None for any other values."""
    try:
        left, top, right, bottom = expected
        start, upper, end, lower = actual
    except (TypeError, ValueError):
        return None
    kind, other = type(left), type(start)
    if not ((kind is float or kind is int) and kind is type(top) is type(right) is type(bottom)):
        return None
    if not ((other is float or other is int) and other is type(upper) is type(end) is type(lower)):
        return None
    if sized:
        right, bottom, end, lower = left + right, top + bottom, start + end, upper + lower
    if not (left <= right and top <= bottom and start <= end and upper <= lower):
        return None
    if kind is int and not (left > -_FAR and top > -_FAR and right < _FAR and bottom < _FAR):
        return None
    if other is int and not (start > -_FAR and upper > -_FAR and end < _FAR and lower < _FAR):
        return None
    areas: float = (right - left) * (bottom - top) + (end - start) * (lower - upper)
    if not 0.0 < areas < math.inf:
        return None
    # Calls of min and max would cost more than the rest of the function.
    across = (end if end < right else right) - (start if start > left else left)  # noqa: FURB136  the calls cost too much
    down = (lower if lower < bottom else bottom) - (upper if upper > top else top)  # noqa: FURB136  the calls cost too much
    common: float = across * down if across > 0 and down > 0 else 0.0
    return common / (areas - common)


def box_iou(left: Box, right: Box) -> float:
    common, union = box_overlap(left, right)
    if 0.0 < union < math.inf:
        return common / union
    # The areas exceed every float. In units of the larger width and the larger height they are numbers up to 1.
    across, down = ([side / (max(sides) or 1.0) for side in sides] for sides in _measure_sides(left, right))
    common, union = _multiply_sides(across, down)
    return common / union if union else 0.0


def box_overlap(left: Box, right: Box) -> tuple[float, float]:
    return _multiply_sides(*_measure_sides(left, right))


def box_ious(left: Sequence[Box], right: Sequence[Box]) -> "Matrix":
    """Return the IoU of all pairs; NaN if a box cannot be read."""
    import numpy as np

    with np.errstate(all="ignore"):
        ious, are_finite = _compute_ious(np.array(left), np.array(right))
    for row, column in () if are_finite else np.argwhere(np.isnan(ious)).tolist():
        if left[row] is not NOWHERE and right[column] is not NOWHERE:
            ious[row, column] = box_iou(left[row], right[column])
    return ious


def box_covers(left: Sequence[Box], right: Sequence[Box]) -> "Matrix":
    """Return the share of each left box that each right box covers; NaN if the left box cannot be read."""
    import numpy as np

    edges = np.array(left)
    with np.errstate(all="ignore"):
        area = (edges[:, 2] - edges[:, 0]) * (edges[:, 3] - edges[:, 1])
        covers = measure_overlaps(edges, np.array(right))[0] / area[:, None]
    for row in np.flatnonzero((area == 0.0) | np.isinf(area)).tolist():
        covers[row] = [_compute_cover(left[row], other) for other in right]
    return np.asarray(covers)


def _compute_cover(left: Box, right: Box) -> float:
    """Return the covered share, computed without an area, which may exceed every float."""
    (width, _, across), (height, _, down) = _measure_sides(left, right)
    return across / width * (down / height) if width and height else 0.0


def measure_overlaps(left: "Matrix", right: "Matrix", room: Any = None) -> tuple["Matrix", "Matrix"]:
    """Return the common areas and the covered areas of all pairs; `room` is memory for three such matrices."""
    import numpy as np

    starts, tops, ends, bottoms = np.ascontiguousarray(right.T)
    start, top, end, bottom = left.T[:, :, None]
    common, across, union = np.empty((3, len(left), len(right))) if room is None else room[:, : len(left)]
    for side, low, lows, high, highs in ((across, start, starts, end, ends), (common, top, tops, bottom, bottoms)):
        np.minimum(high, highs, out=side)
        np.subtract(side, np.maximum(low, lows, out=union), out=side)
        np.maximum(side, 0.0, out=side)
    common *= across
    np.add((end - start) * (bottom - top), (ends - starts) * (bottoms - tops), out=union)
    union -= common
    return common, union


def _compute_ious(left: "Matrix", right: "Matrix") -> tuple["Matrix", bool]:
    """Return the IoU of all pairs, and whether floats hold all areas; NaN for a pair whose areas exceed every float."""
    import numpy as np

    ious = np.empty((len(left), len(right)))
    height = max(1, _PAIRS_AT_ONCE // len(right))
    room = np.empty((3, min(height, len(left)), len(right)))
    for top in range(0, len(left), height):
        common, union = measure_overlaps(left[top : top + height], right, room)
        np.divide(common, union, out=ious[top : top + height])
    area, other = ((side[:, 2] - side[:, 0]) * (side[:, 3] - side[:, 1]) for side in (left, right))
    if area.min() > 0.0 and other.min() > 0.0 and area.max() + other.max() < math.inf:
        return ious, True
    ious[np.isinf(area[:, None] + other)] = np.nan
    # Two boxes without an area have no overlap.
    ious[np.ix_(*((side[:, 2] == side[:, 0]) | (side[:, 3] == side[:, 1]) for side in (left, right)))] = 0.0
    return ious, False


def _measure_sides(left: Box, right: Box) -> Iterator[tuple[float, float, float]]:
    """Yield widths, then heights: of the first box, of the second, and of their common part."""
    for start, end in ((0, 2), (1, 3)):
        common = min(left[end], right[end]) - max(left[start], right[start])
        yield left[end] - left[start], right[end] - right[start], max(0.0, common)


def _multiply_sides(across: Sequence[float], down: Sequence[float]) -> tuple[float, float]:
    first, second, common = (width * height for width, height in zip(across, down, strict=True))
    return common, first + second - common
