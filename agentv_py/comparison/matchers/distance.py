"""Two points or vectors → how near they are, relative to a distance that is near enough."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from agentv_py.comparison.matchers.base import Incomparable, Match
from agentv_py.comparison.readers.point import read_point

if TYPE_CHECKING:
    import numpy as np

    from agentv_py.comparison.matchers.base import Matrix

    Vector = np.ndarray[tuple[int], np.dtype[np.float64]]

Metric = Literal["euclidean", "manhattan", "cosine"]
Reach = Annotated[float, Field(ge=0, allow_inf_nan=False)]

# Directions that differ by less than their numbers' rounding are the same.
_PARALLEL = 1e-12
_JUST_OUTSIDE = 1e-9


class Distance(Match):
    """Points or vectors that are near enough."""

    match: Literal["distance"] = "distance"
    metric: Metric = "euclidean"
    threshold: Reach = Field(description="The largest distance that passes, inclusive.")

    @property
    def passes_at(self) -> float:
        return 0.5 - _PARALLEL if self.threshold else 1.0

    @property
    def reads_lists(self) -> bool:
        return True

    def similarity(self, expected: Any, actual: Any) -> float:
        return float(self.nearness(self.distance(expected, actual)))

    def distance(self, expected: Any, actual: Any) -> float:
        """Raises Incomparable."""
        one, other = read_point(expected), read_point(actual)
        if len(one) != len(other):
            raise Incomparable("dimension mismatch")
        if self.metric == "euclidean":
            return math.dist(one, other)
        if self.metric == "manhattan":
            return sum(abs(a - b) for a, b in zip(one, other, strict=True))
        turn = 1.0 - sum(a * b for a, b in zip(_unit(one), _unit(other), strict=True))
        return turn if turn > _PARALLEL else 0.0

    def nearness(self, distance: Any) -> Any:
        """Of a distance or an array of them: 1 for none, falling with it; `passes_at` and more is near enough."""
        if not self.threshold:
            return (1.0 - _JUST_OUTSIDE * (distance > 0.0)) / (1.0 + distance)
        return 1.0 / (1.0 + distance / self.threshold)

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        import numpy as np

        found = np.full((len(expecteds), len(actuals)), np.nan)
        left, right = (self._by_dimension(values) for values in (expecteds, actuals))
        for dimension in left.keys() & right.keys():
            (rows, points), (columns, others) = left[dimension], right[dimension]
            with np.errstate(all="ignore"):  # an infinite distance is just that
                distances = np.array([self._distances(point, others) for point in points])
                found[np.ix_(rows, columns)] = self.nearness(distances)
        return found

    def _distances(self, point: "Vector", others: "Matrix") -> "Vector":
        """From one point to many, a row at a time: vectors can be long."""
        import numpy as np

        if self.metric == "cosine":
            turns: Vector = 1.0 - others @ point
            turns[turns <= _PARALLEL] = 0.0
            return turns
        apart = np.abs(others - point)
        if self.metric == "manhattan":
            return np.asarray(apart.sum(axis=1))
        widest = np.maximum(apart.max(axis=1), math.ulp(0.0))  # squares of shares neither overflow nor vanish
        return np.asarray(widest * np.sqrt(np.square(apart / widest[:, None]).sum(axis=1)))

    def _by_dimension(self, values: Sequence[Any]) -> "dict[int, tuple[list[int], Matrix]]":
        """The points of each dimension, and their places; only the direction is left of them where it alone counts."""
        import numpy as np

        found: dict[int, tuple[list[int], list[list[float]]]] = {}
        for index, value in enumerate(values):
            try:
                point = read_point(value)
            except Incomparable:
                continue
            places, points = found.setdefault(len(point), ([], []))
            places.append(index)
            points.append(_unit(point) if self.metric == "cosine" else point)
        return {dimension: (places, np.array(points)) for dimension, (places, points) in found.items()}


def _unit(vector: list[float]) -> list[float]:
    """The vector's direction, as a vector of length 1; one of length 0 has none, and is at a right angle to all."""
    largest = max(map(abs, vector))
    if not largest:
        return vector
    shares = [part / largest for part in vector]  # whose squares neither overflow nor vanish
    length = math.hypot(*shares)
    return [share / length for share in shares]
