"""Counts and sums → intervals."""

import math
from typing import NamedTuple

Z95 = 1.959963984540054
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
    """Estimate the mean of scores in 0..1, with Student's interval cut to that range."""
    if not count:
        return Estimate(0.0, 0.0, 1.0)
    value = total / count
    if count == 1:
        return Estimate(value, 0.0, 1.0)
    variance = max(0.0, (squares - total * value) / (count - 1))
    spread = student_quantile(count - 1) * math.sqrt(variance / count)
    return Estimate(value, max(0.0, value - spread), min(1.0, value + spread))


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
