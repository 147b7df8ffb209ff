"""Reports by suffix, annotations and the job's summary: what a CI system sees."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from conftest import Evalctl
from rows import SCHEMA, lines, row

Write = Callable[[str, Any], Path]

_SUITE = """
name: s
evaluators: [{name: header, type: field_accuracy, fields: [{path: a}]}]
cases:
  - {id: good, expected: {a: 1}, candidate: {a: 1}}
  - {id: "100%, bad: yes", expected: {a: "x"}, candidate: {a: "=1+1\\r\\n"}}
  - {id: lost, expected: {a: 1}}
"""


def test_reports_are_written_in_the_format_of_their_suffix(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    write("s.yaml", _SUITE)
    reports = [f"out/r{suffix}" for suffix in (".json", ".md", ".csv", ".xml", ".txt")]
    done = evalctl("run", "s.yaml", "-q", *(word for file in reports for word in ("--report", file)))
    assert (done.returncode, done.stdout) == (3, "")
    texts = {Path(file).suffix: (tmp_path / file).read_text(encoding="utf-8") for file in reports}
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(texts[".json"]))
    assert texts[".md"].startswith("### s: 1 of 3 passed\n")
    assert " s · 3 cases\n" in texts[".txt"]
    assert [one["outcome"] for one in csv.DictReader(io.StringIO(texts[".csv"]))] == ["match", "mismatch", "error"]
    cases = ET.fromstring(texts[".xml"]).iter("testcase")
    assert [(case.attrib["name"], [child.tag for child in case]) for case in cases] == [
        ("good", []), ("100%, bad: yes", ["failure"]), ("lost", ["error"]),
    ]  # fmt: skip


def test_an_unknown_suffix_ends_before_anything_runs(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    write("s.yaml", _SUITE)
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--report", "r.pdf")
    assert (done.returncode, (tmp_path / "r.jsonl").exists()) == (2, False)
    assert done.stderr.startswith("error: --report 'r.pdf': the suffix selects the format; valid: .json .md .csv .xml")


def test_a_report_that_cannot_be_written_keeps_no_other_from_it(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    write("s.yaml", _SUITE)
    write("taken", "")
    arguments = ("--report", "taken/r.html", "--report", "r.md", "--annotations", "github")
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", *arguments, GITHUB_STEP_SUMMARY=str(tmp_path / "summary.md"))
    assert (done.returncode, "::error file=s.yaml" in done.stdout) == (2, True)
    said = done.stderr.splitlines()[-2:]
    assert said == ["results: r.jsonl", "error: taken/r.html: cannot be written: File exists"]
    assert (tmp_path / "r.md").read_text(encoding="utf-8") == (tmp_path / "summary.md").read_text(encoding="utf-8")[:-1]


def test_a_report_never_overwrites_an_input(evalctl: Evalctl, write: Write) -> None:
    write("cases.json", [{"id": "x", "expected": {"a": 1}, "candidate": {"a": 1}}])
    write("s.yaml", "dataset: cases.json\nevaluators: [{type: field_accuracy, fields: [{path: a}]}]\n")
    assert evalctl("run", "s.yaml", "--report", "cases.json").returncode == 2


def test_rows_on_stdout_are_shown_in_reports_too(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    write("s.yaml", _SUITE)
    done = evalctl("run", "s.yaml", "-o", "-", "-q", "--report", "r.xml")
    assert len(done.stdout.splitlines()) == 3
    assert len(ET.fromstring((tmp_path / "r.xml").read_text(encoding="utf-8")).findall("*/testcase")) == 3


def test_annotations_stand_at_the_line_of_their_case(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", _SUITE)
    done = evalctl("run", "s.yaml", "--annotations", "github", "-q")
    assert done.stdout.splitlines() == [
        '::error file=s.yaml,line=6,title=100%25%2C bad%3A yes%3A fail 0.000::a: expected "x", got "=1+1\\r\\n"',
        "::error file=s.yaml,line=7,title=lost%3A error 0.000::header: the case has no candidate",
    ]


def test_annotations_name_files_from_the_workspace_and_are_few(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    cases = [{"id": f"c{number}", "expected": {"a": 1}, "candidate": {"a": 2}} for number in range(25)]
    write("evals/cases.jsonl", lines(*cases))
    write("evals/s.yaml", "dataset: cases.jsonl\nevaluators: [{type: field_accuracy, fields: [{path: a}]}]\n")
    done = evalctl("run", "evals/s.yaml", "--annotations", "github", "-q", GITHUB_WORKSPACE=str(tmp_path))
    shown = done.stdout.splitlines()
    assert shown[9].startswith("::error file=evals/cases.jsonl,line=10,title=c9%3A fail 0.000::")
    assert shown[10:] == ["::notice title=evalctl::and 15 more cases did not pass"]


@pytest.mark.parametrize(
    "arguments", [("run", "s.yaml", "-q"), ("report", "a.jsonl"), ("diff", "a.jsonl", "a.jsonl"), ("trend", "a.jsonl")]
)
def test_the_job_s_summary_is_appended_to(
    evalctl: Evalctl, write: Write, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    write("s.yaml", _SUITE)
    write("a.jsonl", lines(row("x", 1.0)))
    write("summary.md", "before\n")
    evalctl(*arguments, GITHUB_STEP_SUMMARY=str(tmp_path / "summary.md"))
    text = (tmp_path / "summary.md").read_text(encoding="utf-8")
    assert text.startswith("before\n### ")


def test_cells_that_a_spreadsheet_would_run_are_text(evalctl: Evalctl, write: Write) -> None:
    result = {"name": "@e", "type": "t", "score": 0.0, "verdict": "fail", "misses": ["-a", "=cmd|x"]}
    write("r.jsonl", lines(row("+c", 0.0, evaluator_results=[result])))
    rows = list(csv.reader(io.StringIO(evalctl("report", "r.jsonl", "--format", "csv").stdout)))
    assert [(one[1], one[5], one[7]) for one in rows[1:]] == [("'+c", "'@e", "'-a"), ("'+c", "'@e", "'=cmd|x")]


def test_xml_holds_no_character_that_xml_forbids(evalctl: Evalctl, write: Write) -> None:
    nasty = "<a>&\"']]>\x00\x1b\ud800\ufffe"
    result = {"name": nasty, "type": "t", "score": 0.0, "verdict": "fail", "misses": [nasty]}
    write("r.jsonl", lines(row(nasty, 0.0, suite=nasty, evaluator_results=[result])))
    [suite] = ET.fromstring(evalctl("report", "r.jsonl", "--format", "junit").stdout)
    assert suite.attrib["name"] == "<a>&\"']]>\\x00\\x1b\\ud800\\ufffe"


def _runs(write: Write, *scores: float) -> list[str]:
    names = []
    for number, score in enumerate(scores):
        names.append(f"run-{number}.jsonl")
        write(
            names[-1], lines(*(row(f"c{n}", score, timestamp=f"2026-01-{number + 1:02d}T00:00:00") for n in range(3)))
        )
    return names


def test_a_trend_orders_runs_by_time_and_knows_a_fall(evalctl: Evalctl, write: Write) -> None:
    names = _runs(write, 0.9, 0.85, 0.8, 0.76)
    done = evalctl("trend", *reversed(names), "--format", "json")
    found = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    [series] = found["series"]
    assert [run["file"] for run in series["runs"]] == names
    assert series["mean_score"]["slope"] == pytest.approx(-0.047)
    assert series["mean_score"]["high"] < 0
    assert (done.returncode, evalctl("trend", *names, "--fail-on", "degrading").returncode) == (0, 1)


@pytest.mark.parametrize("scores", [(0.9,), (0.9, 0.5), (0.9, 0.9, 0.9), (0.5, 0.9, 0.4, 0.8), (0.7, 0.8, 0.9)])
def test_what_does_not_clearly_fall_is_not_degrading(evalctl: Evalctl, write: Write, scores: tuple[float, ...]) -> None:
    done = evalctl("trend", *_runs(write, *scores), "--fail-on", "degrading")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_trend_has_a_sparkline_and_every_format(evalctl: Evalctl, write: Write) -> None:
    names = _runs(write, 0.5, 1.0, 0.75)
    assert "▁█▅" in evalctl("trend", *names).stdout or "▁█▄" in evalctl("trend", *names).stdout
    assert "▁█" in evalctl("trend", *names, "--format", "markdown").stdout
    assert evalctl("trend", *names, "--format", "csv").stdout.count("\n") == 4
    assert len(ET.fromstring(evalctl("trend", *names, "--format", "junit").stdout)[0]) == 2


def test_a_file_without_a_row_is_no_run_and_is_said(evalctl: Evalctl, write: Write) -> None:
    write("empty.jsonl", "")
    done = evalctl("trend", *_runs(write, 0.5, 1.0), "empty.jsonl")
    assert (done.returncode, done.stderr) == (0, "warning: empty.jsonl: holds no row, and is left out\n")
