"""Rows of cases with several answers → how far their scores lie apart, who came out best, and how far they agree."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, NamedTuple

MOST_CASES = 20


class Line(NamedTuple):
    """A case, or all of them: the ranking names repeats by number, the best first."""

    name: str
    best: float
    mean: float
    variance: float
    """Of the population: the answers are all there are, not a sample."""
    consistency: float | None
    ranking: Sequence[int]

    @property
    def standard_deviation(self) -> float:
        return math.sqrt(self.variance)


@dataclass(slots=True)
class Spread:
    """What cases with several answers add up to, in flat memory."""

    cases: int = 0
    best: float = 0.0
    mean: float = 0.0
    variance: float = 0.0
    agreeing: float = 0.0
    compared: int = 0
    """Cases whose answers were held against each other."""
    totals: list[tuple[int, float]] = field(default_factory=list)
    """Of each repeat: its cases, and the sum of their scores."""
    weakest: list[Line] = field(default_factory=list)
    left_out: dict[str, None] = field(default_factory=dict)
    """Evaluators that cannot hold one answer against another."""

    def add(self, row: Mapping[str, Any]) -> None:
        """Count a row; one that is errored has no scores to speak of."""
        if row["status"] == "error":
            return
        scores, consistency = row["repeats"], row.get("consistency")
        line = _line(row["case_id"], scores, consistency)
        left_out = (one["name"] for one in row["evaluator_results"] if len(scores) > 1 and "consistency" not in one)
        self.merge(
            Spread(
                1, line.best, line.mean, line.variance, consistency or 0.0, int(consistency is not None),
                [(1, score) for score in scores], [line], dict.fromkeys(left_out),
            )
        )  # fmt: skip

    def merge(self, other: "Spread") -> None:
        for name in ("cases", "best", "mean", "variance", "agreeing", "compared"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        both = range(max(len(self.totals), len(other.totals)))
        self.totals = [_added(self.totals, other.totals, place) for place in both]
        found = sorted([*self.weakest, *other.weakest], key=lambda line: (line.mean, -line.variance, line.name))
        self.weakest = found[:MOST_CASES]
        self.left_out |= other.left_out

    def whole(self) -> Line:
        """All cases together: the means of what their lines say, the ranking by the means of the repeats."""
        many = self.cases
        ranking = [number for number, _, _ in self.ranking()]
        agreement = self.agreeing / self.compared if self.compared else None
        name = f"all {many:,} cases" if many != 1 else "1 case"
        return Line(name, self.best / many, self.mean / many, self.variance / many, agreement, ranking)

    def ranking(self) -> list[tuple[int, int, float]]:
        """Each repeat by its number, its cases and its mean score; the best first."""
        means = [(number, cases, total / cases) for number, (cases, total) in enumerate(self.totals, 1)]
        return sorted(means, key=lambda one: (-one[2], one[0]))

    def lines(self) -> Iterator[Line]:
        """All cases together, then the weakest ones, the weakest first."""
        yield self.whole()
        yield from self.weakest


def _line(name: str, scores: Sequence[float], consistency: float | None) -> Line:
    mean = fmean(scores)
    variance = fmean((score - mean) ** 2 for score in scores)
    ranking = sorted(range(1, len(scores) + 1), key=lambda number: (-scores[number - 1], number))
    return Line(name, max(scores), mean, variance, consistency, ranking)


def _added(left: Sequence[tuple[int, float]], right: Sequence[tuple[int, float]], place: int) -> tuple[int, float]:
    found = [side[place] for side in (left, right) if place < len(side)]
    return sum(cases for cases, _ in found), sum(total for _, total in found)
