"""What does asking targets cost, against the waiting itself and against bare processes? Ratios, in one run.

pip install . && python benchmarks/targets.py
"""

import asyncio
import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from figure import Effort, Figure, run_benchmark
from timing import divide, read_work, time_in_turns

CASES = 1_000
TOGETHER = 50
WAIT = 0.05
SPAWNS = 100
LINES = "import sys\nfor line in sys.stdin:\n    print(line.replace('\"input\"', '\"output\"'), end='', flush=True)\n"


def measure(effort: Effort) -> Iterator[Figure]:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("lines.py").write_text(LINES, encoding="utf-8")
        yield compare_http_with_waiting(effort)
        yield from compare_commands_with_bare_processes(effort)


def compare_http_with_waiting(effort: Effort) -> Figure:
    """Requests that take 50 ms each, 50 at a time, against the time that they wait."""
    with serve() as url:
        write_suite("http.yaml", {"type": "http", "url": url, "max_concurrency": TOGETHER})
        write_suite("start.yaml", {"type": "http", "url": url}, cases=1)
        whole, start = time_in_turns(lambda: run("http.yaml"), lambda: run("start.yaml"), rounds=effort.rounds(5))
    waiting = CASES * WAIT / TOGETHER
    ratios = [(all_cases - one_case + WAIT) / waiting for all_cases, one_case in zip(whole, start, strict=True)]
    question = f"{CASES:,} HTTP cases of 50 ms each, {TOGETHER} at once, against the waiting alone, start left out"
    return Figure("http", f"{question}, in elapsed time", ratios, "at most", 1.3)


def compare_commands_with_bare_processes(effort: Effort) -> Iterator[Figure]:
    """A process per case against bare processes; one process for many and for all cases against a process per case."""
    Path("one.py").write_text("import sys\nprint(sys.stdin.read())\n", encoding="utf-8")
    each = {"type": "command", "command": "one.py", "max_concurrency": 2}
    write_suite("start.yaml", each, cases=1)
    write_suite("each.yaml", each, cases=SPAWNS + 1)
    write_suite("many.yaml", {"type": "command", "command": "lines.py", "persistent": True, "max_concurrency": 1})
    write_suite("batch.yaml", {"type": "command", "command": "lines.py", "batch": True})
    runs = [partial(run, f"{name}.yaml") for name in ("start", "each", "many", "batch")]
    start, *whole, bare = time_in_turns(*runs, spawn_bare_processes, rounds=effort.rounds(5), clock=read_work)
    each_case, many, batch = ([all_ - one for all_, one in zip(times, start, strict=True)] for times in whole)
    question = "a case of a `command` against a bare start of its interpreter"
    yield Figure("command", question, divide(each_case, bare), "at most", 1.2)
    for name, times in (("persistent", many), ("batch", batch)):
        ratios = [ratio / SPAWNS * CASES for ratio in divide(each_case, times)]
        yield Figure(name, f"a process per case against `{name}`, per case", ratios, "at least", 50)


def spawn_bare_processes() -> None:
    for _ in range(SPAWNS):
        subprocess.run([sys.executable, "one.py"], input=b"{}", capture_output=True, check=True)


def write_suite(name: str, target: dict[str, Any], cases: int = CASES) -> None:
    rows = [{"id": f"c{n}", "input": {"a": n}, "expected": {"a": n}} for n in range(cases)]
    Path(f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    evaluators = [{"type": "field_accuracy", "fields": [{"path": "a"}]}]
    suite = {"dataset": f"{name}.jsonl", "evaluators": evaluators, "target": target}
    Path(name).write_text(json.dumps(suite), encoding="utf-8")


def run(suite: str) -> None:
    command = [sys.executable, "-m", "agentv_py", "run", suite, "-q", "-o", "r.jsonl", "--no-cache"]
    subprocess.run(command, check=True)


@contextmanager
def serve() -> Iterator[str]:
    """A server that answers each request with its own body after a while, in a process of its own."""
    command = [sys.executable, __file__, "--serve"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield f"http://127.0.0.1:{process.stdout.readline().strip()}/"
        process.kill()


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while not reader.at_eof():
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.IncompleteReadError:  # the client has left
            return
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0])
        body = await reader.readexactly(length)
        await asyncio.sleep(WAIT)
        kind = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % length
        writer.write(kind + body)


async def listen() -> None:
    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=256)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


if __name__ == "__main__":
    if "--serve" in sys.argv:
        threading.Thread(target=lambda: (sys.stdin.read(), os._exit(0)), daemon=True).start()
        asyncio.run(listen())
    run_benchmark(measure)
