"""How fast is a diff of large files against parsing them, and does a row's size cost memory? Ratios, in one run.

python benchmarks/diff.py
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import orjson
from corpus import SUITE, invoices
from timing import peak_memory, show, time_in_turns

ROWS = 200_000
FEW = 20_000


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        cases = invoices(ROWS)
        results("baseline", cases)
        for case in cases[::50]:
            case["candidate"]["invoice"]["number"] = "?"
        results("candidate", cases)
        diff_against_json()
        memory_of_large_rows_against_small(cases[:FEW])


def results(name: str, cases: list[dict[str, Any]]) -> None:
    Path("cases.jsonl").write_bytes(b"".join(orjson.dumps(case) + b"\n" for case in cases))
    Path("suite.yaml").write_text(SUITE.format(dataset="cases.jsonl"), encoding="utf-8")
    evalctl("run", "suite.yaml", "-q", "-o", f"{name}.jsonl")


def diff_against_json() -> None:
    def parse() -> None:
        for name in ("baseline", "candidate"):
            with Path(f"{name}.jsonl").open("rb") as file:
                for line in file:
                    orjson.loads(line)

    ours, theirs = time_in_turns(lambda: evalctl("diff", "baseline.jsonl", "candidate.jsonl"), parse, rounds=3)
    what = f"evalctl diff of two files of {ROWS:,} rows, start included, against orjson parsing both"
    show(what, ours / theirs, "at most 4")
    print(f"    {ours:.1f} s against {theirs:.1f} s")


def memory_of_large_rows_against_small(cases: list[dict[str, Any]]) -> None:
    peaks = []
    for size in (1, 10):
        for case in cases:
            case["expected"]["text"] = case["candidate"]["text"] = "x" * 2_000 * size
        results("few", cases)
        os.link("few.jsonl", f"few-{size}.jsonl")
        peaks.append(peak_memory("diff", f"few-{size}.jsonl", f"few-{size}.jsonl", "-o", "report.txt"))
        Path("few.jsonl").unlink()
    show(
        f"peak memory of a diff of {FEW:,} rows of about 50 kB against rows of about 6 kB",
        peaks[1] / peaks[0],
        "at most 1.2",
    )
    print(f"    {peaks[1] / 1024:.0f} MiB")


def evalctl(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "agentv_py", *arguments], capture_output=True, check=False)


if __name__ == "__main__":
    main()
