"""The confidences of the compared cases of a diff → how far they can be trusted before and after."""

from collections.abc import Iterator
from typing import NamedTuple

from agentv_py.report.calibration import Calibration, calibrate
from agentv_py.report.diff.columns import EvaluatorKey, ResultColumns
from agentv_py.report.diff.model import Diff


class ConfidenceShift(NamedTuple):
    """The figures on each side; None where too few values have a confidence."""

    key: EvaluatorKey
    baseline: Calibration | None
    candidate: Calibration | None


def compare_confidences(diff: Diff) -> Iterator[ConfidenceShift]:
    for key in dict.fromkeys([*diff.baseline.evaluators, *diff.candidate.evaluators]):
        sides = [_calibrate_side(side, key) for side in (diff.baseline, diff.candidate)]
        yield ConfidenceShift(key, sides[0], sides[1])


def _calibrate_side(side: ResultColumns, key: EvaluatorKey) -> Calibration | None:
    column = side.evaluators.get(key)
    confidence = column.confidence if column else None
    return None if confidence is None else calibrate(confidence.whole)
