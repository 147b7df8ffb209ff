"""Results files → one report."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl

Write = Callable[[str, Any], Path]

_SUITE = """
evaluators:
  - {name: one, type: field_accuracy, fields: [{path: a}, {path: b}]}
  - {name: two, type: field_accuracy, fields: [{path: c}]}
cases:
  - {id: x, expected: {a: 1, b: 2, c: null}, candidate: {a: 1, b: 3, c: null}}
  - {id: y, expected: {a: 1, b: 2, c: null}, candidate: {a: 1, c: ""}}
"""


@pytest.fixture
def results(evalctl: Evalctl, write: Write, tmp_path: Path) -> Path:
    write("s.yaml", _SUITE)
    evalctl("run", "s.yaml", "-o", "r.jsonl", "-q")
    return tmp_path / "r.jsonl"


@pytest.mark.parametrize("command", [("report",), ("diff", "r.jsonl"), ("trend",)])
def test_the_suffix_of_the_file_selects_the_format(
    evalctl: Evalctl, results: Path, tmp_path: Path, command: tuple[str, ...]
) -> None:
    assert evalctl(*command, "r.jsonl", "-o", "out.json").returncode == 0
    assert json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))["kind"] in {"summary", "diff", "trend"}
    assert evalctl(*command, "r.jsonl", "-o", "plain").returncode == 0
    assert not (tmp_path / "plain").read_text(encoding="utf-8").startswith("{")
    assert evalctl(*command, "r.jsonl", "--format", "json", "-o", "out.log").returncode == 0
    assert json.loads((tmp_path / "out.log").read_text(encoding="utf-8"))
    done = evalctl(*command, "r.jsonl", "-o", "other.log")
    assert (done.returncode, done.stderr) == (
        2,
        "error: -o 'other.log': the suffix selects the format; valid: .json .md .csv .xml .html .txt\n",
    )
    assert not (tmp_path / "other.log").exists()


def test_a_file_without_rows_has_no_figures(evalctl: Evalctl, results: Path, write: Write) -> None:
    write("empty.jsonl", "")
    done = evalctl("report", "empty.jsonl")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "warning: empty.jsonl: holds no row\nerror: nothing to report: no file holds a row\n"
    done = evalctl("report", "empty.jsonl", "r.jsonl", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "warning: empty.jsonl: holds no row\n")
    assert json.loads(done.stdout)["cases"] == 2


def test_attributes_are_counted_over_all_rows(evalctl: Evalctl, results: Path) -> None:
    done = evalctl("report", "r.jsonl", "--format", "json")
    assert done.returncode == 0
    report = json.loads(done.stdout)
    assert (report["kind"], report["cases"], report["suites"]) == ("summary", 2, ["s"])
    attribute = report["metrics"]["one"]["attributes"]["b"]
    assert attribute.pop("intervals").keys() == {"precision", "recall", "f1"}
    assert attribute == {
        "tp": 0, "tn": 0, "fp": 1, "fn": 2, "precision": 0.0, "recall": 0.0, "f1": None, "support": 2,
    }  # fmt: skip
    assert report["metrics"]["one"]["micro"]["precision"] == pytest.approx(2 / 3)
    assert report["metrics"]["one"]["macro"] == {"precision": 0.5, "recall": 0.5, "f1": 0.5}
    assert report["metrics"]["two"]["macro"]["f1"] == 1.0


def test_undefined_is_a_dash(evalctl: Evalctl, results: Path) -> None:
    lines = evalctl("report", "r.jsonl").stdout.splitlines()
    [row] = [line.split() for line in lines if line.startswith(" c ")]
    assert row == ["c", "0", "2", "0", "0", "–", "–", "–"]
    assert max(map(len, lines)) <= 80


def test_csv_has_a_line_for_each_comparison(evalctl: Evalctl, results: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(evalctl("report", "r.jsonl", "--format", "csv").stdout)))
    assert [(row["case_id"], row["evaluator"], row["path"], row["outcome"]) for row in rows] == [
        ("x", "one", "a", "match"), ("x", "one", "b", "mismatch"), ("x", "two", "c", "blank"),
        ("y", "one", "a", "match"), ("y", "one", "b", "missing"), ("y", "two", "c", "blank"),
    ]  # fmt: skip
    assert [(row["expected"], row["actual"], row["note"]) for row in rows[1:5:3]] == [
        ("2", "3", ""), ("2", "", "required, missing"),
    ]  # fmt: skip


def test_one_evaluator_may_be_asked_for(evalctl: Evalctl, results: Path) -> None:
    report = json.loads(evalctl("report", "r.jsonl", "--format", "json", "--evaluator", "two").stdout)
    assert list(report["metrics"]) == ["two"]
    done = evalctl("report", "r.jsonl", "--evaluator", "three")
    assert (done.returncode, done.stderr) == (2, "error: no row has an evaluator named 'three'\n")


def test_several_files_are_one_report_and_o_writes_it(evalctl: Evalctl, results: Path, tmp_path: Path) -> None:
    done = evalctl("report", "r.jsonl", "r.jsonl", "--format", "markdown", "-o", "report.md")
    assert (done.returncode, done.stdout) == (0, "")
    text = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "0 of 4 passed" in text
    assert "| b | 0 | 0 | 2 | 4 | 0.000 | 0.000 | –" in text


def test_a_torn_last_line_is_a_warning_and_other_damage_an_error(evalctl: Evalctl, results: Path) -> None:
    data = results.read_bytes()
    results.write_bytes(data[:-30])
    done = evalctl("report", "r.jsonl", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "warning: r.jsonl:2: the last line is torn, and left out\n")
    assert json.loads(done.stdout)["cases"] == 1
    for damage, problem in (
        (b"nonsense\n", "Expecting value"),
        (b"[]\n", "it is not an object"),
        (b"{}\n", "it has no case_id"),
    ):
        results.write_bytes(damage + data)
        done = evalctl("report", "r.jsonl")
        assert done.returncode == 2
        assert done.stderr.startswith(f"error: r.jsonl:1: not a row of results: {problem}")
    assert evalctl("report", "none.jsonl").returncode == 2


@pytest.mark.parametrize(
    "change",
    [
        {"target": ["t"]}, {"score": 7}, {"score": True}, {"score": None}, {"status": "weird"}, {"verdict": "banana"}, {"evaluator_results": [{}]},
        {"evaluator_results": [5]}, {"evaluator_results": [{"name": 5, "type": "t", "score": 1, "verdict": "pass", "misses": []}]},
        {"evaluator_results": [{"name": "n", "type": "t", "score": "x", "verdict": "pass", "misses": []}]},
        {"evaluator_results": [{"name": "n", "type": "t", "score": 1, "verdict": "pass", "misses": [], "details": [1]}]},
    ],
)  # fmt: skip
def test_a_row_that_is_none_is_named_with_its_line(evalctl: Evalctl, results: Path, change: dict[str, Any]) -> None:
    row = json.loads(results.read_text(encoding="utf-8").splitlines()[0])
    results.write_text(json.dumps(row | change) + "\n", encoding="utf-8")
    done = evalctl("report", "r.jsonl")
    assert done.returncode == 2
    assert done.stderr.startswith("error: r.jsonl:1: not a row of results: ")


def test_a_report_never_overwrites_its_results(evalctl: Evalctl, results: Path) -> None:
    before = results.read_bytes()
    done = evalctl("report", "r.jsonl", "-o", "r.jsonl")
    assert (done.returncode, results.read_bytes()) == (2, before)


def test_the_summary_counts_the_answers_that_are_not_wholly_json(evalctl: Evalctl, write: Write) -> None:
    suite = {
        "evaluators": [{"type": "field_accuracy", "fields": [{"path": "a"}]}],
        "cases": [
            {"id": "whole", "expected": {"a": 1}, "candidate": '<think>{"a": 2}</think>{"a": 1}'},
            {"id": "fenced", "expected": {"a": 1}, "candidate": 'So:\n```json\n{"a": 1}\n```'},
            {"id": "found", "expected": {"a": 1}, "candidate": 'It is {"a": 1}.'},
            {"id": "also found", "expected": {"a": 1}, "candidate": 'It is {"a": 1}'},
        ],
    }
    write("s.yaml", suite)
    assert evalctl("run", "s.yaml", "-o", "r.jsonl", "-q", "-j", "2").returncode == 0
    assert json.loads(evalctl("report", "r.jsonl", "--format", "json").stdout)["parsed"] == {"fenced": 1, "found": 2}
    sentence = "The JSON of 3 answers is a part of the text: 1 fenced, 2 between other words."
    for form in ("console", "markdown", "html"):
        assert sentence in evalctl("report", "r.jsonl", "--format", form).stdout
