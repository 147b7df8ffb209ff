"""Several suites in one report, and gates that are met or missed, in every format."""

import csv
import io
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from conftest import Evalctl
from rows import SCHEMA, lines, row

Write = Callable[[str, Any], Path]

_FORMATS = ("console", "markdown", "json", "csv", "junit", "html")


def _suite(name: str, *scores: int, gates: str = "") -> str:
    cases = "".join(
        f"  - {{id: c{n}, expected: {{a: 1}}, candidate: {{a: {score}}}}}\n" for n, score in enumerate(scores)
    )
    head = f"name: {name}\nevaluators: [{{name: header, type: field_accuracy, fields: [{{path: a}}]}}]\n"
    return head + (f"gates: {{{gates}}}\n" if gates else "") + f"cases:\n{cases}"


@pytest.fixture
def two_suites(write: Write) -> None:
    write("one.yaml", _suite("one", 1, 1, 1, 0, gates="mean_score: 0.7"))
    write("two.yaml", _suite("two", 1, 0, gates="pass_rate: 0.6667"))


def _run(evalctl: Evalctl, form: str, *files: str, code: int) -> str:
    done = evalctl("run", *files, "-o", "r.jsonl", "--format", form, COLUMNS="100")
    assert done.returncode == code, done.stderr
    return done.stdout


@pytest.mark.usefixtures("two_suites")
def test_evaluators_of_two_suites_that_share_a_name_are_two(evalctl: Evalctl) -> None:
    report = json.loads(_run(evalctl, "json", "one.yaml", "two.yaml", code=1))
    jsonschema.Draft202012Validator(SCHEMA).validate(report)
    assert [(e["suite"], e["name"], e["cases"], e["mean_score"]) for e in report["evaluators"]] == [
        ("one", "header", 4, 0.75), ("two", "header", 2, 0.5),
    ]  # fmt: skip
    assert {name: found["attributes"]["a"]["tp"] for name, found in report["metrics"].items()} == {
        "one/header": 3, "two/header": 1,
    }  # fmt: skip
    assert [(s["suite"], s["cases"], s["passed"], s["mean_score"]["value"]) for s in report["by_suite"]] == [
        ("one", 4, 3, 0.75), ("two", 2, 1, 0.5),
    ]  # fmt: skip


@pytest.mark.usefixtures("two_suites")
def test_a_case_that_did_not_pass_is_named_after_its_suite(evalctl: Evalctl) -> None:
    assert "✗ one/c3  fail" in _run(evalctl, "console", "one.yaml", "two.yaml", code=1)
    assert "**two/c1**" in _run(evalctl, "markdown", "one.yaml", "two.yaml", code=1)
    assert "✗ c3  fail" in _run(evalctl, "console", "one.yaml", code=0)


@pytest.mark.usefixtures("two_suites")
def test_one_suite_keeps_the_keys_that_it_had(evalctl: Evalctl, write: Write) -> None:
    write("plain.yaml", _suite("plain", 1))
    report = json.loads(_run(evalctl, "json", "plain.yaml", code=0))
    assert list(report) == [
        "kind", "suites", "cases", "passed", "partial", "failed", "errors", "pass_rate", "mean_score", "evaluators",
        "metrics",
    ]  # fmt: skip
    assert list(report["metrics"]) == ["header"]
    assert "suite" not in report["evaluators"][0]


@pytest.mark.usefixtures("two_suites")
def test_a_terminal_has_a_line_per_suite_with_its_gates(evalctl: Evalctl) -> None:
    text = _run(evalctl, "console", "one.yaml", "two.yaml", code=1)
    assert re.search(r"^ one +4 +75\.0% +0\.750 +0 +✓ mean_score 0\.75 ≥ 0\.7, met$", text, re.MULTILINE)
    assert re.search(r"^ two +2 +50\.0% +0\.500 +0 +✗ pass_rate 0\.5 < 0\.6667, missed$", text, re.MULTILINE)
    assert re.search(r"^ one +header +field_accuracy +0\.750", text, re.MULTILINE)


