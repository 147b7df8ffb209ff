"""What does a case cost, stage by stage, and what would 10⁹ cases take? Measured here, then multiplied.

pip install '.[bench]' && python benchmarks/costs.py

Stages are measured alone, in one process. The whole run, its parent and its workers are measured as the slope between a
small and a large run, so that the start of the program does not count.
"""

import os
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from math import ceil
from pathlib import Path
from statistics import median
from typing import NamedTuple

import orjson
from corpus import SUITE, invoices
from figure import Effort, Table, run_benchmark
from lists import ROW, evaluator, rows
from timing import Subject, evalctl, peak_memory, read_work, time_in_turns

from agentv_py import jsontext
from agentv_py.case import Case
from agentv_py.evaluators.code_judge import CodeJudge
from agentv_py.process.persistent import stop_persistent
from agentv_py.report.summary import Summary
from agentv_py.results.row import Row, encode_row
from agentv_py.suite.load import load
from agentv_py.suite.selection import Selection

FEW, HALF, MANY, SOME = 10_000, 55_000, 110_000, 2_000
HOUR = 3600.0
SIZES = tuple(10**power for power in range(5, 10))
JUDGE = "from agentv_py import judge\njudge.run(lambda payload: float(payload.candidate == payload.expected))\n"
MODEL_SECONDS, MODEL_REQUESTS = 1.0, 50
"""What a model is assumed to take, and how many requests are under way."""


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


def measure(effort: Effort) -> Iterator[Table]:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_suites()
        costs = measure_costs(effort)
        yield list_stages(costs)
        yield list_sizes(costs)
        yield list_kinds(costs, effort)


def write_suites() -> None:
    lines = [orjson.dumps(case) + b"\n" for case in invoices(MANY)]
    for count in (FEW, HALF, MANY, SOME):
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
    # A file of few cases has smaller ranges, which take less memory.
    half, many = (peak_memory(*run(count, jobs=1)) * 1024 for count in (HALF, MANY))
    check, memory = max(0.0, checked - parse), max(0.0, (many - half) / (MANY - HALF))
    size = len(encoded) / SOME
    return Costs(parse, check, score, encode, folded, write, whole, parent, worker, half - HALF * memory, memory, size)


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


def list_stages(costs: Costs) -> Table:
    stages = [
        ("parse: read the JSON of a row", costs.parse),
        ("check: ids, paths, types of every row, before anything runs", costs.check),
        ("score: compare eight fields", costs.score),
        ("encode: the JSON of the result", costs.encode),
        ("fold: add it to the summary", costs.fold),
        ("write: the results file", costs.write),
        ("the rest: build the case, fingerprint, grade, combine, read again", costs.rest),
        ("**all of `-j 1`**", costs.whole),
        ("with `-j 2`: in the parent", costs.parent),
        ("with `-j 2`: in the workers together", costs.worker),
    ]
    rows = [[name, f"{seconds * 1e6:.1f}", f"{seconds / costs.whole:.0%}"] for name, seconds in stages]
    return Table("stages", ["stage", "µs per case", "share"], rows)


def list_sizes(costs: Costs) -> Table:
    header = ["cases", "`-j 1`", "cores for an hour", "parents for an hour", "results", "memory of a parent"]
    return Table("sizes", header, [list_size(cases, costs) for cases in SIZES])


def list_size(cases: int, costs: Costs) -> list[str]:
    cores = ceil(cases * costs.worker / HOUR)
    parents = ceil(cases * costs.parent / HOUR)
    memory = costs.least_memory + cases / parents * costs.memory
    return [
        f"{cases:,}",
        show_time(cases * costs.whole),
        f"{cores:,}",
        f"{parents:,}",
        show_bytes(cases * costs.row),
        show_bytes(memory),
    ]


def list_kinds(costs: Costs, effort: Effort) -> Table:
    """Suites whose bottleneck is elsewhere."""
    ten, hundred = (measure_list(count, effort) for count in (10, 100))
    call, process = measure_judges(effort)
    kinds = [
        ("eight fields", 0.0, costs.find_largest_stage()),
        ("and a list of 10 rows without order", ten, "pair"),
        ("and a list of 100 rows without order", hundred, "pair"),
        ("and a persistent judge in Python", call, "judge"),
        ("and a judge that is a process per case", process, "judge"),
        (
            f"and a model, {MODEL_SECONDS:g} s a reply, {MODEL_REQUESTS} at once",
            MODEL_SECONDS / MODEL_REQUESTS,
            "model",
        ),
    ]
    header = ["a case of", "ms per case", "what limits it", "a million on one core", "cores for a million in an hour"]
    return Table("kinds", header, [list_kind(name, costs.worker + more, what) for name, more, what in kinds])


def list_kind(name: str, seconds: float, what: str) -> list[str]:
    whole = seconds * 10**6
    cores = (
        f"{ceil(whole / HOUR):,}" if what != "model" else f"{ceil(whole * MODEL_REQUESTS / HOUR):,} requests at once"
    )
    return [name, f"{seconds * 1e3:.2f}", what, show_time(whole), cores]


def measure_list(count: int, effort: Effort) -> float:
    ours, (expected, actual) = evaluator({"unordered": ROW}), rows(count)
    case = Case("", expected, actual)
    repeats = 2_000 // count
    ours.evaluate(case)
    [times] = time_in_turns(
        lambda: [ours.evaluate(case) for _ in range(repeats)], rounds=effort.rounds(5), clock=read_work
    )
    return median(times) / repeats


def measure_judges(effort: Effort) -> tuple[float, float]:
    """The processor time of a call, in our process and in the judge's."""
    Path("judge.py").write_text(JUDGE, encoding="utf-8")
    options = {"type": "code_judge", "script": "judge.py"}
    stays, once = (CodeJudge.model_validate(options | {"persistent": persistent}) for persistent in (True, False))
    case = Case("x", {"a": 1}, {"a": 1})

    def call_many() -> None:
        for _ in range(SOME):
            stays.evaluate(case)
        stop_persistent()  # only then does the time of the judge count

    many, few = time_in_turns(
        call_many, lambda: [once.evaluate(case) for _ in range(5)], rounds=effort.rounds(3), clock=read_work
    )
    return median(many) / SOME, median(few) / 5


def show_time(seconds: float) -> str:
    for limit, unit, name in ((120, 1, "s"), (7200, 60, "min"), (48 * HOUR, HOUR, "h")):
        if seconds < limit:
            return f"{seconds / unit:.0f} {name}"
    return f"{seconds / 24 / HOUR:.0f} days"


def show_bytes(size: float) -> str:
    unit, name = next((unit, name) for unit, name in ((1e12, "TB"), (1e9, "GB"), (1e6, "MB")) if size >= unit)
    return f"{size / unit:.{0 if size / unit >= 10 else 1}f} {name}"


if __name__ == "__main__":
    run_benchmark(measure)
