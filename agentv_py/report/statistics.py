"""Counts and sums → intervals; the p-values of several tests → p-values adjusted for their number."""

import math
from collections.abc import Sequence
from typing import NamedTuple

Z95 = 1.959963984540054
LOW_TAIL = 0.025
_HALF, _TENTH = 0.5, 0.1
_MOST_STRENGTH = 1e6
_FEW_DEGREES = (
    12.706204736174698, 4.302652729749462, 3.182446305283708, 2.776445105197793, 2.570581835636316, 2.446911851144979,
)  # fmt: skip


class Estimate(NamedTuple):
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float


def estimate_share(successes: int, total: int) -> Estimate:
    """Estimate the share of successes, with Wilson's interval."""
    if not total:
        return Estimate(0.0, 0.0, 1.0)
    share = successes / total
    spread = Z95 * math.sqrt(share * (1 - share) / total + Z95**2 / (4 * total**2))
    middle, scale = share + Z95**2 / (2 * total), 1 + Z95**2 / total
    low, high = (middle - spread) / scale, (middle + spread) / scale
    return Estimate(share, low if successes else 0.0, high if successes < total else 1.0)


def estimate_mean(total: float, squares: float, count: int) -> Estimate:
    """Estimate the mean of scores in 0..1, from their sum and the sum of their squares.

    Student's interval does not cover near the ends of the range: twelve scores of 1 have no spread. So half an
    observation is added at 0 and half an observation at 1, and the interval is that of the beta distribution with the
    resulting mean and error. For scores of 0 or 1 this is Jeffreys' interval. Such scores take few values, so the far
    end gets up to a tenth of an observation more, to be above 95 % rather than below.
    """
    if not count:
        return Estimate(0.0, 0.0, 1.0)
    value = min(1.0, max(0.0, total / count))
    if count == 1:
        return Estimate(value, 0.0, 1.0)
    mean, variance = _add_ends(total, squares, count, _HALF, _HALF)
    far = _HALF + _TENTH * variance / (mean * (1 - mean))
    low = _find_beta_bound(total, squares, count, (far, _HALF), LOW_TAIL) if total > 0 else 0.0
    high = _find_beta_bound(total, squares, count, (_HALF, far), 1 - LOW_TAIL) if total < count else 1.0
    return Estimate(value, min(low, value), max(high, value))


def _add_ends(total: float, squares: float, count: int, at_zero: float, at_one: float) -> tuple[float, float]:
    """Return the mean and the variance of the scores and of what is added at 0 and at 1."""
    weight = count + at_zero + at_one
    mean = (total + at_one) / weight
    return mean, max(0.0, (squares + at_one) / weight - mean * mean)


def _find_beta_bound(total: float, squares: float, count: int, ends: tuple[float, float], tail: float) -> float:
    mean, variance = _add_ends(total, squares, count, *ends)
    strength = mean * (1 - mean) * (count + sum(ends) + 1) / variance - 1
    return beta_quantile(tail, mean * strength, (1 - mean) * strength)


def beta_quantile(share: float, a: float, b: float) -> float:
    """Return the point below which a beta distribution has this share."""
    if a + b > _MOST_STRENGTH:  # as good as normal, and the fraction below would need many steps
        mean = a / (a + b)
        return mean + math.copysign(Z95, share - 0.5) * math.sqrt(mean * (1 - mean) / (a + b + 1))
    low, high = 0.0, 1.0
    while high - low > 1e-12 and low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if compute_beta_share(middle, a, b) < share else (low, middle)
    return (low + high) / 2


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


def student_quantile(degrees: int) -> float:
    """Return the 97.5 % point of Student's t: from a table for few degrees, else from its expansion."""
    if degrees <= len(_FEW_DEGREES):
        return _FEW_DEGREES[degrees - 1]
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
