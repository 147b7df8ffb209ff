"""Confidence, from the suite file to every format."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from conftest import Evalctl
from rows import SCHEMA

Write = Callable[[str, Any], Path]

_SUITE = """
name: s
confidence: {wrapper: {}}
dataset: cases.jsonl
gates: {mean_score: 0}
evaluators: [{name: e, type: object_match, comparators: {a: exact, items: {unordered: {b: exact}}}}]
"""


def _cases(count: int = 60) -> str:
    chance = random.Random(1)
    lines = []
    for number in range(count):
        sure = chance.random() < 0.8
        right = chance.random() < (0.99 if sure else 0.4)
        confidence = round(chance.uniform(0.8, 1) if sure else chance.uniform(0, 0.7), 3)
        candidate = {
            "a": {"_value": number if right else -1, "_confidence": confidence},
            "items": [{"b": {"_value": "y", "_confidence": 0.75}}, {"b": {"_value": "x", "_confidence": 0.95}}],
        }
        expected = {"a": number, "items": [{"b": "x"}, {"b": "y"}]}
        lines.append(json.dumps({"id": f"c{number}", "expected": expected, "candidate": candidate}))
    return "\n".join(lines)


@pytest.fixture
def suite(write: Write) -> None:
    write("cases.jsonl", _cases())
    write("s.yaml", _SUITE)


@pytest.mark.usefixtures("suite")
def test_wrappers_are_taken_off_and_rows_hold_plain_values(evalctl: Evalctl, tmp_path: Path) -> None:
    assert evalctl("run", "s.yaml", "-o", "r.jsonl", "-q").returncode == 0
    row = json.loads((tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert row["candidate"] == {"a": 0, "items": [{"b": "y"}, {"b": "x"}]}
    assert row["confidence"]["items"] == [{"b": 0.75}, {"b": 0.95}]
    assert row["evaluator_results"][0]["observations"]["right"]["items[].b"] == [0.95, 0.75]


@pytest.mark.usefixtures("suite")
def test_every_format_has_the_figures_and_the_sentences(evalctl: Evalctl) -> None:
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--format", "json")
    report = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(report)
    figures = report["confidence"]["e"]
    assert (figures["unit"], figures["observations"], figures["cases"]) == ("field", 180, 60)
    assert set(figures["attributes"]) == {"a", "items[].b"}
    assert [one["least"] for one in figures["accept"]] == [0.99, 0.95, 0.9]
    sentences = [one["text"] for one in figures["accept"]]
    assert sentences[0] == "accept at 99 %: too few fields to be sure, 180; at least 598 fields are needed"
    console, markdown = evalctl("report", "r.jsonl").stdout, evalctl("report", "r.jsonl", "--format", "markdown").stdout
    junit = ET.fromstring(evalctl("report", "r.jsonl", "--format", "junit").stdout)
    properties = {one.attrib["name"]: one.attrib["value"] for one in junit.iter("property")}
    assert sentences[0] in properties.values()
    assert properties["confidence.e.AUROC"] == f"{figures['auroc']:.3f}"
    for text in (console.replace("\n ", " "), markdown):
        assert sentences[0] in text
        assert "errors caught by a review of the least sure fields" in text
    assert max(map(len, console.splitlines())) <= 80


@pytest.mark.usefixtures("suite")
def test_results_without_data_give_the_same_figures(evalctl: Evalctl, tmp_path: Path) -> None:
    with_data = evalctl("run", "s.yaml", "-o", "r.jsonl", "--format", "json", "-j", "1").stdout
    without = evalctl("run", "s.yaml", "-o", "n.jsonl", "--format", "json", "--no-data", "-j", "2").stdout
    again = evalctl("report", "n.jsonl", "--format", "json").stdout
    first, *others = (json.loads(text)["confidence"] for text in (with_data, without, again))
    assert others == [first, first]
    row = json.loads((tmp_path / "n.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert not {"candidate", "expected", "confidence"} & set(row)


def test_wrong_confidences_are_warnings_with_counts(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", """
evaluators: [{name: e, type: field_accuracy, fields: [{path: a}, {path: b}, {path: c}]}]
confidence: {wrapper: {}}
cases:
  - {expected: {a: 1, b: 2, c: 3}, candidate: {a: {_value: 1, _confidence: 97}, b: 2, c: {_confidence: 0.5}}}
