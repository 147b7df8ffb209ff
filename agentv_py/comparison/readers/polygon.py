"""Corners in either direction, whatever their edges do → the area they enclose, as shapely knows it."""

import math
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from agentv_py.comparison.matchers.base import Incomparable
from agentv_py.comparison.readers.box import INVALID, Corners

if TYPE_CHECKING:
    from agentv_py.comparison.matchers.base import Matrix

MISSING = "needs shapely, which is not installed; run: pip install 'agentv-py[geometry]'"


# Every edge may cross every other one, and a few thousand of them take minutes to part.
_MOST_TANGLED = 1_000
# Milliseconds each to part, so the same polygon is not parted again for each of its partners.
_MOST_REMEMBERED = 256


def is_ready() -> bool:
    return find_spec("shapely") is not None


def enclosed(corners: Corners) -> Any:
    """A shapely geometry that is valid: edges that cross or touch part the area, and do not spoil it."""
    import shapely

    found = shapely.Polygon(corners)
    if not found.is_valid:
        if len(corners) > _MOST_TANGLED:
            raise Incomparable("too many edges that cross")
        found = _untangle(tuple(corners))
    if not math.isfinite(found.area):
        raise Incomparable(INVALID)
    return found


@lru_cache(maxsize=_MOST_REMEMBERED)
def _untangle(corners: tuple[tuple[float, float], ...]) -> Any:
    import numpy as np
    import shapely

    try:
        with np.errstate(all="ignore"):  # an area that no float holds is told by its size
            return shapely.make_valid(shapely.Polygon(corners))
    except shapely.GEOSException:
        raise Incomparable(INVALID) from None


def measure_overlap(one: Any, other: Any) -> tuple[float, float]:
    """The area that two polygons share, and the area that they cover together. Raises Incomparable."""
    import numpy as np

    [common] = _shared_areas(one, np.array([other])).tolist()
    if math.isnan(common):
        raise Incomparable(INVALID)
    return common, one.area + other.area - common


def measure_shares(left: Sequence[Any], right: Sequence[Any]) -> "Matrix":
    """The shares of all pairs in what they cover together, NaN where one is None or the pair cannot be measured."""
    import numpy as np

    shares = np.full((len(left), len(right)), np.nan)
    columns = [column for column, other in enumerate(right) if other is not None]
    others = np.array([right[column] for column in columns], dtype=object)
    areas = np.array([other.area for other in others])
    for row, one in enumerate(left):
        if one is not None and columns:
            common = _shared_areas(one, others)
            union = one.area + areas - common
            shares[row, columns] = np.minimum(1.0, np.divide(common, union, out=np.zeros_like(union), where=union != 0))
    return shares


def _shared_areas(one: Any, others: Any) -> Any:
    """The areas that a polygon shares with each other one, NaN where no float arithmetic orders the coordinates."""
    import numpy as np
    import shapely

    common = np.zeros(len(others))
    left, top, right, bottom = shapely.bounds(one)
    lefts, tops, rights, bottoms = shapely.bounds(others).T
    for index in np.flatnonzero((lefts < right) & (left < rights) & (tops < bottom) & (top < bottoms)).tolist():
        other = others[index]
        try:
            with np.errstate(all="ignore"):
                common[index] = one.area if one.equals(other) else one.intersection(other).area
        except shapely.GEOSException:
            common[index] = np.nan
    return common
