"""The confidences of an evaluator → an object with stable keys."""

from typing import Any

from agentv_py.formats.sections.confidence import describe_acceptance, list_gaps, name_unit
from agentv_py.report.calibration import Acceptance, Calibration, calibrate
from agentv_py.report.confidence import ConfidenceSummary, ConfidenceTally


def convert_confidence(confidence: ConfidenceSummary) -> dict[str, Any]:
    unit = name_unit(confidence)
    return {
        "unit": unit,
        **convert_tally(confidence.whole, unit),
        "attributes": {name: convert_tally(tally, unit) for name, tally in confidence.attributes.items()},
        "missing": confidence.missing,
        "invalid": confidence.invalid,
        "omitted": confidence.omitted,
        "warnings": list_gaps(confidence),
    }


def convert_tally(tally: ConfidenceTally, unit: str) -> dict[str, Any]:
    """Convert the figures; with too few observations, only their number."""
    figures = calibrate(tally)
    if figures is None:
        return {"observations": sum(tally.right.values()) + sum(tally.wrong.values()), "too_few": True}
    return {
        "observations": figures.observations,
        "too_few": False,
        "cases": figures.cases,
        "accuracy": figures.accuracy,
        "mean_confidence": figures.confidence,
        "auroc": figures.auroc,
        "brier": figures.brier,
        "ece": figures.ece,
        "aurc": figures.aurc,
        "rounded": figures.is_rounded,
        "bins": [bin_._asdict() for bin_ in figures.bins],
        "curve": [point._asdict() for point in figures.curve],
        "accept": [_convert_acceptance(accept, figures, unit) for accept in figures.accept],
        "review": [review._asdict() for review in figures.review],
    }


def _convert_acceptance(accept: Acceptance, figures: Calibration, unit: str) -> dict[str, Any]:
    nothing = {"threshold": None, "coverage": None, "accuracy": None}
    point = nothing if accept.point is None else accept.point._asdict()
    return {"least": accept.least, **point, "text": describe_acceptance(accept, figures, unit)}
