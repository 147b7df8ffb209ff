"""How fast are order-free lists, against the floor of their arithmetic and against Stickler? Ratios, in one run.

    pip install '.[bench]' && python benchmarks/lists.py

Stickler is asked for its confusion counts, and not for a list of its non-matches, which would double its time.
"""

import random
from typing import Any

import lap
import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist
from stickler import ComparableField, StructuredModel
from stickler.comparators import ExactComparator, LevenshteinComparator, NumericComparator
from timing import show, time_in_turns

from agentv_py.case import Case
from agentv_py.evaluators.object_match import ObjectMatch

WORDS = "blue red green steel brass copper widget gadget bolt nut screw plate ring valve hose pump filter".split()  # noqa: SIM905  words
NEAR = {"match": "within", "tolerance": 0.01}
ROW = {"description": {"match": "fuzzy", "threshold": 0.8}, "price": NEAR, "sku": "exact"}
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


def main() -> None:
    lists_against_stickler()
    list_against_the_floor()
    growth()
    document_against_stickler()


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


def lists_against_stickler() -> None:
    ours = evaluator({"lines": {"unordered": ROW}})
    for count in (10, 50, 100):
        expected, actual = rows(count)
        case = Case("", {"lines": expected}, {"lines": actual})
        left, right = Lines(lines=expected), Lines(lines=actual)
        mine, theirs = time_in_turns(
            lambda case=case: ours.evaluate(case),  # type: ignore[misc]
            lambda left=left, right=right: left.compare_with(right, include_confusion_matrix=True),  # type: ignore[misc]
            rounds=3,
        )
        goal = "at least 100" if count == 100 else "none"
        show(f"a list of {count} rows: Stickler against evalctl", theirs / mine, goal)
        print(f"           {mine * 1e3:.2f} ms against {theirs * 1e3:.0f} ms")


def list_against_the_floor() -> None:
    expected, actual = rows(200)
    ours = evaluator({"unordered": ROW})
    case = Case("", expected, actual)
    left, right = ([row["description"] for row in side] for side in (expected, actual))
    prices = [np.array([row["price"] for row in side]) for side in (expected, actual)]
    codes = [np.array([int(row["sku"][1:]) for row in side]) for side in (expected, actual)]

    def floor() -> None:
        near = cdist(left, right, scorer=Levenshtein.normalized_similarity, dtype=np.float64)
        near = (
            near
            + 1.0 / (1.0 + np.abs(prices[0][:, None] - prices[1][None, :]))
            + (codes[0][:, None] == codes[1][None, :])
        )
        lap.lapjvx(3.0 - near)

    mine, theirs = time_in_turns(lambda: ours.evaluate(case), floor, rounds=21)
    show("a list of 200 rows against rapidfuzz, numpy and lapx on ready columns", mine / theirs, "at most 5")
    print(f"           {mine * 1e3:.2f} ms against {theirs * 1e3:.2f} ms")


def growth() -> None:
    ours = evaluator({"unordered": ROW})
    counts = (200, 1000)
    cases = [Case("", *rows(count)) for count in counts]
    few, many = time_in_turns(*(lambda case=case: ours.evaluate(case) for case in cases), rounds=3)
    show("1,000 rows against 200, as a multiple of the growth of n squared", many / few / 25, "close to 1")
    print(f"           {many * 1e3:.0f} ms against {few * 1e3:.1f} ms")


def document_against_stickler() -> None:
    header = dict(zip(HEADER, ("INV-1", "2025-01-15", "Acme Corp", "Globex", "USD", 123.4, 12.3, "US"), strict=True))
    expected, actual = rows(10)
    answer = header | {"vendor": "ACME Corp.", "total": 150.0, "lines": actual}
    scalars = dict.fromkeys(HEADER, "exact") | dict.fromkeys(("vendor", "buyer"), "fuzzy")
    numbers = {"total": NEAR, "tax": NEAR}
    ours = evaluator(scalars | numbers | {"lines": {"unordered": ROW}})
    case = Case("", header | {"lines": expected}, answer)
    left, right = Document(**header, lines=expected), Document(**answer)
    mine, theirs = time_in_turns(
        lambda: [ours.evaluate(case) for _ in range(20)],
        lambda: left.compare_with(right, include_confusion_matrix=True),
    )
    show("8 scalars and 10 rows: Stickler against evalctl", theirs / mine * 20, "at least 100")
    print(f"           {mine / 20 * 1e3:.2f} ms against {theirs * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
