"""How many workers can one parent process serve? What it does for a reply is measured; 1,000 workers are simulated.

pip install '.[bench]' && python benchmarks/parent.py

A worker scores a range of cases and replies with the rows and their sums. The parent waits for any worker, reads the
reply, puts replies in order, adds the sums up and writes the rows; then it sends the worker its next range.
"""

import heapq
import os
import pickle
import random
import tempfile
import time
from collections.abc import Iterator
from multiprocessing import Pipe
from multiprocessing.connection import wait
from pathlib import Path
from statistics import median
from typing import NamedTuple

import orjson
from corpus import SUITE, invoices
from figure import Effort, Table, run_benchmark
from timing import evalctl, read_work, time_in_turns

from agentv_py import jsontext
from agentv_py.report.summary import Summary
from agentv_py.run.chunk import ScoredChunk
from agentv_py.run.engines.work import Reply

RANGE = 560
"""Cases of eight fields in a range of the usual size."""
WORKERS = (1, 2, 8, 32, 100, 300, 1_000)
REPLIES_OF_EACH = 30
AHEAD = 4
"""Replies per worker that may wait for an earlier one."""


class Costs(NamedTuple):
    """Seconds."""

    range: float
    """What a worker takes for a range."""
    reply: float
    """What the parent takes for a reply, apart from the wait for it."""


class Outcome(NamedTuple):
    cases: float
    """Per second."""
    busy: float
    """The share of its time in which the parent works."""
    idle: float
    """The share of their time in which workers wait for the parent."""
    waiting: int
    """The most replies that waited for an earlier one."""


def measure(effort: Effort) -> Iterator[Table]:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        costs, size = measure_costs(effort)
        rows = []
        for workers in WORKERS:
            poll = measure_wait(workers, effort)
            outcome = simulate(workers, costs, poll)
            rows.append(show(workers, poll, outcome, size))
    header = ["workers", "cases per second", "parent busy", "workers idle", "one wait", "memory of waiting replies"]
    yield Table("parent", header, rows)
    facts = [
        [f"a worker scores a range of {RANGE} cases", f"{costs.range * 1e3:.1f} ms"],
        ["the parent reads a reply, adds up and writes", f"{costs.reply * 1e3:.2f} ms"],
        ["a reply", f"{size / 1e6:.2f} MB"],
    ]
    yield Table("reply", ["what", "measured"], facts)


def measure_costs(effort: Effort) -> tuple[Costs, int]:
    lines = [orjson.dumps(case) + b"\n" for case in invoices(RANGE)]
    Path("cases.jsonl").write_bytes(b"".join(lines))
    Path("suite.yaml").write_text(SUITE.format(dataset="cases.jsonl"), encoding="utf-8")
    evalctl("run", "suite.yaml", "-j", "1", "-q", "-o", "results.jsonl")
    Path("many.jsonl").write_bytes(b"".join(orjson.dumps(case) + b"\n" for case in invoices(20 * RANGE)))
    Path("many.yaml").write_text(SUITE.format(dataset="many.jsonl"), encoding="utf-8")
    reply = pickle.dumps(build_reply(Path("results.jsonl").read_bytes()), pickle.HIGHEST_PROTOCOL)
    whole = Summary()
    with Path("written.jsonl").open("wb", buffering=0) as file:

        def take_replies() -> None:
            for _ in range(20):
                chunk: ScoredChunk = pickle.loads(reply).unwrap()
                file.write(chunk.rows)
                whole.merge(chunk.summary)

        few, many, taken = time_in_turns(
            lambda: evalctl("run", "suite.yaml", "-j", "1", "-q", "-o", "r.jsonl"),
            lambda: evalctl("run", "many.yaml", "-j", "1", "-q", "-o", "r.jsonl"),
            take_replies,
            rounds=effort.rounds(5),
            clock=read_work,
        )
    return Costs((median(many) - median(few)) / 19, median(taken) / 20), len(reply)


def build_reply(rows: bytes) -> Reply:
    summary = Summary()
    for line in rows.splitlines():
        summary.add(jsontext.loads(line))
    return Reply(None, ScoredChunk(rows, summary))


def measure_wait(workers: int, effort: Effort) -> float:
    """What it takes to learn which of many workers has replied."""
    pipes = [Pipe(duplex=False) for _ in range(workers)]
    readers = [reader for reader, _ in pipes]
    pipes[workers // 2][1].send(0)
    [times] = time_in_turns(
        lambda: [wait(readers) for _ in range(20)], rounds=effort.rounds(7), clock=time.process_time
    )
    for reader, writer in pipes:
        reader.close()
        writer.close()
    return median(times) / 20


def simulate(workers: int, costs: Costs, poll: float) -> Outcome:
    """Events in the order of time: workers finish ranges, and the parent takes replies one after the other."""
    chance = random.Random(0)
    total = workers * REPLIES_OF_EACH
    finishes = [(chance.uniform(0.5, 1.5) * costs.range, number) for number in range(workers)]
    heapq.heapify(finishes)
    given, first_missing, arrived = workers, 0, set[int]()
    free = busy = idle = 0.0
    paused: list[float] = []
    most = 0
    while finishes:
        finished, number = heapq.heappop(finishes)
        start = max(finished, free)
        free = start + costs.reply + poll
        busy += costs.reply + poll
        idle += free - finished
        arrived.add(number)
        while first_missing in arrived:
            arrived.discard(first_missing)
            first_missing += 1
        most = max(most, len(arrived))
        paused.append(free)
        while paused and given < total and given - first_missing < AHEAD * workers:
            idle += free - paused.pop(0)
            heapq.heappush(finishes, (free + chance.uniform(0.5, 1.5) * costs.range, given))
            given += 1
    return Outcome(total * RANGE / free, busy / free, idle / (free * workers), most)


def show(workers: int, poll: float, outcome: Outcome, size: int) -> list[str]:
    return [
        f"{workers:,}",
        f"{outcome.cases:,.0f}",
        f"{outcome.busy:.0%}",
        f"{outcome.idle:.0%}",
        f"{poll * 1e6:,.0f} µs",
        f"{outcome.waiting * size / 1e6:,.0f} MB",
    ]


if __name__ == "__main__":
    run_benchmark(measure)
