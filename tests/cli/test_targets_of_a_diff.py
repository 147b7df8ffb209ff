"""Diffs of rows that several targets answered, and of suites under different names."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import Evalctl
from rows import SCHEMA, lines, row

Write = Callable[[str, Any], Path]


@pytest.fixture(autouse=True)
def results(write: Write) -> None:
    """Ten cases: the model `a` is right about all, `b` about none, `c` about half."""
    rows = [
        row(f"c{n}", score, target=target)
        for n in range(10)
        for target, score in (("a", 1.0), ("b", 0.0), ("c", float(n % 2)))
    ]
    write("all.jsonl", lines(*rows))
    for target in "abc":
        write(f"{target}.jsonl", lines(*(one for one in rows if one["target"] == target)))


def _diff(evalctl: Evalctl, *arguments: str) -> Any:
    done = evalctl("diff", *arguments, "--format", "json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(report)
    return report


def test_several_targets_are_never_averaged(evalctl: Evalctl) -> None:
    done = evalctl("diff", "all.jsonl", "all.jsonl", "--fail-on", "significant")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == (
        "error: both sides hold several targets (a, b, c), which are never averaged; "
        "name one of each: --baseline a --candidate a\n"
    )
    report = _diff(evalctl, "all.jsonl", "all.jsonl", "--baseline", "a", "--candidate", "a")
    assert (report["matched"], report["verdict"], report["duplicates"]) == (
        10,
        "tied",
        {"baseline": 0, "candidate": 0},
    )


def test_one_target_that_both_sides_share_is_compared(evalctl: Evalctl) -> None:
    assert _diff(evalctl, "all.jsonl", "b.jsonl")["matched"] == 10


def test_suites_with_a_target_each_are_compared(evalctl: Evalctl, write: Write) -> None:
    rows = [row(f"c{n}", 1.0, suite=suite, target=target) for n in range(3) for suite, target in ("sa", "tb")]
    write("suites.jsonl", lines(*rows))
    assert _diff(evalctl, "suites.jsonl", "suites.jsonl")["matched"] == 6


def test_two_targets_of_one_file_are_compared(evalctl: Evalctl) -> None:
    report = _diff(evalctl, "all.jsonl", "--baseline", "a", "--candidate", "b")
    assert (report["matched"], report["verdict"], len(report["broken"])) == (10, "worse", 10)
    assert report["targets"] == {"baseline": "a", "candidate": "b"}
    assert report["joined"] == []
    assert (
        " all.jsonl · a → all.jsonl · b" in evalctl("diff", "all.jsonl", "--baseline", "a", "--candidate", "b").stdout
    )


def test_targets_of_two_files_are_compared(evalctl: Evalctl) -> None:
    assert _diff(evalctl, "all.jsonl", "b.jsonl", "--baseline", "a")["matched"] == 10


def test_files_of_one_target_each_are_joined_on_the_case_id_and_that_is_said(evalctl: Evalctl) -> None:
    report = _diff(evalctl, "a.jsonl", "b.jsonl")
    assert (report["matched"], report["verdict"]) == (10, "worse")
    assert report["joined"] == ["joined on the case id: the target is 'a' before and 'b' after"]
    for form in ("console", "markdown", "html"):
        assert "joined on the case id: the target is" in evalctl("diff", "a.jsonl", "b.jsonl", "--format", form).stdout
    assert "joined on the case id" in evalctl("diff", "a.jsonl", "b.jsonl", "--format", "csv").stderr


def test_files_of_one_suite_each_under_different_names_are_joined_on_the_case_id(
    evalctl: Evalctl, write: Write
) -> None:
    counts = {"tp": 1, "tn": 0, "fp": 0, "fn": 0}
    result = {
        "name": "e",
        "type": "t",
        "score": 1.0,
        "verdict": "pass",
        "misses": [],
        "details": {"metrics": {"x": counts}},
    }
    write("one.jsonl", lines(*(row(f"c{n}", 1.0, suite="one", evaluator_results=[result]) for n in range(3))))
    write("two.jsonl", lines(*(row(f"c{n}", 1.0, suite="two", evaluator_results=[result]) for n in range(2))))
    report = _diff(evalctl, "one.jsonl", "two.jsonl")
    assert (report["matched"], report["suites"]) == (2, ["two"])
    assert report["joined"] == ["joined on the case id: the suite is 'one' before and 'two' after"]
    assert [(e["name"], e["cases"]) for e in report["evaluators"]] == [("e", 2)]
    assert report["attributes"][0]["baseline_counts"] == {"tp": 2, "tn": 0, "fp": 0, "fn": 0}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("all.jsonl",), "name a second results file, or two targets of one file with --baseline and --candidate"),
        (("all.jsonl", "--baseline", "a"), "name a second results file, or two targets"),
        (
            ("all.jsonl", "--baseline", "a", "--candidate", "a"),
            "both sides are the target 'a' of one file; name another",
        ),
        (("all.jsonl", "--baseline", "a", "--candidate", "d"), "all.jsonl: no row has the target 'd'; "),
    ],
)
def test_what_cannot_be_compared_is_exit_2(evalctl: Evalctl, arguments: tuple[str, ...], reason: str) -> None:
    done = evalctl("diff", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert reason in done.stderr


def test_the_csv_names_the_target_of_each_line(evalctl: Evalctl) -> None:
    text = evalctl("report", "all.jsonl", "--format", "csv").stdout
    assert [line["target"] for line in csv.DictReader(io.StringIO(text))][:3] == ["a", "b", "c"]
