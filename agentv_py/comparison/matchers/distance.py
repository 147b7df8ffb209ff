"""Two points or vectors → a similarity that falls with their distance, relative to the largest one that passes."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from agentv_py.comparison.comparison import Incomparable
from agentv_py.comparison.matchers.base import Match, explain_failure
from agentv_py.comparison.readers.point import read_point

if TYPE_CHECKING:
    import numpy as np

    from agentv_py.comparison.gap import Gap
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
        """Return the distance of two points. Raises Incomparable."""
        left, right = read_point(expected), read_point(actual)
        if len(left) != len(right):
            raise Incomparable("dimension mismatch")
        if self.metric == "euclidean":
            return math.dist(left, right)
        if self.metric == "manhattan":
            return sum(abs(a - b) for a, b in zip(left, right, strict=True))
        angle = 1.0 - sum(a * b for a, b in zip(_normalize(left), _normalize(right), strict=True))
        return angle if angle > _PARALLEL else 0.0

    def nearness(self, distance: Any) -> Any:
        """Return 1 for a distance of 0, and less for a larger one; at least `passes_at` up to the threshold."""
        if not self.threshold:
            return (1.0 - _JUST_OUTSIDE * (distance > 0.0)) / (1.0 + distance)
        return 1.0 / (1.0 + distance / self.threshold)

    def describe_rule(self) -> str:
        return f"{self.metric} distance ≤ {self.threshold:.10g}"

    def explain_gap(self, expected: Any, actual: Any, similarity: float) -> "Gap":  # noqa: ARG002  the distance says more
        from agentv_py.comparison.gap import describe_distance

        return describe_distance(self.distance(expected, actual), "threshold")

    def explain_unreadable(self, value: Any) -> str:
        return explain_failure(read_point, value)

    def matrix(self, expecteds: Sequence[Any], actuals: Sequence[Any]) -> "Matrix":
        import numpy as np

        similarities = np.full((len(expecteds), len(actuals)), np.nan)
        left, right = (self._group_by_dimension(values) for values in (expecteds, actuals))
        for dimension in left.keys() & right.keys():
            (rows, points), (columns, others) = left[dimension], right[dimension]
            with np.errstate(all="ignore"):  # a distance may be infinite
                distances = np.array([self._distances(point, others) for point in points])
                similarities[np.ix_(rows, columns)] = self.nearness(distances)
        return similarities

    def _distances(self, point: "Vector", others: "Matrix") -> "Vector":
        """Return the distances from one point to many. One row at a time saves memory, because vectors can be long."""
        import numpy as np

        if self.metric == "cosine":
            angles: Vector = 1.0 - others @ point
            angles[angles <= _PARALLEL] = 0.0
            return angles
        differences = np.abs(others - point)
        if self.metric == "manhattan":
            return np.asarray(differences.sum(axis=1))
        widest = np.maximum(
            differences.max(axis=1), math.ulp(0.0)
        )  # the squares of quotients neither overflow nor vanish
        return np.asarray(widest * np.sqrt(np.square(differences / widest[:, None]).sum(axis=1)))

    def _group_by_dimension(self, values: Sequence[Any]) -> "dict[int, tuple[list[int], Matrix]]":
        """Return the indexes and the points of each dimension; for the cosine, points of length 1."""
        import numpy as np

        groups: dict[int, tuple[list[int], list[list[float]]]] = {}
        for index, value in enumerate(values):
            try:
                point = read_point(value)
            except Incomparable:
                continue
            indexes, points = groups.setdefault(len(point), ([], []))
            indexes.append(index)
            points.append(_normalize(point) if self.metric == "cosine" else point)
        return {dimension: (indexes, np.array(points)) for dimension, (indexes, points) in groups.items()}


def _normalize(vector: list[float]) -> list[float]:
    """Return the vector with length 1. A vector of length 0 stays unchanged: it is at a right angle to all others."""
    largest = max(map(abs, vector))
    if not largest:
        return vector
    shares = [part / largest for part in vector]  # the squares of quotients neither overflow nor vanish
    length = math.hypot(*shares)
    return [share / length for share in shares]
