"""What does a judge cost, against a bare start of its interpreter, and against a judge that stays? Ratios, in one run.

pip install . && python benchmarks/judges.py
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from timing import show, time_in_turns

from agentv_py.case import Case
from agentv_py.evaluators.code_judge import CodeJudge
from agentv_py.process.persistent import stop_persistent

CALLS = 20
SDK = "from agentv_py import judge\njudge.run(lambda payload: float(payload.candidate == payload.expected))\n"
BARE = "import sys\nsys.stdin.read()\nprint('{\"score\": 1}')\n"
WORK = "import sys\nsys.stdin.read()\nsum(range(3_000_000))\nprint('{\"score\": 1}')\n"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for name, source in (("sdk.py", SDK), ("bare.py", BARE), ("work.py", WORK)):
            Path(name).write_text(source, encoding="utf-8")
        call_against_spawn()
        persistent_against_process_per_case()
        two_jobs_against_one()


def judge(**options: Any) -> CodeJudge:
    return CodeJudge.model_validate({"type": "code_judge", **options})


def bare(_call: int) -> None:
    subprocess.run([sys.executable, "bare.py"], input=b"{}", capture_output=True, check=True)


def call_against_spawn() -> None:
    evaluator, case = judge(script="bare.py"), Case("x", {"a": 1}, {"a": 1})
    mine, floor = time_in_turns(
        lambda: [evaluator.evaluate(case) for _ in range(CALLS)],
        lambda: list(map(bare, range(CALLS))),
    )
    show("a judge call against a bare start of the same interpreter", mine / floor, "at most 1.2")
    print(f"           {mine / CALLS * 1e3:.1f} ms against {floor / CALLS * 1e3:.1f} ms")


def persistent_against_process_per_case() -> None:
    once, stays, case = judge(script="sdk.py"), judge(script="sdk.py", persistent=True), Case("x", {"a": 1}, {"a": 1})
    stays.evaluate(case)
    slow, fast = time_in_turns(
        lambda: [once.evaluate(case) for _ in range(CALLS)], lambda: [stays.evaluate(case) for _ in range(50 * CALLS)]
    )
    stop_persistent()
    show("calls a second of a persistent judge against one process per case", slow / fast * 50, "at least 50")
    print(f"           {fast / CALLS / 50 * 1e3:.2f} ms against {slow / CALLS * 1e3:.1f} ms")


def two_jobs_against_one() -> None:
    cases = "\n".join(f"  - {{id: c{n}, candidate: 1}}" for n in range(24))
    suite = f"evaluators: [{{type: code_judge, script: work.py}}]\ncases:\n{cases}\n"
    Path("s.yaml").write_text(suite, encoding="utf-8")

    def run(jobs: str) -> None:
        command = [sys.executable, "-m", "agentv_py", "run", "s.yaml", "-q", "-o", "r.jsonl", "-j", jobs]
        subprocess.run(command, check=True)

    one_process, two_processes = time_in_turns(lambda: run("1"), lambda: run("2"), rounds=3)
    show("-j 1 against -j 2, 24 judges that compute", one_process / two_processes, "near the number of cores")
    print(f"           {one_process:.2f} s against {two_processes:.2f} s")


if __name__ == "__main__":
    main()
