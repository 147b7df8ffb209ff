"""The engine ray: a real cluster of two nodes on this machine, one of which is killed in the middle of a run."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import Any, NamedTuple

import pytest
from conftest import Evalctl

Write = Callable[[str, Any], Path]

_CASES = 40
# The judge of one case kills a node, once. What ran on that node runs again on another. The judge of another case kills
# every actor that asks it.
_JUDGE = """
import json, os, signal, sys
question = json.load(sys.stdin)
if question["case_id"] == "c20" and b"ray::" in open(f"/proc/{os.getppid()}/cmdline", "rb").read():
    os.kill(os.getppid(), signal.SIGKILL)
    sys.exit()
if question["case_id"] == "c12":
    try:
        os.close(os.open("struck", os.O_CREAT | os.O_EXCL))
        os.kill(int(open("node").read()), signal.SIGKILL)
    except FileExistsError:
        pass
print(json.dumps({"score": 1 if question["candidate"] == question["expected"] else 0}))
"""


# The cluster is in a process of its own, because Ray leaves the ends of its processes to the end of Python. One node
# beside the head is lost with half of the actors.
_CLUSTER = """
import sys
from ray.cluster_utils import Cluster
nodes = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
node = nodes.add_node(num_cpus=1)
print(nodes.address, node.all_processes["raylet"][0].process.pid, flush=True)
sys.stdin.read()
nodes.shutdown()
"""


class Nodes(NamedTuple):
    address: str
    process: str
    """The process of the node that can be killed."""


@pytest.fixture(scope="module")
def cluster() -> Iterator[Nodes]:
    token = {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": "0" * 64, "RAY_USAGE_STATS_ENABLED": "0"}
    command = [sys.executable, "-c", _CLUSTER]
    with pytest.MonkeyPatch.context() as patch:
        for name, value in token.items():
            patch.setenv(name, value)
        with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, text=True) as process:
            assert process.stdout
            yield Nodes(*process.stdout.readline().split())
            process.communicate()


def _write_suite(write: Write) -> None:
    write("judge.py", _JUDGE)
    cases = [{"id": f"c{n}", "expected": n, "candidate": n if n % 3 else -n} for n in range(_CASES)]
    write("s.yaml", {"evaluators": [{"type": "code_judge", "script": "judge.py"}], "cases": cases})


@pytest.mark.slow
def test_rows_are_those_of_one_process_although_a_node_is_lost(
    cluster: Nodes, evalctl: Evalctl, write: Write, tmp_path: Path
) -> None:
    _write_suite(write)
    write("struck", "")
    assert evalctl("run", "s.yaml", "-q", "-j", "1", "-o", "one.jsonl").returncode == 1
    (tmp_path / "struck").unlink()
    write("node", cluster.process)
    done = evalctl("run", "s.yaml", "-q", "--engine", "ray", "--address", cluster.address, "-o", "ray.jsonl")
    assert (done.returncode, done.stderr) == (3, "")
    assert (tmp_path / "struck").exists()
    alone, together = _read(tmp_path / "one.jsonl"), _read(tmp_path / "ray.jsonl")
    erred = together.pop(20)
    assert (erred["case_id"], erred["error"]["kind"]) == (alone.pop(20)["case_id"], "worker_died")
    assert together == alone


@pytest.mark.slow
def test_actors_read_ranges_of_files_that_they_share_and_get_the_rows_of_others(
    cluster: Nodes, write: Write, tmp_path: Path
) -> None:
    rows = [{"id": f"c{n}", "input": "é" * n, "expected": {"a": n}, "candidate": {"a": n % 90}} for n in range(200)]
    write("d.jsonl", "".join(json.dumps(row) + "\n" for row in rows[:100]))
    write("e.jsonl", "".join(json.dumps(row) + "\n" for row in rows[100:]))
    folder = os.open(tmp_path, os.O_RDONLY)
    # No other process has this folder at that place.
    datasets = ["d.jsonl", f"/proc/self/fd/{folder}/e.jsonl"]
    write("s.yaml", {"dataset": datasets, "evaluators": [{"type": "field_accuracy", "fields": [{"path": "a"}]}]})
    for output, flags in {
        "one.jsonl": ["-j", "1"],
        "ray.jsonl": ["--engine", "ray", "--address", cluster.address],
    }.items():
        command = [sys.executable, "-m", "agentv_py", "run", "s.yaml", "-q", "-o", output, *flags]
        done = subprocess.run(command, cwd=tmp_path, pass_fds=[folder], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (1, "")
    os.close(folder)
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
