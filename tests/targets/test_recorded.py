"""Recorded answers of one or several targets → a row per case and target."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pipeline import rows_of

from agentv_py.errors import InvalidSuite
from agentv_py.suite.answers import AnswerChoice
from agentv_py.suite.load import load
from agentv_py.suite.selection import Selection

Write = Callable[[str, Any], Path]

_SUITE = "evaluators: [{type: field_accuracy, fields: [{path: a}]}]\ndataset: d.jsonl\n"
_CASES = '{"id": "x", "expected": {"a": 1}, "candidate": {"a": 9}}\n{"id": "y", "expected": {"a": 2}}\n'


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def suite(write: Write) -> Path:
    write("d.jsonl", _CASES)
    write("a.jsonl", '{"id": "x", "candidate": {"a": 1}}\n{"id": "y", "candidate": {"a": 2}}\n')
    write("b.jsonl", '{"id": "x", "candidate": {"a": 1}}\n')
    return write("s.yaml", _SUITE)


def _outline(rows: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(row["case_id"], row.get("target"), row["status"], row["score"]) for row in rows]


def _problems(suite: Path, **choice: Any) -> list[str]:
    with pytest.raises(InvalidSuite) as caught:
        load(suite.name, Selection(), AnswerChoice(**choice))
    return [str(problem) for problem in caught.value.problems]


def test_each_case_has_a_row_for_each_target_and_none_gets_the_answer_of_the_case(suite: Path) -> None:
    rows = rows_of(suite, predictions=["a.jsonl", "second=b.jsonl"])
    assert _outline(rows) == [
        ("x", "a", "ok", 1.0),
        ("x", "second", "ok", 1.0),
        ("y", "a", "ok", 1.0),
        ("y", "second", "error", 0.0),
    ]
    assert rows[3]["error"] == {"kind": "no_candidate", "message": "the case has no candidate"}


def test_predictions_without_a_row_are_an_error(suite: Path, write: Write) -> None:
    write("empty.jsonl", "\n")
    assert _problems(suite, predictions=["a.jsonl", "empty.jsonl"]) == ["empty.jsonl: holds no row"]


def test_recorded_targets_of_a_suite_give_the_rows_that_flags_give(suite: Path) -> None:
    targets = "targets: [{type: recorded, name: a, predictions: a.jsonl}, {type: recorded, predictions: [b.jsonl]}]\n"
    by_flags = rows_of(suite, predictions=["a.jsonl", "recorded=b.jsonl"])
    suite.write_text(_SUITE + targets)
    assert _outline(rows_of(suite)) == _outline(by_flags)
    assert _outline(rows_of(suite, targets=["recorded"])) == _outline(by_flags)[1::2]
    assert _outline(rows_of(suite, predictions=["b.jsonl"])) == [("x", "b", "ok", 1.0), ("y", "b", "error", 0.0)]
    both = _outline(rows_of(suite, targets=["a"], predictions=["b.jsonl"]))
    assert [target for _, target, _, _ in both] == ["a", "b", "a", "b"]


def test_one_target_is_a_list_of_one(suite: Path) -> None:
    suite.write_text(_SUITE + "target: {type: recorded, name: a, predictions: a.jsonl}\n")
    assert _outline(rows_of(suite)) == [("x", "a", "ok", 1.0), ("y", "a", "ok", 1.0)]


def test_unnamed_predictions_stay_without_a_target(suite: Path) -> None:
    suite.write_text(_SUITE + "predictions: b.jsonl\n")
    assert _outline(rows_of(suite)) == [("x", None, "ok", 1.0), ("y", None, "error", 0.0)]


def test_a_row_has_what_its_prediction_tells_about_the_answer(suite: Path, write: Write) -> None:
    facts = {"latency_ms": 12.5, "cost": 0.01, "tokens": {"total": 7}, "trace": [{"tool": "ocr"}], "confidence": 0.9}
    write("a.jsonl", json.dumps({"id": "x", "candidate": {"a": 1}} | facts) + "\n")
    [row, _] = rows_of(suite, predictions=["a.jsonl"])
    assert {key: row[key] for key in facts} == facts
    [row, _] = rows_of(suite, predictions=["a.jsonl"], data=False)
    assert "trace" not in row
    assert row["cost"] == 0.01


def test_mistakes_name_the_flag_and_the_way_out(suite: Path) -> None:
    assert _problems(suite, predictions=["none.jsonl"]) == ["--predictions: 'none.jsonl' does not exist"]
    assert _problems(suite, predictions=["a.jsonl", "a=b.jsonl"]) == [
        "--predictions: two targets are named 'a'; name one with --predictions NAME=FILE"
    ]
    assert _problems(suite, targets=["a"]) == ["s.yaml: --target: no target is named 'a'; the suite has no targets:"]
    suite.write_text(_SUITE + "targets: [{type: recorded, name: ours, predictions: a.jsonl}]\n")
    assert _problems(suite, targets=["our"]) == [
        "s.yaml: --target: no target is named 'our'; did you mean 'ours'? known: ours"
    ]


def test_mistakes_in_targets_are_shown_at_their_place(suite: Path) -> None:
    suite.write_text(
        _SUITE + "targets:\n"
        "  - {type: recorded, name: a, predictions: none.jsonl}\n"
        "  - {type: recordd}\n"
        "  - {type: recorded, name: a, predictions: a.jsonl, nmae: 5}\n"
    )
    problems = _problems(suite)
    assert (
        problems[0]
        == "s.yaml:5:12: targets[1].type: Invalid target type: 'recordd'; did you mean 'recorded'?"
        + (problems[0].partition("did you mean 'recorded'?")[2])
    )
    assert problems[1:] == [
        "s.yaml:6:28: targets[2].name: two targets are named 'a'; names are unique within a suite",
        "s.yaml:6:53: targets[2].nmae: unknown key 'nmae'; did you mean 'name'?",
    ]
    suite.write_text(_SUITE + "targets: [{type: recorded, predictions: none.jsonl}]\n")
    assert _problems(suite) == ["s.yaml:3:41: targets[0].predictions: 'none.jsonl' does not exist"]
    suite.write_text(_SUITE + "predictions: a.jsonl\ntargets: [{type: recorded, predictions: a.jsonl}]\n")
    assert _problems(suite) == [
        "s.yaml:1:1: predictions and targets exclude each other; add {type: recorded} to targets:"
    ]


def test_a_resumed_run_knows_the_rows_of_each_target(suite: Path, evalctl: Any) -> None:
    flags = ("--predictions", "a.jsonl", "--predictions", "b.jsonl", "-o", "r.jsonl")
    evalctl("run", "s.yaml", *flags)
    lines = Path("r.jsonl").read_text().splitlines(keepends=True)
    assert len(lines) == 4
    Path("r.jsonl").write_text("".join(lines[1:2]))
    assert evalctl("run", "s.yaml", *flags, "--resume").returncode == 3
    again = [json.loads(line) for line in Path("r.jsonl").read_text().splitlines()]
    assert _outline(again) == _outline([json.loads(line) for line in lines])
    assert json.loads(lines[1]) == again[1]