@pytest.mark.usefixtures("two_suites")
@pytest.mark.parametrize("form", _FORMATS)
def test_every_format_shows_the_gate_of_one_suite_met_or_missed(evalctl: Evalctl, form: str) -> None:
    for file, code, text in (
        ("one.yaml", 0, "mean_score 0.75 ≥ 0.7, met"),
        ("two.yaml", 1, "pass_rate 0.5 < 0.6667, missed"),
    ):
        shown = _run(evalctl, form, file, code=code)
        if form == "csv":
            gate = list(csv.DictReader(io.StringIO(shown)))[-1]
            figures = (gate["path"], gate["actual"], gate["expected"], gate["outcome"])
            assert (gate["type"], *figures) == (
                "gate",
                *text.replace("≥ ", "").replace("< ", "").replace(",", "").split(),
            )
        elif form == "junit":
            found = {p.attrib["name"]: p.attrib["value"] for p in ET.fromstring(shown).iter("property")}
            assert text in found.values()
        elif form == "html":
            assert text.replace("<", "\\u003c") in shown
        else:
            assert text in shown.replace("\\", "").replace("&lt;", "<")


@pytest.mark.usefixtures("two_suites")
def test_a_missed_gate_is_on_stderr_also_when_quiet(evalctl: Evalctl) -> None:
    done = evalctl("run", "two.yaml", "-o", "r.jsonl", "-q")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "gate missed: two: pass_rate 0.5 is below the gate of 0.6667\n"
    assert evalctl("run", "one.yaml", "-o", "r.jsonl", "-q").stderr == ""


@pytest.mark.usefixtures("two_suites")
def test_where_gates_are_met_junit_has_no_failure(evalctl: Evalctl) -> None:
    [suite] = ET.fromstring(_run(evalctl, "junit", "one.yaml", code=0))
    assert (suite.attrib["tests"], suite.attrib["failures"]) == ("5", "0")
    [remark] = suite.iter("system-out")
    assert (remark.text or "").startswith("score 0.000, fail\na: expected 1, got 0")
    [suite] = ET.fromstring(_run(evalctl, "junit", "two.yaml", code=1))
    assert [case.attrib["name"] for case in suite.iter("testcase") if case.find("failure") is not None] == [
        "c1", "gate: pass_rate",
    ]  # fmt: skip


@pytest.mark.usefixtures("two_suites")
def test_where_gates_are_met_annotations_are_warnings(evalctl: Evalctl) -> None:
    done = evalctl("run", "one.yaml", "two.yaml", "-q", "-o", "r.jsonl", "--annotations", "github")
    assert [line.partition(",title")[0] for line in done.stdout.splitlines()] == [
        "::warning file=one.yaml,line=8", "::error file=two.yaml,line=1", "::error file=two.yaml,line=6",
    ]  # fmt: skip


def test_a_case_that_errs_is_an_error_although_the_gates_are_met(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", _suite("s", 1, gates="mean_score: 0.4") + "  - {id: lost, expected: {a: 1}}\n")
    done = evalctl("run", "s.yaml", "-q", "-o", "r.jsonl", "--annotations", "github", "--report", "r.xml")
    assert (done.returncode, done.stdout[:8]) == (3, "::error ")


def test_a_diff_keeps_evaluators_of_two_suites_apart(evalctl: Evalctl, write: Write) -> None:
    def build(first: float, second: float) -> str:
        rows = [
            row(f"c{n}", score, suite=suite) for suite, score in (("one", first), ("two", second)) for n in range(3)
        ]
        return lines(*rows)

    write("old.jsonl", build(1.0, 0.5))
    write("new.jsonl", build(0.5, 1.0))
    report = json.loads(evalctl("diff", "old.jsonl", "new.jsonl", "--format", "json").stdout)
    assert [(e["suite"], e["name"], e["delta"]) for e in report["evaluators"]] == [
        ("one", "e", -0.5),
        ("two", "e", 0.5),
    ]
    assert " one/e " in evalctl("diff", "old.jsonl", "new.jsonl").stdout
