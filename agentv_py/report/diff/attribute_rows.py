"""The results of one evaluator → the counts of each attribute in each result, in flat columns."""

from array import array
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from agentv_py import jsontext
from agentv_py.comparison.counts import Counts
from agentv_py.report.attribute_counts import Vector, read_vector

if TYPE_CHECKING:
    from agentv_py.report.diff.case_scores import Flags
    from agentv_py.report.diff.flips import Floats

Profile = dict[str, Vector]
"""The attributes of one result with their counts. Most results share one of few profiles."""


class AttributeRows:
    def __init__(self) -> None:
        self._profiles: list[Profile] = []
        self._numbers: dict[bytes, int] = {}
        """Metrics as JSON, with the number of their profile."""
        self._of_result: array[int] = array("q")
        self._last_metrics: Any = None
        """The metrics of the result before: results that are right have equal ones."""
        self._last_number = -1

    def add(self, result: Mapping[str, Any]) -> None:
        metrics = (result.get("details") or {}).get("metrics")
        if metrics != self._last_metrics or self._last_number < 0:
            self._last_metrics, self._last_number = metrics, self._number_profile(metrics)
        self._of_result.append(self._last_number)

    def _number_profile(self, metrics: Any) -> int:
        text = jsontext.dumps(metrics)  # the counts of all attributes, read one by one, take five times as long
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = len(self._profiles)
            self._profiles.append(_read_profile(metrics))
        return number

    def sum_up(self, is_counted: "Flags") -> dict[str, Counts]:
        """Return the sums of each attribute's counts, over the results that the flags mark."""
        import numpy as np

        times = np.bincount(np.frombuffer(self._of_result, dtype=np.int64)[is_counted], minlength=len(self._profiles))
        sums: dict[str, list[int]] = {}
        for profile, number in zip(self._profiles, times.tolist(), strict=True):
            for attribute, vector in profile.items():
                own = sums.setdefault(attribute, [0, 0, 0, 0])
                for place, count in enumerate(vector):
                    own[place] += count * number
        return {attribute: dict(zip(("tp", "tn", "fp", "fn"), own, strict=True)) for attribute, own in sums.items()}

    def list_counts(self, attribute: str) -> "list[Floats]":
        """Return three columns: the tp, fp and fn of each result, 0 where the result does not count the attribute."""
        import numpy as np

        vectors = [profile.get(attribute, (0, 0, 0, 0)) for profile in self._profiles]
        of_result = np.frombuffer(self._of_result, dtype=np.int64)
        tp, _, fp, fn = np.array(vectors, dtype=np.float64).T
        return [tp[of_result], fp[of_result], fn[of_result]]


def _read_profile(metrics: Any) -> Profile:
    """Read the counts of all attributes; a judge may write anything."""
    if not isinstance(metrics, dict):
        return {}
    vectors = ((attribute, read_vector(counts)) for attribute, counts in metrics.items())
    return {attribute: vector for attribute, vector in vectors if vector is not None}
