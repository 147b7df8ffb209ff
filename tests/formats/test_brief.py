"""The brief format: few plain lines, the worst case first, and the next command, which works."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl

Write = Callable[[str, Any], Path]


def _write_suite(write: Write, count: int, wrong: int = 0, **more: Any) -> None:
    cases = [
        {
            "id": f"c{n}",
            "expected": {"a": n, "b": n, "c": n},
            "candidate": {"a": n, "b": -n if n < wrong else n, "c": "\x1b[31m" if n == 3 else n},
        }
        for n in range(1, count + 1)
    ]
    fields = [{"path": name} for name in "abc"]
    write("s.yaml", {"cases": cases, "evaluators": [{"type": "field_accuracy", "fields": fields}], **more})


def test_a_run_shows_the_worst_case_first_and_the_command_that_explains_it(write: Write, evalctl: Evalctl) -> None:
    _write_suite(write, 5, wrong=4)
    done = evalctl("run", "s.yaml", "-o", "my results.jsonl", "--format", "brief")
    assert done.returncode == 1
    assert done.stdout == (
        "FAIL s: 5 cases: 2 passed, 2 partial, 1 failed, 0 errors, mean score 0.733\n"
        "evaluator field_accuracy: mean score 0.733, pass rate 40.0%\n"
        "attribute b (field_accuracy): F1 0.400, TP 2 FP 3 FN 3\n"
        "attribute c (field_accuracy): F1 0.800, TP 4 FP 1 FN 1\n"
        "kinds of error: sign: 3 times in b, such as c1 b: expected 1, got -1\n"
        "case c3: fail, score 0.333\n"
        "  b: expected 3, got -3\n"
        '  c: expected 3, got "\\u001b[31m" (type mismatch)\n'
        "case c1: partial, score 0.667\n"
        "  b: expected 1, got -1\n"
        "case c2: partial, score 0.667\n"
        "  b: expected 2, got -2\n"
        "next: evalctl explain 'my results.jsonl' c3\n"
    )  # fmt: skip
    command = done.stdout.splitlines()[-1].removeprefix("next: evalctl ")
    told = evalctl(*shlex.split(command), "--format", "brief")
    assert told.stdout.splitlines()[0] == "s · c3: fail 0.333, passes from 0.8"
    assert told.stdout.splitlines()[-1] == "next: evalctl run s.yaml --case c3"


def test_there_are_never_more_than_40_lines(write: Write, evalctl: Evalctl) -> None:
    fields = [{"path": f"f{n}"} for n in range(60)]
    values = {f"f{n}": n for n in range(60)}
    cases = [{"id": f"c{n}", "expected": values, "candidate": {}} for n in range(60)]
    write("s.yaml", {"cases": cases, "evaluators": [{"type": "field_accuracy", "fields": fields}]})
    evalctl("run", "s.yaml", "-o", "r.jsonl", "-q")
    outputs = [evalctl(*words, "--format", "brief").stdout for words in _COMMANDS]
    assert [len(output.splitlines()) <= 40 for output in outputs] == [True] * len(_COMMANDS)
    assert [max(map(len, output.splitlines())) <= 200 for output in outputs] == [True] * len(_COMMANDS)
    assert "(54 more cases did not pass)" in outputs[0]


_COMMANDS = (
    ["report", "r.jsonl"],
    ["diff", "r.jsonl", "r.jsonl"],
    ["trend", "r.jsonl", "r.jsonl"],
    ["explain", "r.jsonl", "c1"],
    ["explain", "s.yaml"],
)


@pytest.mark.parametrize(
    ("gates", "head", "next_command"),
    [
        ({}, "PASS s: 2 cases: 2 passed, 0 partial, 0 failed, 0 errors, mean score 1.000", "evalctl report r.jsonl"),
        ({"gates": {"mean_score": 0.9}}, "PASS s: 2 cases: 2 passed", "evalctl report r.jsonl"),
    ],
)
def test_a_run_that_passes_says_so(
    gates: dict[str, Any], head: str, next_command: str, write: Write, evalctl: Evalctl
) -> None:
    _write_suite(write, 2, **gates)
    lines = evalctl("run", "s.yaml", "-o", "r.jsonl", "--format", "brief").stdout.splitlines()
    assert lines[0].startswith(head)
    assert lines[-1] == f"next: {next_command}"


def test_a_missed_gate_and_rows_on_stdout(write: Write, evalctl: Evalctl) -> None:
    _write_suite(write, 2, wrong=3, gates={"pass_rate": 0.9})
    done = evalctl("run", "s.yaml", "-o", "-", "--format", "brief")
    assert [json.loads(line)["case_id"] for line in done.stdout.splitlines()] == ["c1", "c2"]
    assert "gate missed: s: pass_rate 0 < 0.9, missed" in done.stderr
    assert "case c1: partial, score 0.667" in done.stderr
    assert "next:" not in done.stderr


def test_one_pair_of_files(write: Write, evalctl: Evalctl) -> None:
    write("e.json", {"a": 1})
    write("a.json", {"a": 2})
    done = evalctl("score", "e.json", "a.json", "--format", "brief")
    assert (done.returncode, done.stdout.splitlines()[0]) == (1, "score · a.json: fail 0.000, passes from 0.8")
