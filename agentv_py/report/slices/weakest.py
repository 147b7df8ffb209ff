"""Slices → those that are worse than the rest of the cases beyond chance, and the weakest of them.

A slice is compared with every other case of its suite and target. Chance alone would draw its cases from all of them:
then the number that pass is hypergeometric (Fisher's exact test), and the mean score nearly follows a binomial
distribution.
All slices of all keys are tested together (Holm's method), so that in at most 5 of 100 reports any is named by chance.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from agentv_py.report.slices.fold import Slice, SliceTable
from agentv_py.report.statistics import adjust_p_values, compute_beta_share
from agentv_py.report.tally import Tally

LEVEL = 0.05
_TINY = 1e-12

SliceFigure = Literal["pass_rate", "mean_score"]


@dataclass(frozen=True, slots=True)
class WorseSlice:
    """A slice whose figure is below that of the rest by more than chance explains."""

    table: SliceTable
    member: Slice
    figure: SliceFigure
    value: float
    rest: float
    """The figure of all other cases."""
    p_adjusted: float


def find_worse_slices(tables: Iterable[SliceTable]) -> list[WorseSlice]:
    """Find the slices of one suite and target that are worse than the rest; the lowest pass rate comes first."""
    tests = [test for table in tables for test in _test_table(table)]
    adjusted = adjust_p_values([p_value for *_, p_value in tests])
    worse = [
        WorseSlice(table, member, figure, *_read_figures(table.whole, member, figure), p_adjusted)
        for (table, member, figure, _), p_adjusted in zip(tests, adjusted, strict=True)
        if p_adjusted <= LEVEL
    ]
    return sorted(worse, key=lambda each: (each.figure != "pass_rate", each.value))


def find_weakest(tables: Iterable[SliceTable]) -> WorseSlice | None:
    """Return the weakest of the slices that are worse than the rest; None if none is."""
    return next(iter(find_worse_slices(tables)), None)


def _test_table(table: SliceTable) -> Iterator[tuple[SliceTable, Slice, SliceFigure, float]]:
    whole = table.whole
    is_graded = whole.total - whole.squares > _TINY * whole.cases
    for member in table.list_judged():
        if member.cases < whole.cases:
            yield table, member, "pass_rate", compute_fisher_tail(whole, member)
            if is_graded:  # scores of 0 or 1 say no more than the pass rate
                yield table, member, "mean_score", _compute_mean_tail(whole, member)


def compute_fisher_tail(whole: Tally, member: Tally) -> float:
    """Return the probability that as few of the slice's cases pass, if chance draws them from all cases."""
    cases, passed, drawn, hits = whole.cases, whole.passed, member.cases, member.passed
    term = math.exp(_log_choose(passed, hits) + _log_choose(cases - passed, drawn - hits) - _log_choose(cases, drawn))
    total = term
    while hits > 0 and term > total * 1e-17:
        term *= hits * (cases - passed - drawn + hits) / ((passed - hits + 1) * (drawn - hits + 1))
        hits, total = hits - 1, total + term
    return min(1.0, total)


def _log_choose(cases: int, chosen: int) -> float:
    return math.lgamma(cases + 1) - math.lgamma(chosen + 1) - math.lgamma(cases - chosen + 1)


def _compute_mean_tail(whole: Tally, member: Tally) -> float:
    """Return the probability of as low a mean score, if chance draws the slice's cases from all cases.

    The mean of so many scores spreads like the share of a number of cases that pass or fail; of that many, chance gives
    as low a share with the tail of the binomial distribution, which counts the reached share itself.
    """
    cases, drawn, mean = whole.cases, member.cases, whole.total / whole.cases
    spread = max(0.0, whole.squares / cases - mean * mean) / drawn * (cases - drawn) / (cases - 1)
    if spread <= _TINY or not 0 < mean < 1:
        return 1.0
    number = mean * (1 - mean) / spread
    reached = member.total / drawn * number
    return compute_beta_share(1 - mean, number - reached, reached + 1) if reached < number * mean else 1.0


def _read_figures(whole: Tally, member: Tally, figure: SliceFigure) -> tuple[float, float]:
    others = whole.cases - member.cases
    if figure == "pass_rate":
        return member.passed / member.cases, (whole.passed - member.passed) / others
    return member.total / member.cases, (whole.total - member.total) / others
