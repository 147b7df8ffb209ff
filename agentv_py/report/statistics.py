"""Counts and sums → intervals; the p-values of several tests → p-values adjusted for their number."""

import math
from collections.abc import Sequence
from typing import NamedTuple

Z95 = 1.959963984540054
_UNSEEN = 0.2
"""The part of a unit that each bound adds at its own end of the range, because such units may be unseen."""
_LEAST_CASES = 0.5
_TINY = 1e-300
_FEW_DEGREES = (
    12.706204736174698, 4.302652729749462, 3.182446305283708, 2.776445105197793, 2.570581835636316, 2.446911851144979,
    2.364624251592784,
)  # fmt: skip


class Estimate(NamedTuple):
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float


class RatioSums:
    """Units, each with a part of a whole (a score of 1; the right ones of its values): the sums of an interval."""

    def __init__(
        self,
        units: int = 0,
        parts: float = 0,
        wholes: float = 0,
        part_squares: float = 0,
        products: float = 0,
        whole_squares: float = 0,
    ) -> None:
        self.units = units
        self.parts, self.wholes = parts, wholes
        self.part_squares, self.products, self.whole_squares = part_squares, products, whole_squares

    def add(self, part: int, whole: int, times: int) -> None:
        """Add so many equal units. A unit without a whole says nothing about the ratio."""
        if whole:
            self.units += times
            self.parts += part * times
            self.wholes += whole * times
            self.part_squares += part * part * times
            self.products += part * whole * times
            self.whole_squares += whole * whole * times

    def merge(self, other: "RatioSums") -> None:
        self.units += other.units
        self.parts += other.parts
        self.wholes += other.wholes
        self.part_squares += other.part_squares
        self.products += other.products
        self.whole_squares += other.whole_squares

    def mirror(self) -> "RatioSums":
        """Return the sums of what each part lacks to its whole."""
        lacks = self.whole_squares - self.products
        squares = lacks - self.products + self.part_squares
        return RatioSums(self.units, self.wholes - self.parts, self.wholes, squares, lacks, self.whole_squares)


def estimate_share(successes: int, total: int) -> Estimate:
    """Estimate the share of successes, with Wilson's interval."""
    if not total:
        return Estimate(0.0, 0.0, 1.0)
    share, others = successes / total, (total - successes) / total
    return Estimate(share, _find_lower_end(share, total), max(share, 1 - _find_lower_end(others, total)))


def estimate_mean(total: float, squares: float, count: int) -> Estimate:
    """Estimate the mean of scores in 0..1, from their sum and the sum of their squares."""
    estimate = estimate_ratio(RatioSums(count, total, count, squares, total, count))
    return estimate or Estimate(0.0, 0.0, 1.0)


def estimate_ratio(sums: RatioSums) -> Estimate | None:
    """Estimate the ratio of all parts to all wholes; None if there is no whole.

    The interval is Wilson's for as many cases that pass or fail as spread like these units. So units of 0 or 1 have
    Wilson's interval itself, units that are alike have a narrower one, and twelve scores of 1 do not prove a mean of 1.
    """
    if not sums.wholes:
        return None
    value = min(1.0, max(0.0, sums.parts / sums.wholes))
    if sums.units == 1:
        return Estimate(value, 0.0, 1.0)
    mirrored = sums.mirror()
    low = _find_lower_end(value, _count_effective_cases(sums)) if sums.parts > 0 else 0.0
    lack = _find_lower_end(1 - value, _count_effective_cases(mirrored)) if mirrored.parts > 0 else 0.0
    return Estimate(value, low, max(value, 1 - lack))


def _find_lower_end(share: float, cases: float) -> float:
    """Return the lower end of Wilson's interval."""
    spread = Z95 * math.sqrt(share * (1 - share) / cases + Z95**2 / (4 * cases**2))
    low = (share + Z95**2 / (2 * cases) - spread) / (1 + Z95**2 / cases)
    return min(share, max(0.0, low))  # rounding may pass a bound


def _count_effective_cases(sums: RatioSums) -> float:
    """Return the number of cases that pass or fail whose share spreads as much as this ratio, for its lower bound.

    A fifth of a unit is added at 0, because units that are all high do not prove that none is low. The upper bound
    needs none there, so it is as tight as the units allow. As far as units are not all or nothing, their spread is
    estimated, and Student's points allow for that. Spreads within 0..1 vary about half as much as normal ones, so each
    unit counts as two degrees of freedom. If losses or gains are rare, these show the spread, and count as three each.
    """
    size = sums.wholes / sums.units
    whole = sums.wholes + _UNSEEN * size
    ratio = sums.parts / whole
    added = _UNSEEN * (ratio * size) ** 2
    rest = sums.part_squares - 2 * ratio * sums.products + ratio**2 * sums.whole_squares
    cases = max(_LEAST_CASES, ratio * (1 - ratio) * whole**2 / max(rest + added, added, _TINY) - _UNSEEN)
    graded = 1 - min(1.0, sums.units / cases)
    degrees = min(2 * (sums.units - 1), 3 * cases * min(ratio, 1 - ratio) + 1)
    return float(cases * (Z95 / student_quantile(degrees)) ** (2 * graded))


def compute_beta_share(x: float, a: float, b: float) -> float:
    """Return the share of a beta distribution below x, by its continued fraction (Lentz's method)."""
    if x > (a + 1) / (a + b + 2):
        return 1 - compute_beta_share(1 - x, b, a)
    constant = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    fraction = d
    for m in range(1, 10_000):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            c, d = 1 + term / c, 1 / (1 + term * d)
            fraction *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return math.exp(constant) * fraction / a


def student_quantile(degrees: float) -> float:
    """Return the 97.5 % point of Student's t: from a table for few degrees, else from its expansion."""
    if degrees < len(_FEW_DEGREES):
        fewer = max(1, int(degrees))
        share = fewer * ((fewer + 1) / max(degrees, 1) - 1)
        return float(_FEW_DEGREES[fewer - 1] ** share * _FEW_DEGREES[fewer] ** (1 - share))
    z, n = Z95, degrees
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )


def adjust_p_values(p_values: Sequence[float]) -> list[float]:
    """Adjust each p-value for the number of tests, by Holm's method."""
    adjusted, highest = [0.0] * len(p_values), 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = highest
    return adjusted
