"""The results of one evaluator → the counts of each attribute in each result, in flat columns."""

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agentv_py.report.attribute_counts import Vector, read_vector

if TYPE_CHECKING:
    from agentv_py.report.diff.flips import Floats

Profile = tuple[tuple[str, Vector], ...]
"""The attributes of one result with their counts. Most results share one of few profiles."""


class AttributeRows:
    def __init__(self) -> None:
        self._profiles: dict[Profile, int] = {}
        self._of_result: array[int] = array("l")
        self._last: tuple[Mapping[str, Any], int] = ({}, -1)
        """The metrics of the result before, and the number of its profile: results that are right have equal ones."""

    def add(self, result: Mapping[str, Any]) -> None:
        metrics = (result.get("details") or {}).get("metrics")
        if not isinstance(metrics, dict):
            metrics = {}
        if self._last[1] < 0 or metrics != self._last[0]:
            profile = tuple(
                (attribute, vector)
                for attribute, counts in metrics.items()
                if (vector := read_vector(counts)) is not None
            )
            self._last = metrics, self._profiles.setdefault(profile, len(self._profiles))
        self._of_result.append(self._last[1])

    def list_counts(self, attribute: str) -> "Floats":
        """Return the tp, fp and fn of each result, which are 0 where the result does not count the attribute."""
        import numpy as np

        by_profile = np.zeros((max(1, len(self._profiles)), 3))
        for profile, number in self._profiles.items():
            for name, (tp, _, fp, fn) in profile:
                if name == attribute:
                    by_profile[number] = tp, fp, fn
        return np.asarray(by_profile[np.array(self._of_result, dtype=np.int64)])
