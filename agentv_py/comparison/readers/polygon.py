"""Corners in either direction, whose edges may cross → a valid polygon of shapely."""

import math
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.readers.box import INVALID, Corners

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix

MISSING = "needs shapely, which is not installed; run: pip install 'agentv-py[geometry]'"

# Each edge may cross each other edge; to untangle a few thousand of them takes minutes.
_MOST_TANGLED = 1_000
# To untangle a polygon takes milliseconds, and pairing compares it with many partners, so the last ones are kept.
_MOST_REMEMBERED = 256


def is_ready() -> bool:
    return find_spec("shapely") is not None


def build_polygon(corners: Corners) -> Any:
    """Return a valid geometry of shapely. Edges that cross or touch divide the area. Raises Incomparable."""
    import shapely

    polygon = shapely.Polygon(corners)
    if not polygon.is_valid:
        if len(corners) > _MOST_TANGLED:
            raise Incomparable("too many edges that cross")
        polygon = _untangle(tuple(corners))
    if not math.isfinite(polygon.area):
        raise Incomparable(INVALID)
    return polygon


@lru_cache(maxsize=_MOST_REMEMBERED)
def _untangle(corners: tuple[tuple[float, float], ...]) -> Any:
    import numpy as np
    import shapely

    try:
        with np.errstate(all="ignore"):  # an infinite area is found by its size
            return shapely.make_valid(shapely.Polygon(corners))
    except shapely.GEOSException:
        raise Incomparable(INVALID) from None


def measure_overlap(left: Any, right: Any) -> tuple[float, float]:
    """Return the area that two polygons share, and the area that they cover together. Raises Incomparable."""
    import numpy as np

    [common] = _measure_common_areas(left, np.array([right])).tolist()
    if math.isnan(common):
        raise Incomparable(INVALID)
    return common, left.area + right.area - common


def measure_ious(left: Sequence[Any], right: Sequence[Any]) -> "Matrix":
    """Return the IoU of all pairs; NaN if one is None or the pair cannot be measured."""
    import numpy as np

    ious = np.full((len(left), len(right)), np.nan)
    columns = [column for column, other in enumerate(right) if other is not None]
    others = np.array([right[column] for column in columns], dtype=object)
    areas = np.array([other.area for other in others])
    for row, polygon in enumerate(left):
        if polygon is not None and columns:
            common = _measure_common_areas(polygon, others)
            union = polygon.area + areas - common
            ious[row, columns] = np.minimum(1.0, np.divide(common, union, out=np.zeros_like(union), where=union != 0))
    return ious


def _measure_common_areas(polygon: Any, others: Any) -> Any:
    """Return the area that a polygon shares with each other one; NaN if floats cannot order the coordinates."""
    import numpy as np
    import shapely

    common = np.zeros(len(others))
    left, top, right, bottom = shapely.bounds(polygon)
    lefts, tops, rights, bottoms = shapely.bounds(others).T
    for index in np.flatnonzero((lefts < right) & (left < rights) & (tops < bottom) & (top < bottoms)).tolist():
        other = others[index]
        try:
            with np.errstate(all="ignore"):
                common[index] = polygon.area if polygon.equals(other) else polygon.intersection(other).area
        except shapely.GEOSException:
            common[index] = np.nan
    return common
