"""A worker that dies takes no other case along: its cases run again, and only a case that ends every worker errs."""

import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from rows import lines

from agentv_py.case import Case
from agentv_py.evaluators.field_accuracy import FieldAccuracy
from agentv_py.run.execute import execute
from agentv_py.run.request import RunRequest
from agentv_py.score import Score

Write = Callable[[str, Any], Path]

_CASES = 250
# So much that the run is worth several processes.
_INPUT = "x" * 5_000
_TIMES = ("timestamp", "duration_ms", "evaluator_results")


@pytest.mark.parametrize("fatal", ["c0", "c107", "c249"])
def test_only_the_case_that_ends_every_worker_errs(
    fatal: str, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cases = [{"id": f"c{n}", "input": _INPUT, "expected": {"a": n}, "candidate": {"a": n % 200}} for n in range(_CASES)]
    write("d.jsonl", lines(*cases))
    write("s.yaml", {"dataset": "d.jsonl", "evaluators": [{"type": "field_accuracy", "fields": [{"path": "a"}]}]})
    request = RunRequest([str(tmp_path / "s.yaml")], output=str(tmp_path / "one.jsonl"), jobs=1)
    assert execute(request) == 1
    _die_in_workers(monkeypatch, fatal)
    assert execute(request._replace(output=str(tmp_path / "two.jsonl"), jobs=2)) == 3
    alone, together = ([_without_times(row) for row in _read(tmp_path / f)] for f in ("one.jsonl", "two.jsonl"))
    erred = next(row for row in together if row["case_id"] == fatal)
    assert [row for row in together if row is not erred] == [row for row in alone if row["case_id"] != fatal]
    message = "the process that scored this case died (signal 11), and others before it"
    assert erred["error"] == {"kind": "worker_died", "message": message}
    assert [row["case_id"] for row in together] == [f"c{n}" for n in range(_CASES)]


def _die_in_workers(monkeypatch: pytest.MonkeyPatch, fatal: str) -> None:
    """Let a worker end as a crash in native code ends it."""
    parent, evaluate = os.getpid(), FieldAccuracy.evaluate

    def evaluate_or_die(self: FieldAccuracy, case: Case) -> Score:
        if case.id == fatal and os.getpid() != parent:
            signal.signal(signal.SIGSEGV, signal.SIG_DFL)
            os.kill(os.getpid(), signal.SIGSEGV)
        return evaluate(self, case)

    monkeypatch.setattr(FieldAccuracy, "evaluate", evaluate_or_die)


def _read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _without_times(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in _TIMES}


_JUDGE = """\
import json, os, signal, sys
for line in sys.stdin:
    if json.loads(line)["case_id"] == "c3":
        os.kill(os.getppid(), signal.SIGKILL)
        sys.exit()
    answer = {"score": 1}
    if "echo" in sys.argv:
        answer["sequence"] = json.loads(line)["sequence"]
    print(json.dumps(answer), flush=True)
"""


@pytest.mark.parametrize("kind", ["one process per case", "persistent, echo", "persistent"])
def test_a_judge_that_kills_its_worker_errs_its_case(kind: str, write: Write, evalctl: Evalctl, tmp_path: Path) -> None:
    (tmp_path / "judge.py").write_text(_JUDGE)
    write("d.jsonl", lines(*({"id": f"c{n}", "expected": 1, "candidate": 1} for n in range(6))))
    script = [sys.executable, "judge.py", *(["echo"] if "echo" in kind else [])]
    judge = {"type": "code_judge", "script": script, "persistent": kind.startswith("persistent"), "timeout": 20}
    write("s.yaml", {"dataset": "d.jsonl", "evaluators": [judge]})
    result = evalctl("run", "s.yaml", "-o", "r.jsonl", "-j", "2", "-q")
    rows = _read(tmp_path / "r.jsonl")
    assert (result.returncode, [row["case_id"] for row in rows]) == (3, [f"c{n}" for n in range(6)])
    erred = {row["case_id"]: row["error"]["kind"] for row in rows if "error" in row}
    if kind == "persistent":  # nobody knows whether the other answers of a judge match their questions
        assert (erred["c3"], set(erred.values())) == ("worker_died", {"worker_died"})
    else:
        assert erred == {"c3": "worker_died"}
