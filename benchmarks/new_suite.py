"""What does `evalctl init --from` cost for 100,000 cases, against parsing them? Ratios of CPU time, in one run.

pip install . && python benchmarks/new_suite.py
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

from timing import show

CASES = 100_000
ROUNDS = 3


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        file = folder / "cases.jsonl"
        with file.open("w", encoding="utf-8") as rows:
            rows.writelines(json.dumps(build_row(number)) + "\n" for number in range(CASES))
        parse = f"import json\nfor line in open({str(file)!r}, 'rb'): json.loads(line)"
        draft = f"from agentv_py.suite.draft import draft_suite\ndraft_suite({str(file)!r}, (), '.')"
        parsing = measure(lambda _: ["-c", parse], folder)
        show("write the suite / parse all cases", measure(lambda _: ["-c", draft], folder) / parsing, "under 3")
        whole = measure(lambda turn: ["-m", "agentv_py", "init", str(turn), "--from", file.name], folder)
        show("write, check and run it / parse all cases", whole / parsing, "at most 3")


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


def measure(build_arguments: Callable[[int], list[str]], folder: Path) -> float:
    """Return the median CPU time of a program of its own: its start counts, too."""
    times = []
    for turn in range(ROUNDS):
        before = os.times()
        subprocess.run([sys.executable, *build_arguments(turn)], cwd=folder, capture_output=True, check=True)
        after = os.times()
        times.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return median(times)


if __name__ == "__main__":
    main()
