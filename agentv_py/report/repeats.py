"""Rows of cases with several answers → how their scores vary, which repeat is best, and how far the answers agree."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

MOST_CASES = 20


class RepeatFigures(NamedTuple):
    """The figures of one case, or of all cases together."""

    name: str
    best: float
    mean: float
    variance: float
    """The variance of a population, because the answers are not a sample."""
    consistency: float | None
    ranking: Sequence[int]
    """The numbers of the repeats, the best first."""

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self.variance)


@dataclass(slots=True)
class RepeatSummary:
    """The sums over all cases that have several answers, in flat memory."""

    cases: int = 0
    flaky: int = 0
    """Cases of which some answers pass and others do not."""
    best: float = 0.0
    mean: float = 0.0
    variance: float = 0.0
    consistency: float = 0.0
    consistency_cases: int = 0
    """Cases whose answers were compared with each other."""
    totals: list[tuple[int, float]] = field(default_factory=list)
    """By repeat: its number of cases, and the sum of their scores."""
    weakest: list[RepeatFigures] = field(default_factory=list)
    left_out: dict[str, None] = field(default_factory=dict)
    """Evaluators that cannot compare one answer with another."""

    def add(self, row: Mapping[str, Any]) -> None:
        """Count a row. An errored row has no scores."""
        if row["status"] == "error":
            return
        scores, consistency = row["repeats"], row.get("consistency")
        figures = _compute_figures(row["case_id"], scores, consistency)
        results = row["evaluator_results"] if len(scores) > 1 else ()
        left_out = (result["name"] for result in results if "consistency" not in result)
        is_flaky, has_consistency = row.get("flaky") is True, consistency is not None
        self.merge(
            RepeatSummary(
                1, int(is_flaky), figures.best, figures.mean, figures.variance, consistency or 0.0,
                int(has_consistency), [(1, score) for score in scores], [figures], dict.fromkeys(left_out),
            )
        )  # fmt: skip

    def merge(self, other: "RepeatSummary") -> None:
        for name in ("cases", "flaky", "best", "mean", "variance", "consistency", "consistency_cases"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        repeats = range(max(len(self.totals), len(other.totals)))
        self.totals = [_add_totals(self.totals, other.totals, repeat) for repeat in repeats]
        weakest = sorted([*self.weakest, *other.weakest], key=lambda case: (case.mean, -case.variance, case.name))
        self.weakest = weakest[:MOST_CASES]
        self.left_out |= other.left_out

    def overall(self) -> RepeatFigures:
        """Return the means over all cases; the ranking is by the mean score of each repeat."""
        cases = self.cases
        ranking = [repeat for repeat, _, _ in self.ranking()]
        consistency = self.consistency / self.consistency_cases if self.consistency_cases else None
        name = f"all {cases:,} cases" if cases != 1 else "1 case"
        return RepeatFigures(name, self.best / cases, self.mean / cases, self.variance / cases, consistency, ranking)

    def ranking(self) -> list[tuple[int, int, float]]:
        """Return each repeat's number, its number of cases and its mean score; the best comes first."""
        means = [(repeat, cases, total / cases) for repeat, (cases, total) in enumerate(self.totals, 1)]
        return sorted(means, key=lambda ranked: (-ranked[2], ranked[0]))

    def figures(self) -> Iterator[RepeatFigures]:
        """Yield the figures of all cases together, then those of the weakest cases, the weakest first."""
        yield self.overall()
        yield from self.weakest


def _compute_figures(name: str, scores: Sequence[float], consistency: float | None) -> RepeatFigures:
    mean = math.fsum(scores) / len(scores)
    variance = math.fsum((score - mean) ** 2 for score in scores) / len(scores)
    ranking = sorted(range(1, len(scores) + 1), key=lambda repeat: (-scores[repeat - 1], repeat))
    return RepeatFigures(name, max(scores), mean, variance, consistency, ranking)


def _add_totals(
    left: Sequence[tuple[int, float]], right: Sequence[tuple[int, float]], repeat: int
) -> tuple[int, float]:
    totals = [side[repeat] for side in (left, right) if repeat < len(side)]
    return sum(cases for cases, _ in totals), sum(total for _, total in totals)
