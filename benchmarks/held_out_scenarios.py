"""Scenarios that were written down, and committed, before the intervals and the test of a diff were changed.

One of them was used: the interval of a change became wider after it had covered too little where 30 % break.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from simulated_documents import Draw, Floats, OneValue, one_value, rows_of_lists

Generator = np.random.Generator
Size = tuple[int, int]


def three_fields(chance: Generator, size: Size) -> Floats:
    """Three fields a case, seven in ten are right; some cases are hard."""
    return chance.binomial(3, chance.beta(7, 3, size)) / 3


def twenty_fields(chance: Generator, size: Size) -> Floats:
    """Twenty fields a case, nearly all are right."""
    return chance.binomial(20, chance.beta(32, 1, size)) / 20


def middling(chance: Generator, size: Size) -> Floats:
    return chance.beta(9, 3, size)


def low_tail(chance: Generator, size: Size) -> Floats:
    """Most scores are near 0, few are high."""
    return chance.beta(1, 4, size)


def half_ceiling(chance: Generator, size: Size) -> Floats:
    """Half the scores are 1, the others anything."""
    return np.where(chance.random(size) < 0.5, 1.0, chance.random(size))


def five_grades(chance: Generator, size: Size) -> Floats:
    """A judge's grades from 1 to 5."""
    return chance.choice([0.0, 0.25, 0.5, 0.75, 1.0], size, p=[0.05, 0.1, 0.2, 0.35, 0.3])


SCORES: dict[str, tuple[Draw, float]] = {
    "three fields a case, 70 % right": (three_fields, 0.7),
    "twenty fields a case, 97 % right": (twenty_fields, 32 / 33),
    "most between 0.6 and 0.9": (middling, 0.75),
    "most near 0, few high": (low_tail, 0.2),
    "half are 1, the others anything": (half_ceiling, 0.75),
    "five grades, most good": (five_grades, 0.6875),
}
"""Each kind of scores with its true mean."""


def value_in_half(right: float) -> Draw:
    """Half the documents have one value, the others have none and none is invented."""
    of_all = one_value(right)
    return lambda chance, size: of_all(chance, size) * (chance.random(size) < 0.5)[..., None]


ATTRIBUTES: dict[str, Draw] = {
    "one value, 70 % right": one_value(0.7),
    "one value in half of the documents, 85 % right": value_in_half(0.85),
    "2 rows a list, 90 % right": rows_of_lists(2, (9, 1), 0.05),
    "7 rows a list, 60 % right": rows_of_lists(7, (3, 2), 0.2),
    "30 rows a list, 90 % right": rows_of_lists(30, (9, 1), 0.1),
}


ONE_VALUES = {
    "one value, 70 % right": OneValue(0.7),
    "one value in half of the documents, 85 % right": OneValue(0.85, 0.5),
}
"""Those of the attributes that are documents with at most one value."""


def lose_some_of_three(chance: Generator, size: Size) -> Floats:
    """Three fields a case; the second run reads each 15 % less often right."""
    right = chance.beta(7, 3, size)
    return (chance.binomial(3, 0.85 * right) - chance.binomial(3, right)) / 3


def drop_some(chance: Generator, size: Size) -> Floats:
    """One case in ten loses a half, all move a little."""
    return np.where(chance.random(size) < 0.1, -0.5, 0.0) + chance.normal(0, 0.02, size)


def move_grades(chance: Generator, size: Size) -> Floats:
    """Most grades stay, some change by one grade, few by two."""
    return chance.choice([-0.5, -0.25, 0.0, 0.25, 0.5], size, p=[0.05, 0.2, 0.6, 0.13, 0.02])


MEAN_SHIFTS: dict[str, tuple[Draw, float]] = {
    "mean score, three fields": (lose_some_of_three, -0.15 * 0.7),
    "mean score, one in ten loses a half": (drop_some, -0.05),
    "mean score, grades": (move_grades, -0.0325),
}
"""Each kind of differences with its true mean."""
RATE_SHIFTS = ((0.1, 0.1), (0.3, 0.02))
"""The share of cases that break, and that are fixed."""
F1_SHIFTS: dict[str, tuple[Draw, Draw]] = {
    "F1, one value a document, fewer errors": (one_value(0.9), one_value(0.7)),
    "F1, 7 rows a list": (rows_of_lists(7, (3, 2), 0.2), rows_of_lists(7, (5, 2), 0.2)),
    "F1, 2 rows a list": (rows_of_lists(2, (9, 1), 0.05), rows_of_lists(2, (8, 2), 0.05)),
}
"""Three documents in ten are read again by the second system."""


def four_fields_twice(chance: Generator, cases: int) -> tuple[Floats, Floats]:
    """One system reads four fields of each case twice."""
    right = chance.beta(4, 1, cases)
    return chance.binomial(4, right) / 4, chance.binomial(4, right) / 4


def grades_twice(chance: Generator, cases: int) -> tuple[Floats, Floats]:
    """One judge grades from 1 to 5 twice, and one grade in four is drawn anew."""
    first, again = five_grades(chance, (2, cases))
    return first, np.where(chance.random(cases) < 0.25, again, first)


def small_gains_larger_losses(chance: Generator, cases: int) -> tuple[Floats, Floats]:
    """Skewed, with a mean of 0: three cases in five gain 0.04, one in five loses 0.12. None passes."""
    return np.full(cases, 0.4), 0.4 + chance.choice([0.04, -0.12, 0.0], cases, p=[0.6, 0.2, 0.2])


def gamma_moves(chance: Generator, cases: int) -> tuple[Floats, Floats]:
    """Skewed, with a mean of 0: every case moves by a gamma variable that is centred. None passes."""
    return np.full(cases, 0.3), 0.3 + np.clip(chance.gamma(2, 0.05, cases) - 0.1, -0.2, 0.5)


Twice = Callable[[Generator, int], tuple[Floats, Floats]]
TWICE: dict[str, Twice] = {
    "one system twice, four fields a case": four_fields_twice,
    "one judge twice, five grades": grades_twice,
    "many small gains, some larger losses, 0 on average": small_gains_larger_losses,
    "all move, skewed, 0 on average": gamma_moves,
}


def short_lists_twice(chance: Generator, cases: int) -> tuple[Floats, Floats]:
    """The tp, fp and fn of lists of one to four rows, which one system reads twice."""
    rows, right = 1 + chance.binomial(3, 0.4, cases), chance.beta(9, 1, cases)
    first, second = (chance.binomial(rows, right) for _ in range(2))
    return _count_rows(first, rows), _count_rows(second, rows)


def skewed_lists(chance: Generator, cases: int) -> tuple[Floats, Floats]:
    """Skewed, F1 stays: two lists in five lose one of eight rows, and one in five gains two."""
    kind = chance.choice(3, cases, p=[0.4, 0.2, 0.4])
    rows = np.full(cases, 8.0)
    return _count_rows(np.where(kind == 1, 5.0, 7.0), rows), _count_rows(np.where(kind == 0, 6.0, 7.0), rows)


def _count_rows(right: NDArray[Any], rows: NDArray[Any]) -> Floats:
    return np.column_stack([right, rows - right, rows - right]).astype(float)


F1_TWICE: dict[str, Twice] = {
    "F1: lists of one to four rows, read twice": short_lists_twice,
    "F1: some lists lose a row, fewer gain two, 0 on average": skewed_lists,
}
