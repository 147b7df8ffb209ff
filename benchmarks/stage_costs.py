"""A case of eight fields → what each stage of a run costs: seconds of processor time, and bytes.

Stages are measured alone, in one process. The whole run, its parent and its workers are measured as the slope between a
small and a large run, so that the start of the program does not count.
"""

import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import NamedTuple

import orjson
from corpus import SUITE, invoices
from figure import Effort
from timing import Subject, evalctl, peak_memory, read_work, time_in_turns

from agentv_py import jsontext
from agentv_py.case import Case
from agentv_py.report.summary import Summary
from agentv_py.results.row import Row, encode_row
from agentv_py.suite.load import load
from agentv_py.suite.selection import Selection

FEW, MANY, SOME = 10_000, 110_000, 2_000
LARGE, LARGER = 200_000, 400_000
"""The memory of a run grows by what it keeps of each case only from some 130,000 cases on."""


class Costs(NamedTuple):
    """Seconds and bytes of a case of eight fields."""

    parse: float
    check: float
    score: float
    encode: float
    fold: float
    write: float
    whole: float
    parent: float
    worker: float
    least_memory: float
    memory: float
    """Bytes of the parent for each further case."""
    row: float

    def find_largest_stage(self) -> str:
        return max(
            ("parse", "check", "score", "encode", "fold", "write"), key=lambda stage: float(getattr(self, stage))
        )

    @property
    def rest(self) -> float:
        return self.whole - self.parse - self.check - self.score - self.encode - self.fold - self.write


def write_suites() -> None:
    lines = [orjson.dumps(case) + b"\n" for case in invoices(LARGER)]
    for count in (FEW, MANY, SOME, LARGE, LARGER):
        Path(f"{count}.jsonl").write_bytes(b"".join(lines[:count]))
        Path(f"{count}.yaml").write_text(SUITE.format(dataset=f"{count}.jsonl"), encoding="utf-8")


def measure_costs(effort: Effort) -> Costs:
    evalctl("run", f"{SOME}.yaml", "-q", "-o", "results.jsonl")
    lines = Path(f"{SOME}.jsonl").read_bytes().splitlines()
    results: list[Row] = list(map(jsontext.loads, Path("results.jsonl").read_bytes().splitlines()))
    cases = [Case(row["case_id"], row["expected"], row["candidate"]) for row in results]
    [field_accuracy] = load(f"{SOME}.yaml", Selection()).suite.evaluators or []
    encoded = b"".join(map(encode_row, results))
    with Path("written.jsonl").open("wb", buffering=0) as file:
        parse, score, encode, folded, write = time_each(
            effort,
            lambda: consume(map(orjson.loads, lines)),
            lambda: consume(map(field_accuracy.evaluate, cases)),
            lambda: consume(map(encode_row, results)),
            lambda: fold(results),
            lambda: file.write(encoded),
        )
    checked = measure_slope(effort, lambda count: measure_work("validate", f"{count}.yaml"))
    whole = measure_slope(effort, lambda count: measure_work(*run(count, jobs=1)))
    parent, worker = measure_parent_and_workers(effort)
    large, larger = (peak_memory(*run(count, jobs=1)) * 1024 for count in (LARGE, LARGER))
    check, memory = max(0.0, checked - parse), max(0.0, (larger - large) / (LARGER - LARGE))
    size = len(encoded) / SOME
    return Costs(
        parse, check, score, encode, folded, write, whole, parent, worker, large - LARGE * memory, memory, size
    )


def consume(values: Iterator[object]) -> None:
    """Keep none of them, as a run does: the more values there are, the longer garbage collection takes."""
    deque(values, maxlen=0)


def fold(results: list[Row]) -> None:
    summary = Summary()
    for row in results:
        summary.add(row)


def run(count: int, jobs: int) -> list[str]:
    return ["run", f"{count}.yaml", "-j", str(jobs), "-q", "-o", "results.jsonl"]


def time_each(effort: Effort, *subjects: Subject) -> list[float]:
    """The processor time of one case."""
    return [median(times) / SOME for times in time_in_turns(*subjects, rounds=effort.rounds(7), clock=read_work)]


def measure_slope(effort: Effort, measure_one: Callable[[int], float]) -> float:
    """What a further case costs, whatever the start costs."""
    return median((measure_one(MANY) - measure_one(FEW)) / (MANY - FEW) for _ in range(effort.rounds(3)))


def measure_parent_and_workers(effort: Effort) -> tuple[float, float]:
    slopes = []
    for _ in range(effort.rounds(3)):
        pairs = zip(measure_parent(*run(MANY, jobs=2)), measure_parent(*run(FEW, jobs=2)), strict=True)
        slopes.append([(many - few) / (MANY - FEW) for many, few in pairs])
    parents, workers = zip(*slopes, strict=True)
    return median(parents), median(workers)


def measure_work(*arguments: str) -> float:
    before = read_work()
    evalctl(*arguments)
    return read_work() - before


def measure_parent(*arguments: str) -> tuple[float, float]:
    """The processor time of the process that the user starts, and of all processes that it starts."""
    code = (
        f"import sys, resource; sys.argv = {['evalctl', *arguments]!r}\n"
        "from agentv_py.cli import main\n"
        "try: main()\n"
        "except SystemExit:\n"
        "    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):\n"
        "        used = resource.getrusage(who); print(used.ru_utime + used.ru_stime)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    parent, workers = map(float, done.stdout.split())
    return parent, workers
