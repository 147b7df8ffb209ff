"""Two boxes or polygons → the share of their common area in what they cover together."""

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field

from agentv_py.comparison.matchers.base import Incomparable, Match
from agentv_py.comparison.readers import polygon
from agentv_py.comparison.readers.box import NOWHERE, Box, BoxFormat, read_box, read_corners
from agentv_py.options import Share
from agentv_py.score import SLACK

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix

PolygonArea = Literal["bounding_box", "exact"]

# Beyond this an integer may be larger than any float, and then a box of it is none.
_FAR = 2**1000
# As many pairs at once as the caches of a processor hold.
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
            found = _plain_iou(expected, actual, sized=self.format == "xywh")
            if found is not None:
                return found
        elif self.exact:
            common, union = self.overlap(expected, actual)
            return min(1.0, common / union) if union else 0.0
        return box_iou(read_box(expected, self.format), read_box(actual, self.format))

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        if self.exact:
            return polygon.measure_shares(*([_read_area(value) for value in values] for values in (expecteds, actuals)))
        return box_ious(*([self._edges(value) for value in values] for values in (expecteds, actuals)))

    def overlap(self, expected: Any, actual: Any) -> tuple[float, float]:
        """The area that two boxes share, and the area that they cover together. Raises Incomparable."""
        if not self.exact:
            return box_overlap(read_box(expected, self.format), read_box(actual, self.format))
        one, other = (polygon.enclosed(read_corners(value)) for value in (expected, actual))
        return polygon.measure_overlap(one, other)

    def problems(self) -> Iterator[tuple[str, str]]:
        if self.exact and not polygon.is_ready():
            yield "polygon", f"exact {polygon.MISSING}"

    def doubts(self) -> Iterator[tuple[str, str]]:
        if self.polygon == "exact" and self.format != "polygon":
            yield "polygon", f"polygon: exact says nothing about boxes of the format {self.format!r}"

    def _edges(self, value: Any) -> Box:
        try:
            return read_box(value, self.format)
        except Incomparable:
            return NOWHERE


def _read_area(value: Any) -> Any:
    """The area that a polygon encloses; None where it cannot be read."""
    try:
        return polygon.enclosed(read_corners(value))
    except Incomparable:
        return None


def _plain_iou(expected: Any, actual: Any, *, sized: bool) -> float | None:
    """Of two lists of four numbers, which is nearly all there is; None for whatever is unusual."""
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
    # Calls of min and max would cost more than all the rest.
    across = (end if end < right else right) - (start if start > left else left)  # noqa: FURB136  as said
    down = (lower if lower < bottom else bottom) - (upper if upper > top else top)  # noqa: FURB136  as said
    common: float = across * down if across > 0 and down > 0 else 0.0
    return common / (areas - common)


def box_iou(one: Box, other: Box) -> float:
    common, union = box_overlap(one, other)
    if 0.0 < union < math.inf:
        return common / union
    # Areas that no float holds: measured in the wider box's widths and the higher one's heights, they are shares.
    across, down = ([side / (max(sides) or 1.0) for side in sides] for sides in _sides(one, other))
    common, union = _areas(across, down)
    return common / union if union else 0.0


def box_overlap(one: Box, other: Box) -> tuple[float, float]:
    return _areas(*_sides(one, other))


def box_ious(left: Sequence[Box], right: Sequence[Box]) -> "Matrix":
    """The same of all pairs, NaN where one is nowhere."""
    import numpy as np

    with np.errstate(all="ignore"):
        found, ordinary = _shares(np.array(left), np.array(right))
    for row, column in () if ordinary else np.argwhere(np.isnan(found)).tolist():
        if left[row] is not NOWHERE and right[column] is not NOWHERE:
            found[row, column] = box_iou(left[row], right[column])
    return found


def box_covers(left: Sequence[Box], right: Sequence[Box]) -> "Matrix":
    """Of each box the share that each other one covers, NaN where it is nowhere itself."""
    import numpy as np

    edges = np.array(left)
    with np.errstate(all="ignore"):
        area = (edges[:, 2] - edges[:, 0]) * (edges[:, 3] - edges[:, 1])
        found = overlaps(edges, np.array(right))[0] / area[:, None]
    for row in np.flatnonzero((area == 0.0) | np.isinf(area)).tolist():
        found[row] = [_cover(left[row], other) for other in right]
    return np.asarray(found)


def _cover(one: Box, other: Box) -> float:
    """Side by side, where no float holds the area."""
    (width, _, across), (height, _, down) = _sides(one, other)
    return across / width * (down / height) if width and height else 0.0


def overlaps(left: "Matrix", right: "Matrix", room: Any = None) -> tuple["Matrix", "Matrix"]:
    """The same of all pairs of edges: common areas, and areas covered together; in a room of three times their size."""
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


def _shares(left: "Matrix", right: "Matrix") -> tuple["Matrix", bool]:
    """Of all pairs, and whether floats can hold all areas; where they cannot, there is NaN."""
    import numpy as np

    found = np.empty((len(left), len(right)))
    height = max(1, _PAIRS_AT_ONCE // len(right))
    room = np.empty((3, min(height, len(left)), len(right)))
    for top in range(0, len(left), height):
        common, union = overlaps(left[top : top + height], right, room)
        np.divide(common, union, out=found[top : top + height])
    area, other = ((side[:, 2] - side[:, 0]) * (side[:, 3] - side[:, 1]) for side in (left, right))
    if area.min() > 0.0 and other.min() > 0.0 and area.max() + other.max() < math.inf:
        return found, True
    found[np.isinf(area[:, None] + other)] = np.nan
    # Of two boxes without any area there is no need to ask.
    found[np.ix_(*((side[:, 2] == side[:, 0]) | (side[:, 3] == side[:, 1]) for side in (left, right)))] = 0.0
    return found, False


def _sides(one: Box, other: Box) -> Iterator[tuple[float, float, float]]:
    """Widths, then heights: of the one, of the other, and of what they share."""
    for start, end in ((0, 2), (1, 3)):
        common = min(one[end], other[end]) - max(one[start], other[start])
        yield one[end] - one[start], other[end] - other[start], max(0.0, common)


def _areas(across: Sequence[float], down: Sequence[float]) -> tuple[float, float]:
    one, other, common = (width * height for width, height in zip(across, down, strict=True))
    return common, one + other - common
