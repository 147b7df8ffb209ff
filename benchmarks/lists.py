"""How fast are order-free lists, against the floor of their arithmetic and against Stickler? Ratios, in one run.

    pip install '.[bench]' && python benchmarks/lists.py

Stickler is asked for its confusion counts, and not for a list of its non-matches, which would double its time.
"""

import random
from collections.abc import Iterator
from statistics import median
from typing import Any

import lap
import numpy as np
from figure import Effort, Figure, run_benchmark
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from stickler import ComparableField, StructuredModel
from stickler.comparators import ExactComparator, LevenshteinComparator, NumericComparator
from timing import ROUNDS, divide, read_work, time_in_turns

from agentv_py.case import Case
from agentv_py.evaluators.object_match import ObjectMatch

WORDS = "blue red green steel brass copper widget gadget bolt nut screw plate ring valve hose pump filter".split()  # noqa: SIM905  words
NEAR = {"match": "within", "tolerance": 0.01}
ROW = {"description": {"match": "fuzzy", "threshold": 0.8}, "price": NEAR, "sku": "exact"}
REPEATS = 5
HEADER = ("number", "date", "vendor", "buyer", "currency", "total", "tax", "country")


class Line(StructuredModel):  # type: ignore[misc]
    match_threshold = 0.7
    description: str = ComparableField(comparator=LevenshteinComparator(), threshold=0.8)
    price: float = ComparableField(comparator=NumericComparator(relative_tolerance=0.01), threshold=1.0)
    sku: str = ComparableField(comparator=ExactComparator(), threshold=1.0)


class Lines(StructuredModel):  # type: ignore[misc]
    lines: list[Line] = ComparableField()


class Document(StructuredModel):  # type: ignore[misc]
    number: str = ComparableField(comparator=ExactComparator(), threshold=1.0)
    date: str = ComparableField(comparator=ExactComparator(), threshold=1.0)
    vendor: str = ComparableField(comparator=LevenshteinComparator(), threshold=0.8)
    buyer: str = ComparableField(comparator=LevenshteinComparator(), threshold=0.8)
    currency: str = ComparableField(comparator=ExactComparator(), threshold=1.0)
    total: float = ComparableField(comparator=NumericComparator(relative_tolerance=0.01), threshold=1.0)
    tax: float = ComparableField(comparator=NumericComparator(relative_tolerance=0.01), threshold=1.0)
    country: str = ComparableField(comparator=ExactComparator(), threshold=1.0)
    lines: list[Line] = ComparableField()


def measure(effort: Effort) -> Iterator[Figure]:
    yield from compare_lists_with_stickler(effort)
    yield compare_document_with_stickler(effort)
    yield compare_list_with_the_floor(effort)
    yield measure_growth(effort)


