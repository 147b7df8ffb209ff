"""Corners in either direction, whatever their edges do → the area they enclose, as shapely knows it."""

import math
from importlib.util import find_spec
from typing import Any

from agentv_py.match import Incomparable
from agentv_py.readers.box import INVALID, Corners

MISSING = "needs shapely, which is not installed; run: pip install 'agentv-py[geometry]'"


# Every edge may cross every other one, and a few thousand of them take minutes to part.
_MOST_TANGLED = 1_000


def is_ready() -> bool:
    return find_spec("shapely") is not None


def enclosed(corners: Corners) -> Any:
    """A shapely geometry that is valid: edges that cross or touch part the area, and do not spoil it."""
    import shapely

    found = shapely.Polygon(corners)
    if not found.is_valid:
        if len(corners) > _MOST_TANGLED:
            raise Incomparable("too many edges that cross")
        found = shapely.make_valid(found)
    if not math.isfinite(found.area):
        raise Incomparable(INVALID)
    return found


def shared_area(one: Any, other: Any) -> float:
    import shapely

    try:
        return float(one.intersection(other).area)
    except shapely.GEOSException:  # coordinates so far apart in size that no float arithmetic orders them
        raise Incomparable(INVALID) from None
