"""The engine ray: a real cluster of three nodes on this machine, one of which is killed in the middle of a run."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl

Write = Callable[[str, Any], Path]

_CASES = 40
# The judge of one case kills a node, once. What ran on that node runs again on another.
_JUDGE = """
import json, os, signal, sys
question = json.load(sys.stdin)
if question["case_id"] == "c12":
    try:
        os.close(os.open("struck", os.O_CREAT | os.O_EXCL))
        os.kill(int(open("node").read()), signal.SIGKILL)
    except FileExistsError:
        pass
print(json.dumps({"score": 1 if question["candidate"] == question["expected"] else 0}))
"""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    os.environ |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "0" * 64, "RAY_USAGE_STATS_ENABLED": "0"}
    from ray.cluster_utils import Cluster

    nodes: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    nodes.doomed = nodes.add_node(num_cpus=1)  # the only one but the head: a lost node takes half of the actors along
    yield nodes
    nodes.shutdown()


def _write_suite(write: Write) -> None:
    write("judge.py", _JUDGE)
    cases = [{"id": f"c{n}", "expected": n, "candidate": n if n % 3 else -n} for n in range(_CASES)]
    write("s.yaml", {"evaluators": [{"type": "code_judge", "script": "judge.py"}], "cases": cases})


def test_rows_are_those_of_one_process_although_a_node_is_lost(
    cluster: Any, evalctl: Evalctl, write: Write, tmp_path: Path
) -> None:
    _write_suite(write)
    write("struck", "")
    assert evalctl("run", "s.yaml", "-q", "-j", "1", "-o", "one.jsonl").returncode == 1
    (tmp_path / "struck").unlink()
    write("node", str(cluster.doomed.all_processes["raylet"][0].process.pid))
    done = evalctl("run", "s.yaml", "-q", "--engine", "ray", "--address", cluster.address, "-o", "ray.jsonl")
    assert (done.returncode, done.stderr) == (1, "")
    assert (tmp_path / "struck").exists()
    assert _read(tmp_path / "ray.jsonl") == _read(tmp_path / "one.jsonl")


def _read(file: Path) -> list[Any]:
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    for row in rows:
        for part in (row, *row["evaluator_results"]):
            del part["duration_ms"]
        del row["timestamp"]
    return rows


def test_an_address_without_a_cluster_is_an_error(evalctl: Evalctl, write: Write) -> None:
    _write_suite(write)
    done = evalctl("run", "s.yaml", "--engine", "ray", "--address", "127.0.0.1:1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("error: --address 127.0.0.1:1: no Ray cluster: ")


def test_an_address_needs_the_engine(evalctl: Evalctl, write: Write) -> None:
    _write_suite(write)
    done = evalctl("run", "s.yaml", "--address", "127.0.0.1:1")
    assert (done.returncode, done.stderr) == (2, "error: --address needs --engine ray\n")
