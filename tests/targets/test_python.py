"""A Python function as a target, and as an executor."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pipeline import rows_of

from agentv_py import evaluate, exact
from agentv_py.errors import InvalidSuite

Write = Callable[[str, Any], Path]


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])


def _write_suite(write: Write, module: str, code: str, **target: Any) -> Path:
    write(f"{module}.py", code)
    suite = {
        "cases": [{"id": f"c{n}", "input": n, "expected": {"a": n}} for n in range(3)],
        "evaluators": [{"type": "field_accuracy", "fields": [{"path": "a"}]}],
        "target": {"type": "python", "function": f"{module}:run"} | target,
    }
    return write("s.yaml", suite)


@pytest.mark.parametrize("word", ["def", "async def"])
def test_a_function_gets_the_input_and_returns_the_answer(write: Write, word: str) -> None:
    code = f"{word} run(given):\n    return {{'output': {{'a': given}}, 'tokens': {{'input': 10, 'output': 5}}}}\n"
    name = f"plain_{len(word)}"
    rows = rows_of(_write_suite(write, name, code, prices={"prompt": 1e6, "completion": 2e6}))
    assert [(row["score"], row["cost"], row["tokens"]["total"]) for row in rows] == [(1.0, 20.0, 15)] * 3


def test_sync_functions_run_at_the_same_time(write: Write) -> None:
    code = (
        "import threading\n"
        "together = threading.Barrier(3, timeout=20)\n"
        "def run(given):\n"
        "    together.wait()\n"
        "    return {'a': given}\n"
    )
    assert [row["score"] for row in rows_of(_write_suite(write, "together_functions", code))] == [1.0] * 3


@pytest.mark.parametrize(
    ("on_one", "kind", "message"),
    [
        ("raise KeyError('no such page')", "KeyError", "'no such page'"),
        ("raise StopIteration", "RuntimeError", "StopIteration()"),
        ("return object()", "answer", "the answer of python: object is not a JSON value"),
        ("time.sleep(30)", "timeout", "python: no answer within 0.3 seconds"),
    ],
)
def test_a_function_that_fails_errs_its_case_alone(write: Write, on_one: str, kind: str, message: str) -> None:
    code = f"import time\ndef run(given):\n    if given == 1:\n        {on_one}\n    return {{'a': given}}\n"
    suite = _write_suite(write, f"failing_{kind}".lower() + str(len(on_one)), code, timeout=0.3, retries=0)
    rows = rows_of(suite)
    assert [row["status"] for row in rows] == ["ok", "error", "ok"]
    assert rows[1]["error"] == {"kind": kind, "message": message}


@pytest.mark.parametrize("error", ["asyncio.CancelledError()", "SystemExit(3)", "KeyboardInterrupt()"])
def test_an_async_function_cannot_end_the_run(write: Write, error: str) -> None:
    code = (
        f"import asyncio\nasync def run(given):\n    if given == 1:\n        raise {error}\n    return {{'a': given}}\n"
    )
    rows = rows_of(_write_suite(write, f"ending_{error.partition('(')[0].rpartition('.')[2]}".lower(), code))
    assert [row["status"] for row in rows] == ["ok", "error", "ok"]
    assert rows[1]["error"] == {"kind": "RuntimeError", "message": error.rpartition(".")[2]}


def test_a_changed_module_is_asked_again(write: Write) -> None:
    code = "import pathlib\ndef run(given):\n    return {'a': given}\n"
    suite = _write_suite(write, "changing", code)
    first = rows_of(suite)
    assert [row["latency_ms"] for row in rows_of(suite)] == [row["latency_ms"] for row in first]
    del sys.modules["changing"]
    _write_suite(write, "changing", code.replace("given}", "given + 1}"))
    assert [row["candidate"] for row in rows_of(suite)] == [{"a": 1}, {"a": 2}, {"a": 3}]


def test_a_function_that_cannot_be_imported_is_an_error_before_the_run(write: Write) -> None:
    with pytest.raises(
        InvalidSuite, match=r"target\.function: 'gone_module:run' cannot be imported: .*No module named"
    ):
        rows_of(_write_suite(write, "other_module", "", function="gone_module:run"))
    with pytest.raises(InvalidSuite, match="must be a module and a function"):
        rows_of(_write_suite(write, "other_module", "", function="gone_module"))


def test_ctrl_c_ends_the_run_at_once_and_keeps_what_is_finished(write: Write) -> None:
    code = "import time\ndef run(given):\n    time.sleep(60 if given else 0)\n    return {'a': given}\n"
    _write_suite(write, "sleepy", code)
    command = [sys.executable, "-m", "agentv_py", "run", "s.yaml", "-o", "r.jsonl"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        while not (Path("r.jsonl").exists() and Path("r.jsonl").stat().st_size):
            time.sleep(0.02)
        started = time.monotonic()
        os.kill(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=20)
        assert time.monotonic() - started < 5  # about a second on an idle machine
    assert process.returncode == 130
    assert said == "interrupted\nfinished rows are in r.jsonl; -o r.jsonl --resume continues\n"
    assert Path("r.jsonl").read_text().count("\n") == 1


def test_an_executor_runs_as_many_calls_at_once_as_concurrency_says() -> None:
    together, most, lock = threading.Barrier(4, timeout=20), [0, 0], threading.Lock()

    def execute(given: int) -> int:
        with lock:
            most[0] += 1
            most[1] = max(most)
        together.wait()
        with lock:
            most[0] -= 1
        return given

    cases = [{"input": n, "expected": n} for n in range(8)]
    result = evaluate(cases, exact, executor=execute, concurrency=4)
    assert (result.passed, most[1]) == (8, 4)
    with pytest.raises(ValueError, match="concurrency must be a whole number of at least 1, not 0"):
        evaluate(cases, exact, executor=execute, concurrency=0)


@pytest.mark.parametrize("word", ["def", "async def"])
def test_what_a_function_prints_goes_to_stderr(write: Write, evalctl: Any, word: str) -> None:
    module = f"prints_{word.partition(' ')[0]}"
    code = f"print('imported')\n{word} run(given):\n    print('asked', given)\n    return {{'a': given}}\n"
    _write_suite(write, module, code)
    done = evalctl("run", "s.yaml", "-q", "-o", "-")
    assert [json.loads(line)["score"] for line in done.stdout.splitlines()] == [1.0] * 3
    assert {"imported", "asked 0", "asked 1", "asked 2"} <= set(done.stderr.splitlines())


def test_stdout_is_the_callers_own_again_after_a_run(write: Write, capsys: pytest.CaptureFixture[str]) -> None:
    before = sys.stdout
    rows_of(_write_suite(write, "loud", "def run(given):\n    print('loud')\n    return {'a': given}\n"))
    print("mine")  # noqa: T201  the subject of this test
    assert sys.stdout is before
    assert capsys.readouterr() == ("mine\n", "loud\n" * 3)


def test_the_run_names_functions_that_it_could_not_stop(write: Write, evalctl: Any) -> None:
    code = "import time\ndef run(given):\n    time.sleep(60 if given else 0)\n    return {'a': given}\n"
    _write_suite(write, "overdue", code, timeout=0.3, retries=0)
    said = evalctl("run", "s.yaml", "-o", "r.jsonl").stderr
    why = "not over at the timeout and may still run; a thread cannot be stopped, a type: command can"
    assert f"target python: 2 calls were {why}" in said
