"""Cases with several answers: when they pass, and which of them are flaky."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl

Write = Callable[[str, Any], Path]


@pytest.fixture(autouse=True)
def suite(write: Write) -> None:
    """A case with four right answers of five, and a case with five."""
    write("s.yaml", {
        "evaluators": [{"type": "field_accuracy", "fields": [{"path": "a"}]}],
        "cases": [
            {"id": "flaky", "expected": {"a": 1}, "candidates": [{"a": 1}] * 4 + [{"a": 2}]},
            {"id": "sure", "expected": {"a": 1}, "candidates": [{"a": 1}] * 5},
        ],
    })  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "verdict"),
    [
        ("mean", "pass"),
        ("all", "partial"),
        ("any", "pass"),
        ("majority", "pass"),
        ("rate:0.8", "pass"),
        ("rate:0.81", "partial"),
        ("rate:1", "partial"),
    ],
)
def test_a_rule_says_when_a_case_passes(evalctl: Evalctl, tmp_path: Path, rule: str, verdict: str) -> None:
    evalctl("run", "s.yaml", "-q", "-o", "r.jsonl", "--pass-rule", rule)
    rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(row["verdict"], row.get("flaky")) for row in rows] == [(verdict, True), ("pass", None)]


@pytest.mark.parametrize("rule", ["most", "rate:2", "rate:", "rate:x"])
def test_another_rule_is_exit_2(evalctl: Evalctl, rule: str) -> None:
    done = evalctl("run", "s.yaml", "-q", "-o", "r.jsonl", "--pass-rule", rule)
    assert (done.returncode, f"--pass-rule: {rule!r} is no rule" in done.stderr) == (2, True)


def test_another_rule_scores_by_other_options(evalctl: Evalctl, tmp_path: Path) -> None:
    for rule in ("mean", "all"):
        evalctl("run", "s.yaml", "-q", "-o", f"{rule}.jsonl", "--pass-rule", rule)
    assert json.loads(evalctl("diff", "mean.jsonl", "all.jsonl", "--format", "json").stdout)["scored_differently"] == 2


def test_every_format_counts_the_flaky_cases(evalctl: Evalctl) -> None:
    evalctl("run", "s.yaml", "-q", "-o", "r.jsonl")
    sentence = "1 of 2 cases with several answers is flaky: some answers pass, others do not"
    for form in ("console", "markdown", "junit"):
        assert sentence in evalctl("report", "r.jsonl", "--format", form).stdout
    for form in ("json", "html"):
        assert '"flaky":1' in evalctl("report", "r.jsonl", "--format", form).stdout
    table = csv.DictReader(io.StringIO(evalctl("report", "r.jsonl", "--format", "csv").stdout))
    assert {line["case_id"]: line["flaky"] for line in table} == {"flaky": "True", "sure": ""}
