"""A trend → an object with stable keys."""

from dataclasses import asdict
from itertools import islice
from typing import Any

from agentv_py.formats.json.slices import MOST_SLICES
from agentv_py.report.trend import Series, Slope, Trend


def convert_trend(trend: Trend) -> dict[str, Any]:
    series = [_convert_series(series) for series in trend.series]
    return {"kind": "trend", "series": series, "degrading": trend.is_degrading}


def _convert_series(series: Series) -> dict[str, Any]:
    return {
        "suite": series.suite,
        "runs": [
            {
                "file": run.file,
                "name": run.name,
                "timestamp": run.timestamp,
                "cases": run.summary.cases,
                "errors": run.summary.errors,
                "mean_score": run.summary.mean_score._asdict(),
                "pass_rate": run.summary.pass_rate._asdict(),
            }
            for run in series.runs
        ],
        "mean_score": _convert_slope(series.mean_score),
        "pass_rate": _convert_slope(series.pass_rate),
        "evaluators": [
            {"name": name, "mean_scores": scores} | _convert_slope(slope) for name, scores, slope in series.evaluators()
        ],
        **({"slices": slices} if (slices := _convert_slices(series)) else {}),
        "degrading": series.is_degrading,
    }


def _convert_slices(series: Series) -> list[dict[str, Any]]:
    return [
        {"by": each.by, "value": each.value, "mean_scores": each.mean_scores} | _convert_slope(each.slope)
        for each in islice(series.slices(), MOST_SLICES)
    ]


def _convert_slope(slope: Slope | None) -> dict[str, Any]:
    return {"slope": None, "low": None, "high": None} if slope is None else asdict(slope)
