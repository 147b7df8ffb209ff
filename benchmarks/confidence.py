"""How often is "accept at ≥ 0.91: ... (at least 99 %)" wrong? Shares of many simulated runs; 5 % are allowed.

python benchmarks/confidence.py
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from figure import Effort, Table, run_benchmark
from numpy.typing import NDArray
from scipy.stats import norm

from agentv_py.report.calibration import ACCURACIES, Acceptance, calibrate
from agentv_py.report.confidence import ConfidenceTally

RUNS = 500
_MARGIN = 1e-4

Floats = NDArray[np.float64]


class Setting(NamedTuple):
    cases: int
    fields: int
    correlation: float
    """Of the errors of one case: 0 means that fields fail by themselves."""

    def __str__(self) -> str:
        return f"{self.cases} × {self.fields}, {self.correlation}"


SETTINGS = (Setting(100, 10, 0.0), Setting(100, 10, 0.3), Setting(300, 10, 0.3), Setting(60, 20, 0.5))


def measure(effort: Effort) -> Iterator[Table]:
    runs = 50 if effort.quick else RUNS
    rows = [
        [name, *(f"{measure_false_statements(setting, least, runs, is_hard=hard):.1%}" for least in ACCURACIES)]
        for setting in SETTINGS
        for name, hard in ((f"{setting}: hardest", True), (f"{setting}: usual", False))
    ]
    yield Table("confidence", ["cases × fields, correlation", *(f"at least {least:.0%}" for least in ACCURACIES)], rows)


def measure_false_statements(setting: Setting, least: float, runs: int = RUNS, *, is_hard: bool = True) -> float:
    """Return how often a threshold is named from which on fewer fields are right.

    The hardest case is a confidence that says nothing, with an accuracy that is only just too low at every threshold.
    """
    chance = np.random.default_rng(1)
    wrong = 0
    for _ in range(runs):
        confidences = np.round(chance.beta(6, 1, (setting.cases, setting.fields)), 3)
        truth = np.full_like(confidences, least - _MARGIN) if is_hard else 1 - (1 - confidences) ** 1.5 / 2
        point = next(a.point for a in _calibrate(setting, confidences, truth, chance) if a.least == least)
        wrong += point is not None and truth[confidences >= point.threshold].mean() < least
    return wrong / runs


def _calibrate(setting: Setting, confidences: Floats, truth: Floats, chance: np.random.Generator) -> list[Acceptance]:
    shared = chance.normal(size=(setting.cases, 1)) * np.sqrt(setting.correlation)
    own = chance.normal(size=confidences.shape) * np.sqrt(1 - setting.correlation)
    right = shared + own < norm.ppf(truth)
    tally = ConfidenceTally()
    for row, is_right in zip(confidences, right, strict=True):
        tally.add(row[is_right].tolist(), row[~is_right].tolist())
    figures = calibrate(tally)
    return [] if figures is None else figures.accept


if __name__ == "__main__":
    run_benchmark(measure)
