"""Gates on attributes, invented values, slices and targets, in every format."""

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

_HEAD = """
name: s
evaluators:
  - {{name: header, type: field_accuracy, fields: [{{path: total}}, {{path: note}}]}}
dataset: cases.jsonl
gates:
{gates}
"""


def _write_suite(write: Write, *gates: str, more: str = "") -> None:
    """Twenty cases of acme are right; of twelve of hooli half have a wrong total, and one invents a note."""
    cases = [
        {
            "id": f"c{n}",
            "expected": {"total": 1, "note": None},
            "candidate": {"total": 2 if n >= 26 else 1, "note": "new" if n == 20 else None},
            "vendor": "acme" if n < 20 else "hooli",
        }
        for n in range(32)
    ]
    write("cases.jsonl", lines(*cases))
    write("s.yaml", _HEAD.format(gates="".join(f"  {gate}\n" for gate in gates)) + more)


def _run(evalctl: Evalctl, *flags: str, code: int) -> dict[str, Any]:
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--format", "json", *flags)
    assert done.returncode == code, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(report)
    return report


def _texts(report: dict[str, Any]) -> list[str]:
    return [gate["text"] for gate in report["gates"]]


def test_an_attribute_and_invented_values_have_gates(evalctl: Evalctl, write: Write) -> None:
    _write_suite(write, "f1: {total: 0.8, header/total: 0.9}", "invented: 0.03")
    report = _run(evalctl, code=1)
    assert _texts(report) == [
        "f1 of total 0.8125 ≥ 0.8, met",
        "f1 of header/total 0.8125 < 0.9, missed",
        "invented 0.0303 > 0.03, missed",
    ]
    assert [(gate.get("least"), gate.get("most"), gate["value"]) for gate in report["gates"]] == [
        (0.8, None, 0.8125), (0.9, None, 0.8125), (None, 0.03, 1 / 33),
    ]  # fmt: skip


def test_what_a_row_does_not_list_may_be_invented(evalctl: Evalctl, write: Write) -> None:
    """Of 80 wrong values a row lists 50; the other 30 may be misread or invented."""
    write("cases.jsonl", lines({"id": "a", "expected": {"v": [1] * 80}, "candidate": {"v": [2] * 80}}))
    evaluators = "evaluators: [{type: object_match, comparators: {v: {ordered: exact}}}]"
    texts = []
    for limit, code in (("0.4", 0), ("0.1", 1)):
        write("s.yaml", f"dataset: cases.jsonl\n{evaluators}\ngates: {{invented: {limit}}}\n")
        texts += _texts(_run(evalctl, code=code))
    note = "at most; at least 0: cases list 50 mismatches each, others may be invented"
    assert texts == [f"invented 0.375 ≤ 0.4, met ({note})", f"invented 0.375 > 0.1, missed ({note})"]


def test_every_slice_that_has_enough_cases_must_meet_its_gate(evalctl: Evalctl, write: Write) -> None:
    _write_suite(write, "slices: {metadata.vendor: {pass_rate: 0.4, mean_score: 0.9, min_cases: 12}}")
    assert _texts(_run(evalctl, code=1)) == [
        "mean_score of metadata.vendor = hooli 0.7083 < 0.9, missed (1 of 2 slices miss it)",
        "pass_rate of metadata.vendor = hooli 0.4167 ≥ 0.4, met (the weakest of 2)",
    ]
    _write_suite(write, "slices: {metadata.vendor: {pass_rate: 0.9, min_cases: 13}}")
    assert _texts(_run(evalctl, code=0)) == ["pass_rate of metadata.vendor = acme 1 ≥ 0.9, met"]
    _write_suite(write, "slices: {metadata.vendor: {pass_rate: 0.9, min_cases: 33}}")
    assert _texts(_run(evalctl, code=1)) == ["pass_rate of metadata.vendor – ≥ 0.9, missed (no slice has 33 cases)"]


_TARGETS = """
targets:
  - {name: good, type: recorded, predictions: good.jsonl}
  - {name: bad, type: recorded, predictions: bad.jsonl}
"""


