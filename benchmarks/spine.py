"""How fast is a run, against JSON itself, against its own start, and against Stickler? Ratios, in one run.

pip install '.[bench]' && python benchmarks/spine.py
"""

import compileall
import gc
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import orjson
from corpus import SUITE, invoices
from timing import ROUNDS, peak_memory, show, time_in_turns

import agentv_py
from agentv_py.case import Case
from agentv_py.suite.load import load
from agentv_py.suite.selection import Selection

CASES = 20_000
MANY = 200_000
DOCUMENTS = 500


def main() -> None:
    # pip compiles an installed package. A checkout may lack the bytecode, and then every start would compile it again.
    compileall.compile_dir(str(Path(agentv_py.__file__).parent), quiet=2)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        cases = invoices(MANY)
        for count in (CASES, MANY):
            write_suite(count, cases[:count])
        start_against_typer()
        run_against_json()
        memory_of_many_against_few()
        document_against_stickler(cases[:DOCUMENTS])


def write_suite(count: int, cases: list[dict[str, Any]]) -> None:
    Path(f"{count}.jsonl").write_bytes(b"".join(orjson.dumps(case) + b"\n" for case in cases))
    Path(f"{count}.yaml").write_text(SUITE.format(dataset=f"{count}.jsonl"), encoding="utf-8")


def start_against_typer() -> None:
    ours, theirs = time_in_turns(
        lambda: spawn("-m", "agentv_py", "--version"), lambda: spawn("-c", "import typer"), rounds=3 * ROUNDS
    )
    show("evalctl --version against python -c 'import typer'", ours / theirs, "at most 1.5")


def run_against_json() -> None:
    lines = Path(f"{CASES}.jsonl").read_bytes().splitlines()
    run(CASES)
    rows = [orjson.loads(line) for line in Path("results.jsonl").read_bytes().splitlines()]

    def read_and_write_back() -> None:
        for line in lines:
            orjson.dumps(orjson.loads(line))

    def read_and_write_results() -> None:
        for line, row in zip(lines, rows, strict=True):
            orjson.loads(line)
            orjson.dumps(row)

    gc.freeze()  # otherwise the time of orjson would include garbage collection of this benchmark's own data
    ours, back, results = time_in_turns(lambda: run(CASES), read_and_write_back, read_and_write_results)
    what = f"evalctl run -j 1 of {CASES:,} cases x 8 fields"
    show(f"{what} against orjson reading what it reads and writing what it writes", ours / results, "at most 20")
    show(f"{what} against orjson reading the dataset and writing it back", ours / back, "at most 20")
    print(f"    {ours / CASES * 1e6:.0f} us a case, start included; {back / CASES * 1e6:.1f} us for the dataset's JSON")


def memory_of_many_against_few() -> None:
    few, many = (peak_memory("run", f"{count}.yaml", "-j", "1", "-q", "-o", "results.jsonl") for count in (CASES, MANY))
    show(f"peak memory of {MANY:,} cases against {CASES:,}", many / few, "at most 1.2")
    print(f"    {many / 1024:.0f} MiB")


def document_against_stickler(cases: list[dict[str, Any]]) -> None:
    from stickler import ComparableField, StructuredModel
    from stickler.comparators import (
        DateComparator,
        ExactComparator,
        FuzzyComparator,
        LevenshteinComparator,
        NumericComparator,
    )

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

    pairs = [(Document(**case["expected"]), Document(**case["candidate"])) for case in cases]
    [evaluator] = load(f"{CASES}.yaml", Selection()).suite.evaluators or []
    ready = [Case(case["id"], case["expected"], case["candidate"]) for case in cases]

    def ours() -> None:
        for case in ready:
            evaluator.evaluate(case)

    def theirs() -> None:
        for expected, actual in pairs:
            expected.compare_with(actual, include_confusion_matrix=True)

    mine, stickler = time_in_turns(ours, theirs)
    show("a document of 8 fields, in-process: Stickler against evalctl", stickler / mine, "at least 20")
    each = [seconds / len(cases) * 1e6 for seconds in (mine, stickler)]
    print(f"    {each[0]:.1f} us against {each[1]:.0f} us; {each[0] / 8:.1f} us a field")


def run(count: int) -> None:
    spawn("-m", "agentv_py", "run", f"{count}.yaml", "-j", "1", "-q", "-o", "results.jsonl")


def spawn(*arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], stdout=subprocess.DEVNULL, check=False)


if __name__ == "__main__":
    main()
