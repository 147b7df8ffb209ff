"""What a CI system takes for a command in a job's log never comes from users' data."""

import csv
import io
import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args
from xml.etree import ElementTree as ET

import pytest
from conftest import Evalctl
from hypothesis import given
from hypothesis import strategies as st
from rows import lines, row

from agentv_py.errors import escape_commands
from agentv_py.formats import Format, render, render_for_file
from agentv_py.report.diff.compute import compute_diff
from agentv_py.report.summary import Summary
from agentv_py.report.trend import compute_trend
from agentv_py.results.read import ResultsSource, reread_rows

if TYPE_CHECKING:
    from agentv_py.report import Report

Write = Callable[[str, Any], Path]

_PLANTED = ("::error::x", "##[group]x", "##vso[task.complete]x")

# GitHub takes a line for a command that begins with "::" behind white space, and one that holds "##[" anywhere; Azure
# one that holds "##vso[".
_COMMAND = re.compile(r"^\s*::|##\w*\[")


def _commands(text: str) -> list[str]:
    return [line for line in re.split(r"[\r\n]", text) if _COMMAND.search(line)]


def _result(planted: str, score: float, verdict: str) -> dict[str, Any]:
    """A result whose name, paths, values and misses a user has chosen; a long miss is broken before its `::`."""
    wrong = {"path": planted, "expected": planted, "actual": {planted: 1}, "note": planted}
    miss = f"{'word ' * 15}{planted} {'word ' * 13} {planted}"
    right = {"tp": 0, "tn": 0, "fp": 1, "fn": 1}
    details = {"metrics": {planted: right, "x" * 90 + planted: right}, "mismatches": [wrong]}
    return {
        "name": planted, "type": "t", "score": score, "verdict": verdict, "misses": [miss, planted], "details": details,
    }  # fmt: skip


def _rows(planted: str, score: float) -> str:
    verdict = "pass" if score == 1 else "fail"
    result = _result(planted, score, verdict)
    failed = {"status": "error", "error": {"kind": planted, "message": planted}}
    broken = row("err", 0.0, suite=planted) | failed
    broken["evaluator_results"] = [result | {"error": {"kind": planted, "message": f"{'word ' * 14}{planted}"}}]
    rows = [
        row(planted, score, suite=planted, verdict=verdict, evaluator_results=[result], tags=[planted]),
        *([broken] if score < 1 else [row("err", 1.0, suite=planted, evaluator_results=[result])]),
    ]
    return lines(*rows)


def _reports(folder: Path, planted: str) -> Iterator["Report"]:
    """A run's summary, a report's, a diff and a trend of results whose files are named by a user, too."""
    sources = [ResultsSource(folder / name, name) for name in ("::old.jsonl", "##[x]new.jsonl")]
    for source, score in zip(sources, (1.0, 0.0), strict=True):
        source.path.write_text(_rows(planted, score), encoding="utf-8")
    for full in (False, True):
        summary = Summary(full=full, rows=partial(reread_rows, sources))
        for one in reread_rows(sources):
            summary.add(one)
        yield summary
    yield compute_diff(*sources)
    yield compute_trend(sources)


@pytest.mark.parametrize("form", get_args(Format))
@pytest.mark.parametrize("planted", _PLANTED)
def test_a_report_holds_no_command(tmp_path: Path, form: Format, planted: str) -> None:
    for report in _reports(tmp_path, planted):
        assert _commands("".join(render(report, form))) == []
        assert _commands("".join(render_for_file(report, form))) == []


_SUITE = """
name: "::error::s"
evaluators: [{name: "##[group]e", type: field_accuracy, fields: [{path: "::stop", match: fuzzy}, {path: "a"}]}]
cases:
  - {id: "::error::id", expected: {"::stop": "##[group]x", a: 1}, candidate: {"::stop": "::error::x"}}
  - {id: "##[error]id", expected: {"::stop": "x", a: 1}, candidate: {"::stop": "x", a: 1}}
"""


