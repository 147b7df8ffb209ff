"""Documents and their scores as chance draws them: what the benchmarks of intervals simulate."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, tuple[int, int]], Floats]


def uniform(chance: np.random.Generator, size: tuple[int, int]) -> Floats:
    return chance.random(size)


def bimodal(chance: np.random.Generator, size: tuple[int, int]) -> Floats:
    """Three cases in ten are nearly wrong, the others nearly right."""
    return np.where(chance.random(size) < 0.3, chance.beta(2, 8, size), chance.beta(9, 1, size))


def ceiling(chance: np.random.Generator, size: tuple[int, int]) -> Floats:
    """Nineteen scores of twenty are 1, the others between 0.5 and 1."""
    return np.where(chance.random(size) < 0.05, chance.uniform(0.5, 1, size), 1.0)


def high_ceiling(chance: np.random.Generator, size: tuple[int, int]) -> Floats:
    """Forty-nine scores of fifty are 1, the others anything."""
    return np.where(chance.random(size) < 0.02, chance.random(size), 1.0)


def eight_fields(chance: np.random.Generator, size: tuple[int, int]) -> Floats:
    """Eight fields a case, most of them right; some cases are hard."""
    return chance.binomial(8, chance.beta(8, 1, size)) / 8


SCORES: dict[Draw, float] = {
    uniform: 0.5,
    bimodal: 0.3 * 0.2 + 0.7 * 0.9,
    ceiling: 1 - 0.05 * 0.25,
    high_ceiling: 1 - 0.02 * 0.5,
    eight_fields: 8 / 9,
}
"""Each kind of scores with its true mean."""
SCORE_NAMES: dict[Draw, str] = {
    uniform: "uniform",
    bimodal: "bimodal: 3 in 10 nearly wrong, the others nearly right",
    ceiling: "ceiling: 19 in 20 are 1, the others between 0.5 and 1",
    high_ceiling: "high ceiling: 49 in 50 are 1, the others anything",
    eight_fields: "eight fields a case, most of them right",
}

RIGHT, MISREAD, MISSED, INVENTED = (1, 0, 0), (0, 1, 1), (0, 0, 1), (0, 1, 0)
"""The tp, fp and fn of a document with one value."""


def one_value(right: float) -> Draw:
    """Documents with one value each; of the wrong ones half are misread, the others missed or invented."""
    wrong = 1 - right
    kinds, shares = np.array([RIGHT, MISREAD, MISSED, INVENTED], float), [right, wrong / 2, wrong / 4, wrong / 4]
    return lambda chance, size: kinds[chance.choice(4, size, p=shares)]


def rows_of_lists(mean: int, right: tuple[int, int], surplus: float) -> Draw:
    """Lists of several rows; some documents are hard, and a share of them has a row too many."""

    def draw(chance: np.random.Generator, size: tuple[int, int]) -> Floats:
        rows = 1 + chance.poisson(mean - 1, size)
        matched = chance.binomial(rows, chance.beta(*right, size))
        misread = chance.binomial(rows - matched, 0.5)
        return np.stack([matched, misread + (chance.random(size) < surplus), rows - matched], -1).astype(float)

    return draw


class OneValue(NamedTuple):
    """Documents with at most one value: the share that is right if there is a value, and the share with a value."""

    right: float
    filled: float = 1.0

    @property
    def errors(self) -> tuple[float, float, float]:
        """The shares of all documents that are misread, missed and invented."""
        wrong = self.filled * (1 - self.right)
        return wrong / 2, wrong / 4, wrong / 4


ONE_VALUES = {f"one value, {100 * right:.0f} % right": OneValue(right) for right in (0.5, 0.8, 0.9, 0.95)}
ATTRIBUTES: dict[str, Draw] = {
    **{name: one_value(documents.right) for name, documents in ONE_VALUES.items()},
    "4 rows a list, 80 % right": rows_of_lists(4, (8, 2), 0.1),
    "4 rows a list, 95 % right": rows_of_lists(4, (19, 1), 0.02),
    "13 rows a list, 80 % right": rows_of_lists(13, (4, 1), 0.1),
}
