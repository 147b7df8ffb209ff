"""How long does a document of eight fields take Stickler and pydantic-evals, against evalctl? Ratios, in one run.

    pip install '.[bench]' && python benchmarks/peers.py

End to end means: read the rows from a file, score them, keep every score. Ours is the whole command: start, checks of
all rows and results on disk count. pydantic-evals compares each document by ==, which is the least that it can do.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import orjson
from corpus import SUITE, invoices
from figure import Effort, Figure, run_benchmark
from pydantic_evals import Case as TheirCase
from pydantic_evals import Dataset
from pydantic_evals.evaluators import EqualsExpected
from stickler import ComparableField, StructuredModel
from stickler.comparators import (
    DateComparator,
    ExactComparator,
    FuzzyComparator,
    LevenshteinComparator,
    NumericComparator,
)
from timing import ROUNDS, Subject, divide, evalctl, read_work, time_in_turns

from agentv_py import compare, date, exact, fuzzy, numeric_tolerance
from agentv_py.case import Case
from agentv_py.suite.load import load
from agentv_py.suite.selection import Selection

DOCUMENTS = 2_000
MANY = 20 * DOCUMENTS
COMPARATORS = {
    "invoice": {"number": exact, "date": date, "total": numeric_tolerance(tolerance=0.01), "currency": exact},
    "vendor": {"name": fuzzy, "country": exact},
    "buyer": {"name": fuzzy(algorithm="jaro_winkler"), "vat": exact},
}


class Invoice(StructuredModel):  # type: ignore[misc]
    number: str = ComparableField(comparator=ExactComparator(), threshold=1.0)
    date: str = ComparableField(comparator=DateComparator(), threshold=1.0)
    total: float = ComparableField(comparator=NumericComparator(absolute_tolerance=0.01), threshold=1.0)
    currency: str = ComparableField(comparator=ExactComparator(), threshold=1.0)


class Vendor(StructuredModel):  # type: ignore[misc]
    name: str = ComparableField(comparator=LevenshteinComparator(), threshold=0.85)
    country: str = ComparableField(comparator=ExactComparator(), threshold=1.0)


class Buyer(StructuredModel):  # type: ignore[misc]
    name: str = ComparableField(comparator=FuzzyComparator(), threshold=0.85)
    vat: str = ComparableField(comparator=ExactComparator(), threshold=1.0)


class Document(StructuredModel):  # type: ignore[misc]
    invoice: Invoice = ComparableField(threshold=1.0)
    vendor: Vendor = ComparableField(threshold=1.0)
    buyer: Buyer = ComparableField(threshold=1.0)


def measure(effort: Effort) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        many = invoices(MANY)
        cases = many[:DOCUMENTS]
        for name, some in (("cases.jsonl", cases), ("many.jsonl", many)):
            Path(name).write_bytes(b"".join(orjson.dumps(case) + b"\n" for case in some))
        Path("suite.yaml").write_text(SUITE.format(dataset="many.jsonl"), encoding="utf-8")
        yield from compare_in_one_process(effort, cases)
        yield from compare_end_to_end(effort, cases)


def compare_in_one_process(effort: Effort, cases: list[dict[str, Any]]) -> Iterator[Figure]:
    pairs = [(Document(**case["expected"]), Document(**case["candidate"])) for case in cases]
    [evaluator] = load("suite.yaml", Selection()).suite.evaluators or []
    ready = [Case(case["id"], case["expected"], case["candidate"]) for case in cases]
    suite, stickler = _time(
        effort,
        lambda: [evaluator.evaluate(case) for case in ready],
        lambda: [expected.compare_with(actual, include_confusion_matrix=True) for expected, actual in pairs],
    )
    note = f"{_show_each(suite)} against {_show_each(stickler)}"
    question = "a document of 8 fields, values in memory: Stickler's time against ours"
    yield Figure("stickler", question, divide(stickler, suite), "at least", 20, note)


def compare_end_to_end(effort: Effort, cases: list[dict[str, Any]]) -> Iterator[Figure]:
    def call() -> None:
        for case in cases:
            compare(case["expected"], case["candidate"], COMPARATORS)

    whole, stickler, pydantic, called = _time(effort, run_ours, run_stickler, run_pydantic_evals, call)
    ours = [seconds * DOCUMENTS / MANY for seconds in whole]
    question = "a document of 8 fields end to end: the time of {} against ours"
    note = f"{_show_each(ours)} against {_show_each(stickler)} and {_show_each(pydantic)}"
    yield Figure("stickler_whole", question.format("Stickler"), divide(stickler, ours), "at least", 30, note)
    yield Figure("pydantic_whole", question.format("pydantic-evals"), divide(pydantic, ours), "at least", 6)
    question = "`compare()` from Python against the same document end to end in a suite"
    yield Figure("compare", question, divide(called, ours), "at most", 1.5, _show_each(called))


def run_ours() -> None:
    evalctl("run", "suite.yaml", "-j", "1", "-q", "-o", "results.jsonl")


def run_stickler() -> None:
    for line in Path("cases.jsonl").read_bytes().splitlines():
        case = orjson.loads(line)
        Document(**case["expected"]).compare_with(Document(**case["candidate"]), include_confusion_matrix=True)


def run_pydantic_evals() -> None:
    rows = [orjson.loads(line) for line in Path("cases.jsonl").read_bytes().splitlines()]
    cases = [TheirCase(name=row["id"], inputs=row["candidate"], expected_output=row["expected"]) for row in rows]
    dataset = Dataset(name="invoices", cases=cases, evaluators=[EqualsExpected()])
    assert len(dataset.evaluate_sync(give_back, progress=False).cases) == DOCUMENTS


async def give_back(candidate: dict[str, Any]) -> dict[str, Any]:
    return candidate


def _time(effort: Effort, *subjects: Subject) -> list[list[float]]:
    return time_in_turns(*subjects, rounds=effort.rounds(ROUNDS), clock=read_work)


def _show_each(times: list[float]) -> str:
    return f"{median(times) / DOCUMENTS * 1e6:.0f} µs"


if __name__ == "__main__":
    run_benchmark(measure)
