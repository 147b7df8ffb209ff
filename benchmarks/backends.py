"""How much do batches and parallel requests save, against one request at a time? Ratios, in one run.

pip install . && python benchmarks/backends.py
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from figure import Effort, Figure, run_benchmark
from timing import divide, time_in_turns

from agentv_py.models.backends import Embedding, Llm
from agentv_py.models.policy import CallPolicy
from agentv_py.models.replies import ReplySource, using

PAIRS = 100
DELAY = 0.01  # seconds that the server thinks
SERVER = Path(__file__).parents[1] / "tests" / "model_server.py"


def measure(effort: Effort) -> Iterator[Figure]:
    with serve(DELAY) as root:
        yield from compare(effort, root)


@contextmanager
def serve(delay: float) -> Iterator[str]:
    """A model in a process of its own, which answers after a delay."""
    command = [sys.executable, str(SERVER)]
    with (
        tempfile.TemporaryDirectory() as folder,
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=folder) as server,
    ):
        assert server.stdout
        root = f"http://127.0.0.1:{server.stdout.readline().strip()}/bench"
        body = json.dumps([{"when": "", "do": [{"delay": delay}]}]).encode()
        urlopen(Request(f"{root}/script", body, method="PUT"), timeout=20).close()
        yield root
        server.kill()


def compare(effort: Effort, root: str) -> Iterator[Figure]:
    options: dict[str, Any] = {"base_url": f"{root}/v1", "model": "m"}
    pairs = [(f"text {number}", f"other {number}") for number in range(PAIRS)]
    fast, slow = Embedding(**options), Embedding(**options, batch_size=1, max_concurrency=1)
    eight, one = Llm(**options), Llm(**options, max_concurrency=1)
    models = (fast, slow, eight, one)
    times = time_in_turns(*(lambda model=model: ask(model, pairs) for model in models), rounds=effort.rounds(3))
    question = f"{PAIRS} pairs by `embedding`, a server that takes 10 ms: one text per request against batches of 64"
    yield Figure("embedding", question, divide(times[1], times[0]), "at least", 20)
    question = f"{PAIRS} pairs by `llm`, the same server: one request at a time against 8 at a time"
    yield Figure("llm", question, divide(times[3], times[2]), "at least", 4)


def ask(model: Embedding | Llm, pairs: list[tuple[str, str]]) -> None:
    with using(ReplySource(CallPolicy(cache="off"))):
        model.similarities(pairs)


if __name__ == "__main__":
    run_benchmark(measure)