def rows(count: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Rows, and a shuffled copy in which every third has a typo and every fifth another price."""
    chance = random.Random(0)
    expected: list[dict[str, Any]] = [
        {
            "description": " ".join(chance.choices(WORDS, k=4)),
            "price": chance.randint(1, 50_000) / 100,
            "sku": f"S{n:05d}",
        }
        for n in range(count)
    ]
    actual = [dict(row) for row in expected]
    for number, row in enumerate(actual):
        if number % 3 == 0:
            row["description"] = row["description"].replace("e", "a", 1)
        if number % 5 == 0:
            row["price"] = round(row["price"] * 1.2, 2)
    chance.shuffle(actual)
    return expected, actual


def evaluator(comparators: dict[str, Any]) -> ObjectMatch:
    return ObjectMatch.model_validate({"type": "object_match", "comparators": comparators})


def compare_lists_with_stickler(effort: Effort) -> Iterator[Figure]:
    ours = evaluator({"lines": {"unordered": ROW}})
    for count, goal in ((10, 20), (100, 100)):
        expected, actual = rows(count)
        case = Case("", {"lines": expected}, {"lines": actual})
        left, right = Lines(lines=expected), Lines(lines=actual)
        ours.evaluate(case)  # loads what a first call loads
        mine, theirs = time_in_turns(
            lambda case=case: ours.evaluate(case),  # type: ignore[misc]
            lambda left=left, right=right: left.compare_with(right, include_confusion_matrix=True),  # type: ignore[misc]
            rounds=effort.rounds(5),
            clock=read_work,
        )
        question = f"a shuffled, noisy list of {count} rows of 3 fields: Stickler's time against ours"
        yield Figure(f"stickler_{count}", question, divide(theirs, mine), "at least", goal, show_times(mine, theirs))


def compare_list_with_the_floor(effort: Effort) -> Figure:
    expected, actual = rows(200)
    ours = evaluator({"unordered": ROW})
    case = Case("", expected, actual)
    left, right = ([row["description"] for row in side] for side in (expected, actual))
    prices = [np.array([row["price"] for row in side]) for side in (expected, actual)]
    codes = [np.array([int(row["sku"][1:]) for row in side]) for side in (expected, actual)]

    def floor() -> object:
        near = cdist(left, right, scorer=Levenshtein.normalized_similarity, dtype=np.float64)
        near = (
            near
            + 1.0 / (1.0 + np.abs(prices[0][:, None] - prices[1][None, :]))
            + (codes[0][:, None] == codes[1][None, :])
        )
        return lap.lapjvx(3.0 - near)

    ours.evaluate(case)
    mine, theirs = time_in_turns(
        lambda: [ours.evaluate(case) for _ in range(REPEATS)],
        lambda: [floor() for _ in range(REPEATS)],
        rounds=effort.rounds(ROUNDS),
        clock=read_work,
    )
    question = "a list of 200 rows against rapidfuzz, numpy and lapx on ready columns"
    return Figure("floor", question, divide(mine, theirs), "at most", 5, show_times(mine, theirs, REPEATS))


def measure_growth(effort: Effort) -> Figure:
    ours = evaluator({"unordered": ROW})
    counts = (200, 1000)
    cases = [Case("", *rows(count)) for count in counts]
    few, many = time_in_turns(
        lambda: [ours.evaluate(cases[0]) for _ in range(REPEATS)],
        lambda: ours.evaluate(cases[1]),
        rounds=effort.rounds(5),
        clock=read_work,
    )
    ratios = [ratio * REPEATS / 25 for ratio in divide(many, few)]
    return Figure("growth", "1,000 rows against 200, over the growth of n²", ratios, "at most", 1.2)


def compare_document_with_stickler(effort: Effort) -> Figure:
    header = dict(zip(HEADER, ("INV-1", "2025-01-15", "Acme Corp", "Globex", "USD", 123.4, 12.3, "US"), strict=True))
    expected, actual = rows(10)
    answer = header | {"vendor": "ACME Corp.", "total": 150.0, "lines": actual}
    scalars = dict.fromkeys(HEADER, "exact") | dict.fromkeys(("vendor", "buyer"), "fuzzy")
    numbers = {"total": NEAR, "tax": NEAR}
    ours = evaluator(scalars | numbers | {"lines": {"unordered": ROW}})
    case = Case("", header | {"lines": expected}, answer)
    left, right = Document(**header, lines=expected), Document(**answer)
    mine, theirs = time_in_turns(
        lambda: [ours.evaluate(case) for _ in range(100 * REPEATS)],
        lambda: [left.compare_with(right, include_confusion_matrix=True) for _ in range(REPEATS)],
        rounds=effort.rounds(ROUNDS),
        clock=read_work,
    )
    ratios = [100 * ratio for ratio in divide(theirs, mine)]
    return Figure("document", "8 scalars and 10 shuffled rows: Stickler's time against ours", ratios, "at least", 100)


def show_times(mine: list[float], theirs: list[float], repeats: int = 1) -> str:
    return f"{median(mine) / repeats * 1e3:.2f} ms against {median(theirs) / repeats * 1e3:.2f} ms"


if __name__ == "__main__":
    run_benchmark(measure)