""")  # fmt: skip
    done = evalctl("run", "s.yaml", "-o", "r.jsonl")
    assert done.stderr.splitlines() == [
        "warning: confidence of e: 2 fields have no confidence, and no part in the figures",
        "warning: confidence of e: 1 confidence is not a number from 0 to 1, the first at 'a'; is `scale:` missing?",
        "warning: confidence: 1 wrapper has a confidence and no value, and stayed in the answers",
        "results: r.jsonl",
    ]
    assert evalctl("run", "s.yaml", "-o", "q.jsonl", "-q").stderr == ""
    text = done.stdout.replace("\n ", " ")
    assert "confidence of e: 0 observations; figures need at least 30" in text
    assert "! 2 fields have no confidence, and no part in the figures" in text
    assert "! 1 confidence is not a number from 0 to 1, the first at 'a'; is `scale:` missing?" in text
    assert "! 1 wrapper has a confidence and no value, and stayed in the answers" in text


def test_one_number_for_the_whole_answer_counts_answers(evalctl: Evalctl, write: Write) -> None:
    cases = [{"id": str(n), "expected": "x"} for n in range(40)]
    answers = [
        {"id": str(n), "candidate": "x" if n % 8 else "y", "confidence": 0.9 if n % 8 else 0.2} for n in range(40)
    ]
    write("cases.json", cases)
    write("answers.json", answers)
    write("s.yaml", """
evaluators: [{name: e, type: object_match, comparators: exact}]
dataset: cases.json
predictions: answers.json
""")  # fmt: skip
    report = json.loads(evalctl("run", "s.yaml", "-o", "r.jsonl", "--format", "json").stdout)["confidence"]["e"]
    assert (report["unit"], report["observations"], report["accuracy"], report["auroc"]) == ("answer", 40, 0.875, 1.0)
    assert [one["caught"] for one in report["review"]] == pytest.approx([0.4, 0.8, 1.0])


def test_several_answers_all_count(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", """
evaluators: [{name: e, type: field_accuracy, fields: [{path: a}]}]
confidence: {path: s}
cases: [{expected: {a: 1}, candidates: [{a: 1, s: {a: 0.9}}, {a: 2, s: {a: 0.4}}]}]
""")  # fmt: skip
    evalctl("run", "s.yaml", "-o", "r.jsonl")
    report = json.loads(evalctl("report", "r.jsonl", "--format", "json").stdout)
    assert report["confidence"]["e"]["observations"] == 2


def test_confidence_needs_exactly_one_way(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", "evaluators: [{type: equals}]\nconfidence: {wrapper: {}, path: s}\ncases: [{candidate: 1}]\n")
    done = evalctl("run", "s.yaml")
    assert done.returncode == 2
    assert "s.yaml:2:13: confidence: needs wrapper: or path:, and not both" in done.stderr


@pytest.mark.usefixtures("suite")
def test_slices_have_confidences_of_their_own(evalctl: Evalctl, write: Write) -> None:
    cases = [json.loads(line) | {"tags": ["odd" if n % 2 else "even"]} for n, line in enumerate(_cases().splitlines())]
    write("cases.jsonl", "\n".join(map(json.dumps, cases)))
    report = json.loads(evalctl("run", "s.yaml", "--slice", "tags", "-o", "r.jsonl", "--format", "json").stdout)
    slices = report["confidence"]["e"]["slices"]
    assert {(each["by"], each["value"], each["observations"]) for each in slices} == {
        ("tags", "odd", 90),
        ("tags", "even", 90),
    }
    assert "tags = odd" in evalctl("report", "r.jsonl", "--slice", "tags").stdout
