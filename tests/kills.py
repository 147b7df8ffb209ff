"""Runs that SIGKILL ends at random moments, and that are then resumed: `python tests/kills.py --times 20`.

Each run asks an HTTP service. After each kill, the answers on disk are noted: a later run must not ask for them again.
In the end the rows must be those of a run that nothing disturbed.
"""

import argparse
import json
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

from service import Call, Reply, Service, serve

_CASES = 40
_AT_ONCE = 4
_MOST_LOST = 2 * _AT_ONCE
"""Answers that a kill may lose: a place for a request is free again before the last answer is on the disk."""
_TIMES = ("timestamp", "duration_ms", "latency_ms", "evaluator_results")


def check_killed_run(folder: Path, service: Service, seed: int, kills: int = 3) -> int:
    """Kill a run several times, resume it, and compare its rows with those of a whole run. Return the kills."""
    chance = random.Random(seed)
    write_suite(folder, service.url)
    service.calls.clear()
    happened = 0
    for _ in range(kills):
        happened += _run_and_kill(folder, chance.uniform(0.3, 1.6))
        on_disk = count_answers(folder)
        asked = Counter(call.json() for call in service.calls)
        before = sum(asked.values())
        assert before - on_disk <= _MOST_LOST * kills, (before, on_disk)
    _run(folder, "-o", "r.jsonl", "--resume")
    repeated = sum(times - 1 for times in Counter(call.json() for call in service.calls).values())
    assert repeated <= _MOST_LOST * happened, repeated
    killed = read_rows(folder / "r.jsonl")
    calls = len(service.calls)
    _run(folder, "-o", "again.jsonl")
    assert len(service.calls) == calls, "an answer that was on disk was asked for again"
    assert killed == read_rows(folder / "again.jsonl")
    assert [row["case_id"] for row in killed] == [f"c{n}" for n in range(_CASES)]
    return happened


def write_suite(folder: Path, url: str) -> None:
    cases = [{"id": f"c{n}", "input": n, "expected": {"a": n}} for n in range(_CASES)]
    suite = {
        "cases": cases,
        "evaluators": [{"type": "field_accuracy", "fields": [{"path": "a"}]}],
        "target": {"type": "http", "name": "api", "url": url, "max_concurrency": _AT_ONCE},
    }
    (folder / "s.yaml").write_text(json.dumps(suite))


def answer(call: Call) -> Reply:
    return Reply({"a": call.json()}, delay=0.05)


def count_answers(folder: Path) -> int:
    path = folder / ".evalctl" / "cache" / "answers.sqlite"
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as file:
        try:
            return int(file.execute("SELECT count(*) FROM answers").fetchone()[0])
        except sqlite3.OperationalError:  # killed before the table was made
            return 0


def read_rows(path: Path) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return [{key: value for key, value in row.items() if key not in _TIMES} for row in rows]


def _run(folder: Path, *flags: str) -> None:
    command = [sys.executable, "-m", "agentv_py", "run", "s.yaml", "-q", *flags]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def _run_and_kill(folder: Path, seconds: float) -> bool:
    """Start or continue the run, and kill it after some seconds. Tell whether it was still running."""
    command = [sys.executable, "-m", "agentv_py", "run", "s.yaml", "-q", "-o", "r.jsonl"]
    if (folder / "r.jsonl").exists():
        command.append("--resume")
    with subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            return True
    return False


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=20)
    times = parser.parse_args().times
    kills, started = 0, time.monotonic()
    with serve(answer) as service:
        for seed in range(times):
            with tempfile.TemporaryDirectory() as folder:
                kills += check_killed_run(Path(folder), service, seed)
    sys.stdout.write(f"{times} runs, {kills} kills, {time.monotonic() - started:.0f} s: every row as undisturbed\n")


if __name__ == "__main__":
    main()
