"""Many results files → the scores of each suite over time, and whether they fall."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from agentv_py.errors import Problem
from agentv_py.report.slices.fold import Slices, refuse_unknown
from agentv_py.report.statistics import student_quantile
from agentv_py.report.suite_summary import SuiteSummary
from agentv_py.report.summary import join_names
from agentv_py.report.tally import Tally
from agentv_py.results.label import RunLabel, join_labels, read_label
from agentv_py.results.read import ResultsSource, read_results
from agentv_py.score import SLACK
from agentv_py.suite.slice_key import SliceKey


@dataclass(frozen=True, slots=True)
class Slope:
    """The change from one run to the next, by least squares, with a 95 % interval for three runs or more."""

    slope: float
    low: float | None
    high: float | None

    @property
    def is_falling(self) -> bool:
        return self.high is not None and self.high < -SLACK


@dataclass(slots=True)
class Run:
    """The results of one suite in one file."""

    file: str
    timestamp: str
    summary: SuiteSummary = field(default_factory=lambda: SuiteSummary(""))
    slices: Slices = field(default_factory=Slices)
    labels: dict[RunLabel, None] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The label that the user gave the run, else the name of its file."""
        return join_labels(self.labels) or self.file

    @property
    def selection(self) -> str:
        """The flags that selected some cases; empty for a run of every case."""
        return ", ".join(chosen.flags for chosen in self.summary.narrow_selections)


@dataclass(slots=True)
class Series:
    """The runs of one suite, and of one target where rows name one; the oldest comes first."""

    suite: str
    runs: list[Run]

    @property
    def mean_score(self) -> Slope | None:
        return fit_slope([run.summary.mean_score.value for run in self.runs])

    @property
    def pass_rate(self) -> Slope | None:
        return fit_slope([run.summary.pass_rate.value for run in self.runs])

    @property
    def has_trend(self) -> bool:
        """Whether the runs are enough for the interval of a slope."""
        return self.mean_score is not None and self.mean_score.low is not None

    @property
    def is_degrading(self) -> bool:
        return any(slope is not None and slope.is_falling for slope in (self.mean_score, self.pass_rate))

    def evaluators(self) -> Iterator[tuple[str, list[float | None], Slope | None]]:
        """Yield each evaluator with its mean score per run, None where it did not run, and the slope."""
        for key in dict.fromkeys(key for run in self.runs for key in run.summary.evaluators):
            summaries = [run.summary.evaluators.get(key) for run in self.runs]
            scores = [None if summary is None else summary.mean_score for summary in summaries]
            yield key[1], scores, fit_slope([score for score in scores if score is not None])

    def slices(self) -> "Iterator[SliceSeries]":
        """Yield the slices that have enough cases in any run; the lowest latest mean score comes first."""
        tables = [{table.key.text: table for table in run.slices.list_tables()} for run in self.runs]
        for key in dict.fromkeys(key for run in tables for key in run):
            members = [run[key].members if key in run else {} for run in tables]
            least = next(run[key].key.min_cases for run in tables if key in run)
            series = [
                SliceSeries(key, value, [_read_mean(run.get(value), least) for run in members])
                for value in dict.fromkeys(value for run in members for value in run)
            ]
            yield from sorted((each for each in series if each.scores), key=lambda each: (each.scores[-1], each.value))


@dataclass(frozen=True, slots=True)
class SliceSeries:
    """The mean score of one slice, run by run."""

    by: str
    value: str
    mean_scores: list[float | None]
    """None where the run has too few cases of the slice."""

    @property
    def scores(self) -> list[float]:
        return [score for score in self.mean_scores if score is not None]

    @property
    def slope(self) -> Slope | None:
        return fit_slope(self.scores)


def _read_mean(member: Tally | None, least: int) -> float | None:
    return None if member is None or member.cases < least else member.mean_score.value


@dataclass(slots=True)
class Trend:
    series: list[Series] = field(default_factory=list)
    left_out: list[Problem] = field(default_factory=list)
    """Problems with torn lines, with files that have no row, and with runs of other selections."""

    @property
    def is_degrading(self) -> bool:
        return any(series.is_degrading for series in self.series)


def compute_trend(sources: Sequence[ResultsSource], slices: Sequence[SliceKey] = ()) -> Trend:
    trend = Trend()
    runs: dict[tuple[str, int], Run] = {}
    for number, source in enumerate(sources):
        for row in read_results(source):
            if isinstance(row, Problem):
                trend.left_out.append(row)
                continue
            key = join_names(row["suite"], str(row.get("target", ""))), number
            if key not in runs:
                runs[key] = Run(source.shown, str(row.get("timestamp", "")), slices=Slices.for_all_suites(slices))
            runs[key].summary.add(row)
            if (label := read_label(row)) is not None:
                runs[key].labels[label] = None
            if slices:
                runs[key].slices.add(row)
        if all(known != number for _, known in runs):
            trend.left_out.append(Problem("holds no row, and is left out", "", source.shown))
    refuse_unknown([run.slices for run in runs.values()])
    for suite in dict.fromkeys(suite for suite, _ in runs):
        of_suite = [run for (name, _), run in runs.items() if name == suite]
        kept = choose_selection(of_suite)
        trend.series.append(
            Series(suite, sorted((run for run in of_suite if run.selection == kept), key=lambda run: run.timestamp))
        )
        trend.left_out.extend(_explain_left_out(suite, run, kept) for run in of_suite if run.selection != kept)
    return trend


def choose_selection(runs: Sequence[Run]) -> str:
    """Choose the selection that most runs have, because scores of other cases do not compare; every case wins a tie."""
    counts = Counter(run.selection for run in runs)
    return max(counts, key=lambda selection: (counts[selection], not selection))


def _explain_left_out(suite: str, run: Run, kept: str) -> Problem:
    own, others = run.selection or "every case", kept or "every case"
    why = f"its run of {suite!r} is of another selection ({own}) than the others ({others}), and is left out"
    return Problem(why, "", run.file)


def fit_slope(values: Sequence[float]) -> Slope | None:
    """Fit a line to the values; None for fewer than two values."""
    count = len(values)
    if count < 2:
        return None
    middle, mean = (count - 1) / 2, sum(values) / count
    spread = sum((at - middle) ** 2 for at in range(count))
    rise = sum((at - middle) * (value - mean) for at, value in enumerate(values)) / spread
    if count == 2:
        return Slope(rise, None, None)
    rest = sum((value - mean - rise * (at - middle)) ** 2 for at, value in enumerate(values))
    error = student_quantile(count - 2) * math.sqrt(rest / (count - 2) / spread)
    return Slope(rise, rise - error, rise + error)
