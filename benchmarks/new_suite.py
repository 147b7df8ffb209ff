"""What does `evalctl init --from` cost for 100,000 cases, against parsing them? Ratios, in one run.

pip install . && python benchmarks/new_suite.py
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from figure import Effort, Figure, run_benchmark
from timing import divide, read_work, time_in_turns

CASES = 100_000


def measure(effort: Effort) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "cases.jsonl"
        with file.open("w", encoding="utf-8") as rows:
            rows.writelines(json.dumps(build_row(number)) + "\n" for number in range(CASES))
        parse = f"import json\nfor line in open({str(file)!r}, 'rb'): json.loads(line)"
        draft = f"from agentv_py.suite.draft import draft_suite\ndraft_suite({str(file)!r}, (), '.')"
        turns = count()
        parsing, writing, whole = time_in_turns(
            lambda: run(folder, "-c", parse),
            lambda: run(folder, "-c", draft),
            lambda: run(folder, "-m", "agentv_py", "init", str(next(turns)), "--from", file.name),
            rounds=effort.rounds(3),
            clock=read_work,
        )
    question = f"`init --from` of {CASES:,} cases: write the suite, against parsing all cases with Python's `json`"
    yield Figure("write", question, divide(writing, parsing), "at most", 1)
    question = "the same with the check of all cases and a run of the first 1,000"
    yield Figure("check", question, divide(whole, parsing), "at most", 3)


def build_row(number: int) -> dict[str, object]:
    rows = [{"sku": f"A-{n}", "description": "Hex bolt, stainless", "quantity": n, "price": n / 4} for n in range(3)]
    value = {
        "invoice_number": f"INV-{number:06}",
        "issue_date": f"2025-{number % 12 + 1:02}-{number % 28 + 1:02}",
        "supplier": {"name": f"Firm {number} GmbH", "vat_id": f"DE{number:09}"},
        "total": number / 100,
        "line_items": rows,
    }
    return {"id": str(number), "expected": value, "candidate": value}


def run(folder: Path, *arguments: str) -> None:
    subprocess.run([sys.executable, *arguments], cwd=folder, capture_output=True, check=True)


if __name__ == "__main__":
    run_benchmark(measure)
