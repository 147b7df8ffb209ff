"""The SDK: a function is a judge."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

_QUESTION = {"case_id": "x", "candidate": {"a": 1}, "expected": {"a": 1}, "candidate_answer": "{}", "reference_answer": "{}",
             "input": None, "question": None, "metadata": None, "trace": None, "config": {"k": 1}, "new": "key"}  # fmt: skip


def _ask(tmp_path: Path, body: str, stdin: str, **environment: str) -> Any:
    script = tmp_path / "judge.py"
    script.write_text(f"from agentv_py import judge\n{body}\n", encoding="utf-8")
    return subprocess.run(
        [sys.executable, str(script)],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | environment,
    )


@pytest.mark.parametrize(
    ("body", "answer"),
    [
        ("judge.run(lambda p: 0.5)", {"score": 0.5}),
        ("judge.run(lambda p: p.candidate == p.expected)", {"score": 1.0}),
        ("judge.run(lambda p: {'score': p.config['k'], 'details': {'a': 1}})", {"score": 1, "details": {"a": 1}}),
        ("judge.run(lambda p: judge.Result(1.0, ['a'], ['b'], 'so', {'k': [1]}))",
         {"score": 1.0, "hits": ["a"], "misses": ["b"], "reasoning": "so", "details": {"k": [1]}}),
        ("judge.run(lambda p: judge.Result(0))", {"score": 0, "hits": [], "misses": [], "reasoning": ""}),
        ("judge.run(lambda p: print('a log') or 1)", {"score": 1.0}),
    ],
)  # fmt: skip
def test_a_judge_returns_whatever_suits_it(tmp_path: Path, body: str, answer: dict[str, Any]) -> None:
    done = _ask(tmp_path, body, json.dumps(_QUESTION))
    assert json.loads(done.stdout) == answer, done.stderr


def test_the_same_script_answers_line_by_line(tmp_path: Path) -> None:
    lines = "".join(json.dumps(_QUESTION | {"config": {"k": n / 10}}) + "\n" for n in range(3))
    done = _ask(tmp_path, "judge.run(lambda p: p.config['k'])", lines, EVALCTL_PERSISTENT="1")
    assert [json.loads(line)["score"] for line in done.stdout.splitlines()] == [0.0, 0.1, 0.2]


def test_an_answer_echoes_which_question_it_answers(tmp_path: Path) -> None:
    lines = "".join(json.dumps(_QUESTION | {"case_id": f"c{n}", "sequence": n}) + "\n" for n in (7, 8))
    body = "judge.run(lambda p: {'score': 1, 'case_id': 'mine'})"
    done = _ask(tmp_path, body, lines, EVALCTL_PERSISTENT="1")
    assert [json.loads(line) for line in done.stdout.splitlines()] == [
        {"score": 1, "sequence": n, "case_id": f"c{n}"} for n in (7, 8)
    ]


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("def score(p):\n    return p.config['nope']\njudge.run(score)", "KeyError: 'nope' (judge.py:3 in score)"),
        ("import json\njudge.run(lambda p: json.loads('x\\ny'))",
         "JSONDecodeError: Expecting value: line 1 column 1 (char 0) (judge.py:3 in <lambda>)"),
        ("def score(p):\n    raise ValueError('two\\n lines')\njudge.run(score)",
         "ValueError: two lines (judge.py:3 in score)"),
        ("def score(p):\n    assert p is None\njudge.run(score)", "AssertionError (judge.py:3 in score)"),
        ("judge.run(lambda p: 'high')", "ValueError: could not convert string to float: 'high'"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("environment", [{}, {"EVALCTL_PERSISTENT": "1"}], ids=["once", "persistent"])
def test_an_exception_is_one_line_with_its_place_in_the_judge(
    tmp_path: Path, body: str, line: str, environment: dict[str, str]
) -> None:
    done = _ask(tmp_path, body, json.dumps(_QUESTION), **environment)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{line}\n")