def test_a_run_says_no_command_but_its_annotations(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    write("::s.yaml", _SUITE)
    arguments = ("run", "::s.yaml", "-o", "##[r.jsonl", "--report", "r.txt")
    done = evalctl(*arguments, "--annotations", "github", FORCE_COLOR="1", TERM="xterm")
    plain = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)
    assert [line.partition(",")[0] for line in _commands(plain)] == ["::error file=%3A%3As.yaml"]
    assert "##[" not in done.stdout
    assert _commands(done.stderr) == []
    assert _commands((tmp_path / "r.txt").read_text(encoding="utf-8")) == []


def test_rows_on_stdout_hold_no_command_and_say_the_same(evalctl: Evalctl, write: Write, tmp_path: Path) -> None:
    write("s.yaml", _SUITE)
    done = evalctl("run", "s.yaml", "-q", "-o", "-")
    assert _commands(done.stdout) == []
    evalctl("run", "s.yaml", "-q", "-o", "r.jsonl")
    there = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()]
    here = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["expected"] for one in here] == [one["expected"] for one in there]


@pytest.mark.parametrize(
    "arguments",
    [("validate", "::s.yaml"), ("run", "##[none].yaml"), ("init", "##[x]/\n::d"), ("report", "\n::none"),
     ("strategies", "infer", "::s.yaml")],
    ids=" ".join,
)  # fmt: skip
def test_no_other_command_says_one(evalctl: Evalctl, write: Write, arguments: tuple[str, ...]) -> None:
    write("::s.yaml", _SUITE + '  - {id: x, expected: {"##[x": 1}, candidate: {}}\n')
    done = evalctl(*arguments)
    assert (_commands(done.stdout), _commands(done.stderr)) == ([], [])
    assert done.stdout + done.stderr


def test_json_and_xml_say_the_same_in_other_words(tmp_path: Path) -> None:
    planted = "##[group]x"
    summary = next(_reports(tmp_path, planted))
    said = json.loads("".join(render(summary, "json")))
    assert (said["suites"], [one["name"] for one in said["evaluators"]]) == ([planted], [planted])
    suites = ET.fromstring("".join(render(summary, "junit")))
    assert [one.attrib["name"] for one in suites[0].iter("testcase")] == [planted, "err"] * 2
    assert f'\n{planted}: expected "{planted}"' in (list(suites[0].iter("testcase"))[2][0].text or "")


def test_text_says_it_visibly(evalctl: Evalctl, write: Write) -> None:
    write("::s.yaml", "cases: []\nevaluators: [{type: field_accuracy, fields: [{path: a}]}]\n")
    assert evalctl("validate", "::s.yaml").stdout == "\\x3a:s.yaml: valid, 0 cases\n"
    assert evalctl("validate", "##[s].yaml").stderr == (
        "error: \\x23#[s].yaml: cannot be read: No such file or directory\n"
    )


@given(st.text(alphabet=":#[v \n\tx\x1bm;0", max_size=30))
def test_no_text_is_a_command_and_no_other_text_changes(text: str) -> None:
    safe = escape_commands(text)
    assert _commands(safe.replace("\x1b[0m", "")) == []
    assert escape_commands(safe) == safe
    assert safe.replace("\\x3a", ":").replace("\\x23", "#") == text
    if not re.search(r"::|##", text):
        assert safe == text


@pytest.mark.parametrize("mark", ["=", "+", "-", "@", "＝", "＋", "－", "＠", "﹢", "﹣", "﹦", "﹫"])
def test_no_cell_of_csv_is_a_formula(tmp_path: Path, mark: str) -> None:
    summary = next(_reports(tmp_path, f"{mark}1+1"))
    cells = list(csv.DictReader(io.StringIO("".join(render(summary, "csv")))))
    assert {cell for one in cells for cell in one.values() if cell.lstrip("'").startswith(mark)} == {f"'{mark}1+1"}
