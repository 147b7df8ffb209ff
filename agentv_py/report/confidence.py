"""Rows of results → how many values are right and wrong at each confidence; of each attribute, in flat memory."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

MOST_VALUES = 10_000
"""Of different confidences in one tally; beyond them, confidences are rounded."""
_DIGITS = 3


@dataclass(slots=True)
class ConfidenceTally:
    right: dict[float, int] = field(default_factory=dict)
    """By confidence: the number of right values."""
    wrong: dict[float, int] = field(default_factory=dict)
    cases: int = 0
    size_squares: int = 0
    wrong_squares: int = 0
    products: int = 0
    """Sums over cases, of the number of values and the number of wrong values: squares and products.

    They show how far the errors of one case come together, because such errors say less than as many single ones.
    """
    is_rounded: bool = False

    def add(self, right: list[float], wrong: list[float]) -> None:
        """Add the values of one case."""
        size, errors = len(right) + len(wrong), len(wrong)
        self.cases += 1
        self.size_squares += size * size
        self.wrong_squares += errors * errors
        self.products += size * errors
        _count(self.right, right)
        _count(self.wrong, wrong)
        self._limit()

    def merge(self, other: "ConfidenceTally") -> None:
        for name in ("cases", "size_squares", "wrong_squares", "products"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for own, more in ((self.right, other.right), (self.wrong, other.wrong)):
            for confidence, number in more.items():
                own[confidence] = own.get(confidence, 0) + number
        self._limit()

    def subtract(self, other: "ConfidenceTally") -> None:
        """Take out what was added; where confidences are rounded, the nearest one."""
        for name in ("cases", "size_squares", "wrong_squares", "products"):
            setattr(self, name, getattr(self, name) - getattr(other, name))
        for own, less in ((self.right, other.right), (self.wrong, other.wrong)):
            for confidence, number in less.items():
                key = round_confidence(confidence) if self.is_rounded else confidence
                own[key] = max(0, own.get(key, 0) - number)

    def _limit(self) -> None:
        if len(self.right) + len(self.wrong) <= MOST_VALUES:
            return
        self.is_rounded = True
        for name in ("right", "wrong"):
            coarse = dict[float, int]()
            for confidence, number in getattr(self, name).items():
                key = round_confidence(confidence)
                coarse[key] = coarse.get(key, 0) + number
            setattr(self, name, coarse)


@dataclass(slots=True)
class ConfidenceSummary:
    """The confidences of one evaluator."""

    whole: ConfidenceTally = field(default_factory=ConfidenceTally)
    attributes: dict[str, ConfidenceTally] = field(default_factory=dict)
    missing: int = 0
    """The number of values without a confidence."""
    invalid: int = 0
    """The number of confidences that are not a number from 0 to 1."""
    invalid_at: str = ""
    """The path of the first of them."""
    omitted: int = 0
    """The number of values that rows do not list, because their case has very many."""

    def add(self, observations: Any) -> None:
        """Add the observations of one result; a results file may hold anything there."""
        if not isinstance(observations, dict):
            return
        right, wrong = (dict(_read_side(observations.get(side))) for side in ("right", "wrong"))
        if right or wrong:
            self.whole.add([c for own in right.values() for c in own], [c for own in wrong.values() for c in own])
        for attribute in right | wrong:
            tally = self.attributes.get(attribute)
            if tally is None:
                tally = self.attributes[attribute] = ConfidenceTally()
            tally.add(right.get(attribute, []), wrong.get(attribute, []))
        for name in ("missing", "invalid", "omitted"):
            number = observations.get(name)
            if type(number) is int and number > 0:
                setattr(self, name, getattr(self, name) + number)
        self.invalid_at = self.invalid_at or str(observations.get("invalid_at") or "")

    def subtract(self, observations: Any) -> None:
        """Take the observations of one result out of the figures; what they lack is still counted."""
        gone = ConfidenceSummary()
        gone.add(observations)
        self.whole.subtract(gone.whole)
        for attribute, tally in gone.attributes.items():
            self.attributes[attribute].subtract(tally)

    def merge(self, other: "ConfidenceSummary") -> None:
        self.whole.merge(other.whole)
        for attribute, tally in other.attributes.items():
            self.attributes.setdefault(attribute, ConfidenceTally()).merge(tally)
        for name in ("missing", "invalid", "omitted"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.invalid_at = self.invalid_at or other.invalid_at


def round_confidence(confidence: float) -> float:
    """Round to three digits of the distance to 0 or 1, whichever is nearer: 0.99994 and 0.99997 stay apart."""
    if confidence > 0.5:
        return 1 - float(f"{1 - confidence:.{_DIGITS}g}")
    return float(f"{confidence:.{_DIGITS}g}")


def _count(counts: dict[float, int], confidences: list[float]) -> None:
    for confidence in confidences:
        counts[confidence] = counts.get(confidence, 0) + 1


def _read_side(side: Any) -> Iterator[tuple[str, list[float]]]:
    for attribute, confidences in side.items() if isinstance(side, Mapping) else ():
        if isinstance(confidences, list):
            valid = [float(c) for c in confidences if type(c) in (int, float) and 0 <= c <= 1]
            if valid:
                yield str(attribute), valid
