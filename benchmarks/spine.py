"""How fast is a run, against JSON itself, against one core, and against its own start? How much memory does it take?

pip install '.[bench]' && python benchmarks/spine.py
"""

import compileall
import gc
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import median
from typing import Any

import orjson
from corpus import SUITE, generate_invoices
from figure import Effort, Figure, run_benchmark
from timing import ROUNDS, Clock, divide, evalctl, peak_memory, read_work, time_in_turns

import agentv_py

SMALL, FEW, CASES, MANY, MOST = 400, 20_000, 60_000, 100_000, 400_000
HALVES = "first-half", "second-half"
"""Suites of half of the many cases each."""
MOST_MEMORY = 200 * 1024
"""KiB that one process may take."""


def measure(effort: Effort) -> Iterator[Figure]:
    # pip compiles an installed package. A checkout may lack the bytecode, and then every start would compile it again.
    compileall.compile_dir(str(Path(agentv_py.__file__).parent), quiet=2)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for count in (SMALL, FEW, CASES, MANY, MOST):
            write_suite(str(count), generate_invoices(count))
        write_suite(HALVES[0], generate_invoices(MANY // 2))
        write_suite(HALVES[1], islice(generate_invoices(MANY), MANY // 2, None))
        yield compare_start_with_typer(effort)
        yield compare_small_run_with_imports(effort)
        yield from compare_run_with_json(effort)
        yield from compare_jobs(effort)
        yield from compare_validate_with_json(effort)
        yield from compare_memory(effort)


def write_suite(name: str, cases: Iterable[dict[str, Any]]) -> None:
    """Write a dataset case by case, so that this process stays as small as it is."""
    with Path(f"{name}.jsonl").open("wb") as file:
        file.writelines(orjson.dumps(case) + b"\n" for case in cases)
    Path(f"{name}.yaml").write_text(SUITE.format(dataset=f"{name}.jsonl"), encoding="utf-8")


def compare_start_with_typer(effort: Effort) -> Figure:
    ours, theirs = time_in_turns(
        lambda: evalctl("--version"), import_typer, rounds=effort.rounds(3 * ROUNDS), clock=read_work
    )
    question = "`evalctl --version` against `python -c 'import typer'`"
    return Figure("start", question, divide(ours, theirs), "at most", 1.5, f"{median(ours) * 1e3:.0f} ms")


def import_typer() -> None:
    subprocess.run([sys.executable, "-c", "import typer"], check=True)


def compare_small_run_with_imports(effort: Effort) -> Figure:
    ours, theirs = time_in_turns(
        partial(run, SMALL, jobs=1), import_libraries, rounds=effort.rounds(3 * ROUNDS), clock=read_work
    )
    question = f"`run` of {SMALL} cases against a process that imports typer, yaml and pydantic and declares one model"
    note = f"{median(ours) * 1e3:.0f} ms against {median(theirs) * 1e3:.0f} ms"
    return Figure("start_run", question, divide(ours, theirs), "at most", 1.5, note)


def import_libraries() -> None:
    code = "import typer, yaml, pydantic\nclass Suite(pydantic.BaseModel): name: str\nSuite(name='bench')"
    subprocess.run([sys.executable, "-c", code], check=True)


def compare_run_with_json(effort: Effort) -> Iterator[Figure]:
    lines = Path(f"{CASES}.jsonl").read_bytes().splitlines()
    run(CASES, jobs=1)
    rows = [orjson.loads(line) for line in Path("results.jsonl").read_bytes().splitlines()]

    def read_and_write_back() -> None:
        for line in lines:
            orjson.dumps(orjson.loads(line))

    def read_and_write_results() -> None:
        for line, row in zip(lines, rows, strict=True):
            orjson.loads(line)
            orjson.dumps(row)

    gc.freeze()  # otherwise the time of orjson would include garbage collection of this benchmark's own data
    rounds = effort.rounds(ROUNDS)
    ours, back, results = time_in_turns(
        lambda: run(CASES, jobs=1), read_and_write_back, read_and_write_results, rounds=rounds, clock=read_work
    )
    question = f"`run -j 1` of {CASES:,} cases of 8 fields, start included, against orjson that reads"
    note = f"{median(ours) / CASES * 1e6:.0f} µs a case; {median(back) / CASES * 1e6:.1f} µs for the dataset's JSON"
    yield Figure("run", f"{question} the dataset and writes it back", divide(ours, back), "at most", 15, note)
    yield Figure(
        "run_results", f"{question} what it reads and writes what it writes", divide(ours, results), "at most", 10
    )
    gc.unfreeze()
    yield compare_two_with_json(CASES, 8, rounds)
    yield compare_two_with_json(MANY, 8.8, rounds)  # what the goals 15 for `-j 1` and 1.7 for `-j 2` ask for together


def compare_two_with_json(count: int, goal: float, rounds: int) -> Figure:
    lines = Path(f"{count}.jsonl").read_bytes().splitlines()

    def read_and_write_back() -> None:
        for line in lines:
            orjson.dumps(orjson.loads(line))

    gc.freeze()
    two, back = time_in_turns(partial(run, count, jobs=2), read_and_write_back, rounds=rounds)
    gc.unfreeze()
    question = f"`run -j 2` of {count:,} cases on two cores against orjson that reads the dataset and writes it back"
    return Figure(f"run_two_{count}", f"{question}, in elapsed time", divide(two, back), "at most", goal)


def compare_jobs(effort: Effort) -> Iterator[Figure]:
    one, two, halves = time_in_turns(
        partial(run, MANY, jobs=1), partial(run, MANY, jobs=2), run_halves, rounds=effort.rounds(ROUNDS)
    )
    yield compare_one_with_two(MANY, one, two, 1.7)
    question = f"`-j 2` of {MANY:,} cases against two runs with `-j 1` at once, each of half of them"
    note = f"`-j 1` of all cases takes {median(divide(one, halves)):.2f} times as long as these two runs"
    yield Figure("jobs_floor", question, divide(two, halves), "at most", 1.1, note)
    for count, rounds, goal in ((MOST, 5, 1.7), (SMALL, 15, 0.95)):
        one, two = time_in_turns(partial(run, count, jobs=1), partial(run, count, jobs=2), rounds=effort.rounds(rounds))
        yield compare_one_with_two(count, one, two, goal)


def compare_one_with_two(count: int, one: list[float], two: list[float], goal: float) -> Figure:
    question = f"`-j 1` against `-j 2` on two cores, {count:,} cases, in elapsed time"
    note = f"{median(one):.2f} s against {median(two):.2f} s"
    return Figure(f"jobs_{count}", question, divide(one, two), "at least", goal, note)


def run_halves() -> None:
    """What the machine can do: two runs that have nothing in common."""
    command = [sys.executable, "-m", "agentv_py", "run", "-j", "1", "-q"]
    runs = [
        subprocess.Popen([*command, f"{name}.yaml", "-o", f"{name}.results.jsonl"], stdout=subprocess.DEVNULL)
        for name in HALVES
    ]
    for each in runs:
        if each.wait() not in {0, 1}:
            raise RuntimeError(f"a run of half of the cases ended with {each.returncode}")


def compare_validate_with_json(effort: Effort) -> Iterator[Figure]:
    lines = Path(f"{MANY}.jsonl").read_bytes().splitlines()

    def read() -> None:
        for line in lines:
            orjson.loads(line)

    question = f"`validate` of {MANY:,} cases, start included, against orjson that reads the dataset"
    clocks: dict[str, Clock] = {"processor time": read_work, "elapsed time": time.perf_counter}
    for what, clock in clocks.items():
        ours, theirs = time_in_turns(
            lambda: evalctl("validate", f"{MANY}.yaml"), read, rounds=effort.rounds(5), clock=clock
        )
        name = "validate" if clock is read_work else "validate_elapsed"
        note = f"{median(ours):.2f} s"
        yield Figure(name, f"{question}, in {what}", divide(ours, theirs), "at most", 4, note)


def compare_memory(effort: Effort) -> Iterator[Figure]:
    peaks = [
        [peak_memory("run", f"{count}.yaml", "-j", "1", "-q", "-o", "results.jsonl") for count in (FEW, MANY)]
        for _ in range(effort.rounds(3))
    ]
    ratios = [many / few for few, many in peaks]
    yield Figure("memory", f"peak memory of {MANY:,} cases against {FEW:,}, `-j 1`", ratios, "at most", 1.2)
    most = [many / MOST_MEMORY for _, many in peaks]
    note = f"{median(most) * 200:.0f} MiB"
    yield Figure("memory_bound", f"peak memory of {MANY:,} cases against 200 MiB", most, "at most", 1, note)
    resumed = [measure_resumed_run() / many for _, many in peaks]
    question = f"peak memory of `--resume` of {MANY:,} cases, a quarter of them missing, against a new run, `-j 1`"
    yield Figure("memory_resumed", question, resumed, "at most", 1.5)


def measure_resumed_run() -> int:
    run(MANY, jobs=1)
    lines = Path("results.jsonl").read_bytes().splitlines(keepends=True)
    Path("results.jsonl").write_bytes(b"".join(lines[: len(lines) * 3 // 4]))
    return peak_memory("run", f"{MANY}.yaml", "-j", "1", "-q", "-o", "results.jsonl", "--resume")


def run(count: int, jobs: int) -> None:
    evalctl("run", f"{count}.yaml", "-j", str(jobs), "-q", "-o", "results.jsonl")


if __name__ == "__main__":
    run_benchmark(measure)
