"""What does a case cost, stage by stage, and what would 10⁹ cases take? Measured here, then multiplied.

pip install '.[bench]' && python benchmarks/costs.py
"""

import os
import tempfile
from collections.abc import Iterator
from math import ceil

from figure import Effort, Table, run_benchmark
from other_costs import OtherCosts, measure_others
from stage_costs import Costs, measure_costs, write_suites

HOUR = 3600.0
SIZES = tuple(10**power for power in range(5, 10))
MODEL_SECONDS, MODEL_REQUESTS = 1.0, 50
"""What a model is assumed to take, and how many requests are under way."""


def measure(effort: Effort) -> Iterator[Table]:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        write_suites()
        costs, others = measure_costs(effort), measure_others(effort)
        yield list_stages(costs, others)
        yield list_sizes(costs)
        yield list_kinds(costs, others)


def list_stages(costs: Costs, others: OtherCosts) -> Table:
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
    more = [
        ("pair: a list of 10 rows without order", others.ten_rows),
        ("judge: a call of a persistent judge, in both processes", others.call),
        ("model: a request, without the wait for it", others.request),
    ]
    rows = [[name, f"{seconds * 1e6:.1f}", f"{seconds / costs.whole:.0%}"] for name, seconds in stages]
    rows += [[name, f"{seconds * 1e6:,.0f}", f"{seconds / costs.whole:.1f} times"] for name, seconds in more]
    return Table("stages", ["stage", "µs per case", "of `-j 1`"], rows)


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


def list_kinds(costs: Costs, others: OtherCosts) -> Table:
    """Suites whose bottleneck is elsewhere."""
    wait = MODEL_SECONDS / MODEL_REQUESTS
    kinds = [
        ("eight fields", 0.0, costs.find_largest_stage()),
        ("and a list of 10 rows without order", others.ten_rows, "pair"),
        ("and a list of 100 rows without order", others.hundred_rows, "pair"),
        ("and a persistent judge in Python", others.call, "judge"),
        ("and a judge that is a process per case", others.process, "judge"),
        (f"and a model, {MODEL_SECONDS:g} s a reply, {MODEL_REQUESTS} at once", wait, "model"),
    ]
    header = ["a case of", "ms per case", "what limits it", "a million on one core", "cores for a million in an hour"]
    return Table("kinds", header, [list_kind(name, costs.worker + more, what) for name, more, what in kinds])


def list_kind(name: str, seconds: float, what: str) -> list[str]:
    whole = seconds * 10**6
    cores = (
        f"{ceil(whole / HOUR):,}" if what != "model" else f"{ceil(whole * MODEL_REQUESTS / HOUR):,} requests at once"
    )
    return [name, f"{seconds * 1e3:.2f}", what, show_time(whole), cores]


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
