"""Does memory stay flat over 2,000,000 cases, also where a persistent judge scores one in a hundred of them?

    python benchmarks/soak.py

The memory of every process is read from /proc once a second (Linux only). The run takes minutes, so `run.py` runs it
only if it is named. With --quick there are 200,000 cases.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from corpus import SUITE, generate_invoices
from figure import Effort, Figure, Finding, Table, run_benchmark

CASES = 2_000_000
PARTS = 10
MOST_MEMORY = 200 * 1024
JUDGE = "from agentv_py import judge\njudge.run(lambda payload: float(payload.candidate == payload.expected))\n"
JUDGED = """\
  - type: code_judge
    script: judge.py
    persistent: true
    when: metadata.judged
"""


class Sample(NamedTuple):
    """The memory of each process at a moment, in KiB, and how much of the results is written."""

    written: int
    memory: dict[str, int]
    """By role: the run itself, its workers and the judges; of several the largest."""


def measure(effort: Effort) -> Iterator[Finding]:
    cases = CASES // 10 if effort.quick else CASES
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_suites(cases)
        yield from measure_run("fields", 2, cases, f"`run -j 2` of {cases:,} cases")
        yield from measure_run("judged", 1, cases, f"`run -j 1` of {cases:,} cases, a persistent judge on 1 % of them")


def measure_run(name: str, jobs: int, cases: int, what: str) -> Iterator[Finding]:
    results = Path(f"{name}.jsonl")
    command = ["run", f"{name}.yaml", "-j", str(jobs), "-q", "-o", results.name, "--exit-zero"]
    samples, seconds = sample_run(command, results)
    written = count_rows(results)
    results.unlink()
    if written != cases:
        raise RuntimeError(f"{written:,} rows were written for {cases:,} cases")
    yield draw_curve(name, samples, cases)
    middle, late = (find_peak(samples, start, start + 0.25) for start in (0.25, 0.75))
    note = f"{seconds:.0f} s, {seconds / cases * 1e6:.0f} µs a case"
    question = f"{what}: peak memory of the largest process"
    flat = f"{question} in the last quarter of the time against the second"
    yield Figure(f"{name}_flat", flat, [late / middle], "at most", 1.1, note)
    largest = max(max(sample.memory.values()) for sample in samples)
    yield Figure(f"{name}_bound", f"{question} against 200 MiB", [largest / MOST_MEMORY], "at most", 1)


def write_suites(cases: int) -> None:
    Path("judge.py").write_text(JUDGE, encoding="utf-8")
    fields = SUITE.format(dataset="cases.jsonl")
    for name, text in (("fields", fields), ("judged", fields + JUDGED)):
        Path(f"{name}.yaml").write_text(text, encoding="utf-8")
    with Path("cases.jsonl").open("wb") as file:
        file.writelines(orjson.dumps(case) + b"\n" for case in mark_judged(generate_invoices(cases)))


def mark_judged(cases: Iterator[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """One case in a hundred is for the judge."""
    for number, case in enumerate(cases):
        yield case | {"metadata": {"judged": number % 100 == 0}}


def sample_run(arguments: list[str], results: Path) -> tuple[list[Sample], float]:
    started, samples = time.monotonic(), list[Sample]()
    with subprocess.Popen([sys.executable, "-m", "agentv_py", *arguments]) as process:
        while process.poll() is None:
            memory = read_memory(process.pid)
            if memory:
                samples.append(Sample(results.stat().st_size if results.exists() else 0, memory))
            time.sleep(1)
    if process.returncode:
        raise RuntimeError(f"evalctl ended with {process.returncode}")
    return samples, time.monotonic() - started


def read_memory(run: int) -> dict[str, int]:
    """The resident memory of a process and of all below it; of each role the largest."""
    largest = defaultdict[str, int](int)
    for pid, role in list_processes(run, "run"):
        try:
            status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        except OSError:  # it has ended meanwhile
            continue
        resident = status.partition("VmRSS:")[2].split()
        largest[role] = max(largest[role], int(resident[0]) if resident else 0)
    return {role: size for role, size in largest.items() if size}


def list_processes(pid: int, role: str) -> Iterator[tuple[int, str]]:
    yield pid, role
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()
    except OSError:
        return
    for child in map(int, children):
        yield from list_processes(child, name_role(child))


def name_role(pid: int) -> str:
    try:
        return "judge" if b"judge.py" in Path(f"/proc/{pid}/cmdline").read_bytes() else "worker"
    except OSError:
        return "worker"


def count_rows(file: Path) -> int:
    with file.open("rb") as lines:
        return sum(1 for line in lines if orjson.loads(line)["status"] == "ok")


def find_peak(samples: list[Sample], start: float, end: float) -> int:
    part = samples[int(start * len(samples)) : max(1, int(end * len(samples)))]
    return max(max(sample.memory.values()) for sample in part)


def draw_curve(name: str, samples: list[Sample], cases: int) -> Table:
    """The largest memory of each role in each tenth of the time."""
    rows, whole = [], samples[-1].written or 1
    for part in range(PARTS):
        some = samples[part * len(samples) // PARTS : (part + 1) * len(samples) // PARTS] or samples[-1:]
        peaks = [max(sample.memory.get(role, 0) for sample in some) for role in ("run", "worker", "judge")]
        done = f"{some[-1].written / whole * cases:,.0f}"
        shown = [f"{peak / 1024:.0f}" if peak else "–" for peak in peaks]
        rows.append([f"{(part + 1) / PARTS:.0%}", done, *shown])
    return Table(name, ["time", "rows written", "run, MiB", "largest other process, MiB", "judge, MiB"], rows)


if __name__ == "__main__":
    run_benchmark(measure)
