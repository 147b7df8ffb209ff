"""`evalctl score EXPECTED ACTUAL`: one pair of files, no suite, and the verdict as the exit code."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import Commands
from conftest import Evalctl

Write = Callable[[str, Any], Path]

_GOLD = {
    "id": "A-1",
    "total": 120.5,
    "due_date": "2025-01-15",
    "rows": [{"sku": "a", "qty": 1}, {"sku": "b", "qty": 2}],
}
_NEAR = {**_GOLD, "total": "120.50", "due_date": "15 January 2025", "rows": _GOLD["rows"][::-1]}  # type: ignore[index]


@pytest.mark.parametrize(
    ("answer", "code", "verdict"),
    [
        (_GOLD, 0, "pass"),
        (_NEAR, 0, "pass"),
        (f"Sure!\n```json\n{json.dumps(_NEAR)}\n```\n", 0, "pass"),
        ({**_GOLD, "total": 99}, 1, "partial"),
        ("no idea", 1, "fail"),
        ("[1, 2]", 1, "fail"),
    ],
)
def test_the_verdict_is_the_exit_code(evalctl: Evalctl, write: Write, answer: Any, code: int, verdict: str) -> None:
    write("gold.json", _GOLD)
    write("answer.txt", answer)
    done = evalctl("score", "gold.json", "answer.txt", "--format", "json")
    assert (done.returncode, done.stderr) == (code, "")
    [story] = json.loads(done.stdout)["cases"]
    assert (story["verdict"], story["case_id"], story["expected"]) == (verdict, "answer.txt", _GOLD)


def test_the_page_names_the_rule_the_gap_and_what_would_pass(evalctl: Evalctl, write: Write) -> None:
    write("gold.json", _GOLD)
    write("answer.json", {**_NEAR, "total": 125, "fee": 3, "rows": [{"sku": "b", "qty": 2}, {"sku": "a", "qty": 7}]})
    done = evalctl("score", "gold.json", "answer.json", COLUMNS="80")
    assert done.returncode == 1
    assert max(map(len, done.stdout.splitlines())) <= 80
    for words in (
        "◐ partial", "total", "numeric_tolerance: difference ≤ 0.005  auto, rule number:", "4.5 too high (3.73 %)",
        "rows of rows  rows pair where their keys match; 1 row matched fully", "expected[0]  answer[1]",
        "only in the answer, and not scored: fee", "if the answer is right at total",
    ):  # fmt: skip
        assert words in done.stdout
    assert evalctl("score", "gold.json", "answer.json", "-q").stdout == ""


def test_a_schema_gives_the_comparators(evalctl: Evalctl, write: Write) -> None:
    write("gold.json", {"code": "AB", "total": 100})
    write("answer.json", {"code": "ab", "total": 104})
    write("s.json", {"properties": {"total": {"type": "number", "x-evalctl": {"match": "within", "tolerance": 0.05}}}})
    done = evalctl("score", "gold.json", "answer.json", "--schema", "s.json", "--format", "json")
    [story] = json.loads(done.stdout)["cases"]
    assert (done.returncode, [one["path"] for one in story["findings"]]) == (1, ["code"])
    assert story["rules_from"] == "s.json"


@pytest.mark.parametrize(
    ("format_name", "words"),
    [("markdown", "### score"), ("csv", "suite,case_id"), ("html", "<!doctype html>")],
)
def test_every_format_shows_the_pair(evalctl: Evalctl, write: Write, format_name: str, words: str) -> None:
    write("gold.json", _GOLD)
    done = evalctl("score", "gold.json", "gold.json", "--format", format_name)
    assert done.returncode == 0
    assert words in done.stdout


def test_a_side_may_come_from_a_pipe(commands: Commands, tmp_path: Path, write: Write) -> None:
    write("gold.json", _GOLD)
    for sides in ("gold.json -", "- gold.json"):
        line = f"cat gold.json | {commands.program} score {sides} -q"
        assert subprocess.run(line, shell=True, cwd=tmp_path, check=False).returncode == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gold.json", "anser.json"], "anser.json: cannot be read: No such file or directory; did you mean 'answer.json'?"),
        (["rows.jsonl", "answer.json"], "rows.jsonl:2:1: holds more than one JSON value; score takes one"),
        (["empty.json", "answer.json"], "empty.json:1:1: is empty; it must hold the expected value as JSON"),
        (["bad.json", "answer.json"], "bad.json:2:3: is not valid JSON: Expecting value"),
        (["latin.json", "answer.json"], "latin.json:1:2: byte 0xe9 is not valid UTF-8; save the file as UTF-8"),
        (["-", "-"], "EXPECTED and ACTUAL cannot both be stdin"),
        (["gold.json", "answer.json", "--schema", "no.json"], "--schema: 'no.json' cannot be read: No such file or directory"),
        (["gold.json", "answer.json", "--schema", "empty.json"], "--schema: 'empty.json' is not valid JSON: Expecting value, in line 1"),
        (["gold.json", "answer.json", "-o", "x.doc"], "-o 'x.doc': the suffix selects the format; valid: .json .md .csv .xml .html .txt"),
        (["gold.json", "answer.json", "-o", "answer.json"], "answer.json: is an input; name another file"),
        (["gold.json", "/dev/null"], "/dev/null: cannot be read: it is a device; name a file or a pipe"),
    ],
)  # fmt: skip
def test_wrong_input_is_exit_2(evalctl: Evalctl, write: Write, arguments: list[str], message: str) -> None:
    write("gold.json", _GOLD)
    write("answer.json", _GOLD)
    write("empty.json", "")
    write("rows.jsonl", "{}\n{}\n")
    write("bad.json", '{"a":\n  }')
    write("latin.json", b'"\xe9"')
    done = evalctl("score", *arguments)
    assert done.stderr.startswith(f"error: {message}")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_an_empty_answer_is_an_error(evalctl: Evalctl, write: Write) -> None:
    write("gold.json", json.dumps(_GOLD))
    write("answer.txt", " \n")
    done = evalctl("score", "gold.json", "answer.txt", "--format", "json")
    assert (done.returncode, json.loads(done.stdout)["cases"][0]["error"]) == (3, "no_candidate: the answer is empty")
