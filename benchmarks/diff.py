"""How fast is a diff of large files against parsing them, and does a row's size cost memory? Ratios, in one run.

python benchmarks/diff.py
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
from timing import divide, evalctl, peak_memory, read_work, time_in_turns

ROWS = 200_000
FEW = 20_000


def measure(effort: Effort) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        cases = invoices(ROWS)
        write_results("baseline", cases)
        for case in cases[::50]:
            case["candidate"]["invoice"]["number"] = "?"
        write_results("candidate", cases)
        yield compare_diff_with_json(effort)
        yield compare_memory_of_rows(cases[:FEW])


def write_results(name: str, cases: list[dict[str, Any]]) -> None:
    Path("cases.jsonl").write_bytes(b"".join(orjson.dumps(case) + b"\n" for case in cases))
    Path("suite.yaml").write_text(SUITE.format(dataset="cases.jsonl"), encoding="utf-8")
    evalctl("run", "suite.yaml", "-q", "-o", f"{name}.jsonl")


def compare_diff_with_json(effort: Effort) -> Figure:
    def parse() -> None:
        for name in ("baseline", "candidate"):
            with Path(f"{name}.jsonl").open("rb") as file:
                for line in file:
                    orjson.loads(line)

    ours, theirs = time_in_turns(
        lambda: evalctl("diff", "baseline.jsonl", "candidate.jsonl"), parse, rounds=effort.rounds(3), clock=read_work
    )
    question = f"`diff` of two files of {ROWS:,} rows, start included, against orjson that parses both"
    note = f"{median(ours):.1f} s against {median(theirs):.1f} s"
    return Figure("diff", question, divide(ours, theirs), "at most", 4, note)


def compare_memory_of_rows(cases: list[dict[str, Any]]) -> Figure:
    peaks = []
    for size in (1, 10):
        for case in cases:
            case["expected"]["text"] = case["candidate"]["text"] = "x" * 2_000 * size
        write_results("few", cases)
        os.link("few.jsonl", f"few-{size}.jsonl")
        peaks.append(peak_memory("diff", f"few-{size}.jsonl", f"few-{size}.jsonl", "-o", "report.txt"))
        Path("few.jsonl").unlink()
    question = f"peak memory of a diff of {FEW:,} rows, of about 50 kB each against about 6 kB each"
    return Figure("memory", question, [peaks[1] / peaks[0]], "at most", 1.2, f"{peaks[1] / 1024:.0f} MiB")


if __name__ == "__main__":
    run_benchmark(measure)
