"""How often is "accept at ≥ 0.91: ... (at least 99 %)" wrong? Shares of many simulated runs; 5 % are allowed.

python benchmarks/confidence.py
"""

from typing import NamedTuple

import numpy as np
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


SETTINGS = (Setting(100, 10, 0.0), Setting(100, 10, 0.3), Setting(300, 10, 0.3), Setting(60, 20, 0.5))


def main() -> None:
    print(f"{'cases × fields, correlation':32}" + "".join(f"{f'at least {least:.0%}':>16}" for least in ACCURACIES))
    for setting in SETTINGS:
        name = f"{setting.cases} × {setting.fields}, {setting.correlation}: hardest"
        print_line(name, [measure_false_statements(setting, least) for least in ACCURACIES])
        name = f"{setting.cases} × {setting.fields}, {setting.correlation}: usual"
        print_line(name, [measure_false_statements(setting, least, is_hard=False) for least in ACCURACIES])


def print_line(name: str, shares: list[float]) -> None:
    print(f"{name:32}" + "".join(f"{share:16.1%}" for share in shares), flush=True)


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
    main()