def test_a_target_may_have_gates_of_its_own(evalctl: Evalctl, write: Write) -> None:
    for name, total in (("good", 1), ("bad", 2)):
        rows = ({"id": f"c{n}", "candidate": {"total": total, "note": None}} for n in range(32))
        write(f"{name}.jsonl", lines(*rows))
    _write_suite(write, "pass_rate: 0.9", "targets: {bad: {pass_rate: 0, f1: {total: 0}}}", more=_TARGETS)
    assert _texts(_run(evalctl, code=0)) == [
        "pass_rate of good 1 ≥ 0.9, met", "pass_rate of bad 0 ≥ 0, met", "f1 of total of bad 0 ≥ 0, met",
    ]  # fmt: skip
    assert _texts(_run(evalctl, "--target", "bad", code=0)) == ["pass_rate 0 ≥ 0, met", "f1 of total 0 ≥ 0, met"]
    assert _texts(_run(evalctl, "--min-pass-rate", "0.5", code=1))[1] == "pass_rate of bad 0 < 0.5, missed"


def test_every_format_shows_each_gate_and_stderr_a_missed_one(evalctl: Evalctl, write: Write) -> None:
    _write_suite(write, "f1: {total: 0.99}", "invented: 0.5", "slices: {metadata.vendor: {pass_rate: 0.8}}")
    texts = {
        form: evalctl("run", "s.yaml", "-o", "r.jsonl", "--format", form).stdout
        for form in ("console", "markdown", "csv", "junit", "html")
    }
    for form, text in texts.items():
        flat = re.sub(r"[\s\\]+", " ", text).replace("&lt;", "<").replace("\\u003c", "<").replace(" _", "_")
        if form not in ("csv", "junit"):
            assert "f1 of total 0.8125" in flat, form
            assert "invented 0.0303 ≤ 0.5, met" in flat, form
    cells = [line for line in csv.DictReader(io.StringIO(texts["csv"])) if line["type"] == "gate"]
    assert [(line["path"], line["outcome"], line["expected"], line["actual"]) for line in cells] == [
        ("f1 of total", "missed", "0.99", "0.8125"),
        ("invented", "met", "0.5", "0.030303030303030304"),
        ("pass_rate of metadata.vendor = hooli", "missed", "0.8", "0.4166666666666667"),
    ]
    tests = {one.attrib["name"]: [child.attrib["message"] for child in one]
             for one in ET.fromstring(texts["junit"]).iter("testcase") if one.attrib["name"].startswith("gate")}  # fmt: skip
    assert tests == {
        "gate: f1 of total": ["f1 of total 0.8125 is below the gate of 0.99"],
        "gate: invented": [],
        "gate: pass_rate of metadata.vendor = hooli": [
            "pass_rate of metadata.vendor = hooli 0.4167 is below the gate of 0.8 (1 of 2 slices miss it)"
        ],
    }
    assert evalctl("run", "s.yaml", "-o", "r.jsonl", "-q").stderr == (
        "gate missed: s: f1 of total 0.8125 is below the gate of 0.99\n"
        "gate missed: s: pass_rate of metadata.vendor = hooli 0.4167 is below the gate of 0.8 (1 of 2 slices miss it)\n"
    )


@pytest.mark.parametrize(
    ("attribute", "message"),
    [
        ("items[].sku", ""),
        ("turns.role", ""),  # only the data tell that this is a list
        ("turns[].role", ""),
        ("items.sku", "no evaluator counts 'items.sku'; did you mean 'items[].sku'?"),
        ("items[].parts.name", "no evaluator counts 'items[].parts.name'; did you mean 'items[].parts[].name'?"),
    ],
)
def test_a_gate_names_the_lists_of_an_attribute(evalctl: Evalctl, write: Write, attribute: str, message: str) -> None:
    comparators = {
        "items": {"unordered": {"sku": "exact", "parts": {"unordered": {"name": "exact"}}}},
        "turns": {"role": "exact"},
    }
    value = {"items": [{"sku": "x", "parts": [{"name": "y"}]}], "turns": [{"role": "user"}]}
    write(
        "s.yaml",
        {
            "evaluators": [{"type": "object_match", "comparators": comparators}],
            "cases": [{"id": "a", "expected": value, "candidate": value}],
            "gates": {"f1": {attribute: 0.9}},
        },
    )
    done = evalctl("validate", "s.yaml")
    assert (done.returncode, message in done.stderr) == (2 if message else 0, True)


