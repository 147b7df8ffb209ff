"""What does a judge cost, against a bare start of its interpreter, and against a judge that stays? Ratios, in one run.

pip install . && python benchmarks/judges.py
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from figure import Effort, Figure, run_benchmark
from timing import ROUNDS, divide, evalctl, read_work, time_in_turns

from agentv_py.case import Case
from agentv_py.evaluators.code_judge import CodeJudge
from agentv_py.process.persistent import stop_persistent

CALLS = 20
SDK = "from agentv_py import judge\njudge.run(lambda payload: float(payload.candidate == payload.expected))\n"
BARE = "import sys\nsys.stdin.read()\nprint('{\"score\": 1}')\n"
WORK = "import sys\nsys.stdin.read()\nsum(range(3_000_000))\nprint('{\"score\": 1}')\n"


def measure(effort: Effort) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, source in (("sdk.py", SDK), ("bare.py", BARE), ("work.py", WORK)):
            Path(name).write_text(source, encoding="utf-8")
        yield compare_call_with_bare_process(effort)
        yield compare_persistent_with_process_per_case(effort)
        yield compare_jobs(effort)


def judge(**options: Any) -> CodeJudge:
    return CodeJudge.model_validate({"type": "code_judge", **options})


def bare(_call: int) -> None:
    subprocess.run([sys.executable, "bare.py"], input=b"{}", capture_output=True, check=True)


def compare_call_with_bare_process(effort: Effort) -> Figure:
    evaluator, case = judge(script="bare.py"), Case("x", {"a": 1}, {"a": 1})
    mine, floor = time_in_turns(
        lambda: [evaluator.evaluate(case) for _ in range(CALLS)],
        lambda: list(map(bare, range(CALLS))),
        rounds=effort.rounds(ROUNDS),
        clock=read_work,
    )
    question = "a judge call against a bare start of the same interpreter"
    return Figure("call", question, divide(mine, floor), "at most", 1.2, f"{median(mine) / CALLS * 1e3:.1f} ms")


def compare_persistent_with_process_per_case(effort: Effort) -> Figure:
    once, stays, case = judge(script="sdk.py"), judge(script="sdk.py", persistent=True), Case("x", {"a": 1}, {"a": 1})
    stays.evaluate(case)
    slow, fast = time_in_turns(
        lambda: [once.evaluate(case) for _ in range(CALLS)],
        lambda: [stays.evaluate(case) for _ in range(50 * CALLS)],
        rounds=effort.rounds(ROUNDS),
    )
    stop_persistent()
    ratios = [50 * ratio for ratio in divide(slow, fast)]
    question = "calls per second of a persistent Python judge against one process per case"
    note = f"{median(fast) / CALLS / 50 * 1e3:.2f} ms against {median(slow) / CALLS * 1e3:.1f} ms"
    return Figure("persistent", question, ratios, "at least", 50, note)


def compare_jobs(effort: Effort) -> Figure:
    cases = "\n".join(f"  - {{id: c{n}, candidate: 1}}" for n in range(24))
    suite = f"evaluators: [{{type: code_judge, script: work.py}}]\ncases:\n{cases}\n"
    Path("s.yaml").write_text(suite, encoding="utf-8")

    def run(jobs: str) -> None:
        evalctl("run", "s.yaml", "-q", "-o", "r.jsonl", "-j", jobs)

    one, two = time_in_turns(lambda: run("1"), lambda: run("2"), rounds=effort.rounds(5))
    question = "24 judges that compute, `-j 1` against `-j 2` on two cores, in elapsed time"
    return Figure("jobs", question, divide(one, two), "at least", 1.5)


if __name__ == "__main__":
    run_benchmark(measure)