@pytest.mark.parametrize(
    ("gate", "error"),
    [("f1: {totl: 0.9}", "7:8: gates.f1.totl: no evaluator counts 'totl'; did you mean 'total'?"),
     ("f1: {heder/total: 0.9}", "7:8: gates.f1.heder/total: no evaluator counts 'heder/total'; did you mean "
      "'header/total'?"),
     ("slices: {metadata.vendr: {pass_rate: 1}}", "7:12: gates.slices.metadata.vendr: no case has a value of "
      "'metadata.vendr'; did you mean 'metadata.vendor'?"),
     ("targets: {god: {pass_rate: 1}}", "7:13: gates.targets.god: the suite has no target 'god'; did you mean 'good'?"),
     ("targets: {good: {f1: {totl: 1}}}", "7:25: gates.targets.good.f1.totl: no evaluator counts 'totl'; did you mean "
      "'total'?"),
     ("pas_rate: 1", "7:3: gates.pas_rate: unknown key 'pas_rate'; did you mean 'pass_rate'?")],
)  # fmt: skip
def test_a_wrong_name_in_a_gate_is_an_error_at_its_line(evalctl: Evalctl, write: Write, gate: str, error: str) -> None:
    for name in ("good", "bad"):
        write(f"{name}.jsonl", lines({"id": "c0", "candidate": {"total": 1}}))
    _write_suite(write, gate, more=_TARGETS)
    done = evalctl("validate", "s.yaml")
    assert (done.returncode, f"error: s.yaml:{error}" in done.stderr.splitlines()) == (2, True), done.stderr


def test_an_attribute_that_only_a_run_can_know_is_missed_and_says_why(evalctl: Evalctl, write: Write) -> None:
    _write_suite(write, "f1: {totl: 0.9}")
    write(
        "s.yaml",
        """
name: s
evaluators: [{type: object_match, default: exact}]
dataset: cases.jsonl
gates: {f1: {totl: 0.9}}
""",
    )
    assert _texts(_run(evalctl, code=1)) == ["f1 of totl – ≥ 0.9, missed (no evaluator counted this attribute)"]


def _diff_rows(right: int) -> list[dict[str, Any]]:
    """Return thirty rows, of which the given number have a right total, by two evaluators."""
    rows = []
    for n in range(30):
        is_right = n < right
        metrics = {"total": {"tp": int(is_right), "tn": 0, "fp": int(not is_right), "fn": int(not is_right)}}
        scored = row(f"c{n}", float(is_right))
        result = scored["evaluator_results"][0] | {"details": {"metrics": metrics}}
        rows.append(scored | {"evaluator_results": [result, result | {"name": "f"}]})
    return rows


def test_a_diff_gives_the_interval_of_f1_and_fails_on_a_fall_beyond_chance(evalctl: Evalctl, write: Write) -> None:
    for name, right in (("old", 28), ("new", 15), ("near", 27)):
        write(f"{name}.jsonl", lines(*_diff_rows(right)))
    done = evalctl("diff", "old.jsonl", "new.jsonl", "--fail-on", "f1:e/total:significant", "--format", "json")
    shift = json.loads(done.stdout)["attributes"][0]
    assert (done.returncode, done.stderr) == (
        1,
        "gate violated: f1:e/total:significant: F1 of 'total' under 'e' fell from 0.9333 to 0.5, more than chance "
        "explains\n",
    )
    assert -1 < shift["low"] < shift["delta"] < shift["high"] < 0
    both = evalctl("diff", "old.jsonl", "new.jsonl", "--fail-on", "f1:total:significant")
    assert both.stderr.count("gate violated") == 2
    assert re.search(r"^ total +e +0\.933 +0\.500 +-0\.433 +-0\.\d+ to -0\.\d+$", both.stdout, re.MULTILINE)
    assert evalctl("diff", "old.jsonl", "near.jsonl", "--fail-on", "f1:total:significant").returncode == 0
    wrong = evalctl("diff", "old.jsonl", "new.jsonl", "--fail-on", "f1:e/totl:significant")
    assert (wrong.returncode, wrong.stderr) == (
        2, "error: --fail-on f1:e/totl: no evaluator counts this attribute; did you mean 'e/total'?\n",
    )  # fmt: skip


def test_a_report_gives_the_intervals_of_precision_recall_and_f1(evalctl: Evalctl, write: Write) -> None:
    write("r.jsonl", lines(*_diff_rows(30)))
    report = json.loads(evalctl("report", "r.jsonl", "--format", "json").stdout)
    intervals = report["metrics"]["e"]["attributes"]["total"]["intervals"]
    assert {name: each["high"] for name, each in intervals.items()} == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert all(0.85 < each["low"] < 0.98 for each in intervals.values())
    text = evalctl("report", "r.jsonl").stdout
    assert re.search(r"^ total +30 +0 +0 +0 +1\.000 +1\.000 +1\.000 \(0\.[89]\d\d to 1\.000\)$", text, re.MULTILINE)
