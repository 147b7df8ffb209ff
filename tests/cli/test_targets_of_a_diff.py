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


def _matrix(**wrong: int) -> str:
    """40 cases by each target; `b=12` says that b is wrong about the first 12."""
    scores = {target: [float(n >= wrong.get(target, 0)) for n in range(40)] for target in "abc"}
    return lines(*(row(f"c{n}", scores[target][n], target=target) for n in range(40) for target in "abc"))


@pytest.fixture
def matrix(write: Write) -> None:
    write("before.jsonl", _matrix(c=20))
    write("after.jsonl", _matrix(a=1, b=12))


def test_several_targets_have_their_own_figures_and_are_never_averaged(evalctl: Evalctl, matrix: None) -> None:
    report = _diff(evalctl, "before.jsonl", "after.jsonl")
    assert (report["matched"], report["mean_score"], report["pass_rate"], report["verdict"]) == (
        120,
        None,
        None,
        "worse",
    )
    figures = [
        (part["target"], part["compared"], part["broken"], part["fixed"], part["mean_score"]["delta"], part["verdict"])
        for part in report["by_target"]
    ]
    assert figures == [
        ("a", 40, 1, 0, -0.025, "tied"),
        ("b", 40, 12, 0, pytest.approx(-0.3), "worse"),
        ("c", 40, 0, 20, 0.5, "better"),
    ]
    assert report["sentence"] == "worse: 1 target worse (b), 1 target better (c), 1 target tied (a)"
    assert [(e["target"], e["name"], e["cases"]) for e in report["evaluators"]] == [(t, "e", 40) for t in "abc"]
    assert {case["target"] for case in report["broken"]} == {"a", "b"}


def test_the_figures_of_a_target_are_those_of_a_diff_of_this_target_alone(evalctl: Evalctl, matrix: None) -> None:
    together = {part["target"]: part for part in _diff(evalctl, "before.jsonl", "after.jsonl")["by_target"]}
    for target, part in together.items():
        alone = _diff(evalctl, "before.jsonl", "after.jsonl", "--baseline", target, "--candidate", target)
        for figure in ("mean_score", "pass_rate"):
            adjusted = {"low", "high", "p_adjusted", "verdict"}
            assert {k: v for k, v in part[figure].items() if k not in adjusted} == {
                k: v for k, v in alone[figure].items() if k not in adjusted
            }
            assert part[figure]["p_adjusted"] >= alone[figure]["p_adjusted"]


def test_every_format_of_a_diff_shows_each_target(evalctl: Evalctl, matrix: None) -> None:
    sentences = [
        "a: tied: the mean score fell by 0.0250 and the pass rate fell by 2.5 points",
        "b: worse: the mean score fell by 0.3000 and the pass rate fell by 30.0 points",
        "c: better: the mean score rose by 0.5000 and the pass rate rose by 50.0 points",
    ]
    console = evalctl("diff", "before.jsonl", "after.jsonl", COLUMNS="200").stdout
    markdown = evalctl("diff", "before.jsonl", "after.jsonl", "--format", "markdown").stdout
    for sentence in sentences:
        assert sentence in console
        assert sentence in markdown
    assert "| b | mean score | 1.000 | 0.700 | -0.300 |" in markdown
    junit = evalctl("diff", "before.jsonl", "after.jsonl", "--format", "junit").stdout
    assert 'tests="120" failures="13"' in junit
    assert 'name="c0 · b"' in junit


@pytest.mark.parametrize(
    ("gate", "violations"),
    [
        ("broken", ["1 passed before and do not pass now (target 'a')", "12 passed before and do not pass now (target 'b')"]),
        ("significant", ["the mean score fell by 0.3, more than chance explains (target 'b')", "the pass rate fell by 30 points, more than chance explains (target 'b')"]),
        ("mean:-0.1", ["the mean score fell from 1 to 0.7 (target 'b')"]),
        ("pass-rate:-5pp", ["the pass rate fell from 1 to 0.7 (target 'b')"]),
        ("mean:-0.5", []),
    ],
)  # fmt: skip
def test_a_gate_strikes_if_any_target_violates_it(
    evalctl: Evalctl, matrix: None, gate: str, violations: list[str]
) -> None:
    done = evalctl("diff", "before.jsonl", "after.jsonl", "--fail-on", gate)
    assert done.stderr.splitlines() == [f"gate violated: {gate}: {text}" for text in violations]
    assert done.returncode == bool(violations)


def test_a_gate_on_an_attribute_names_the_target(evalctl: Evalctl, write: Write) -> None:
    def rows(wrong: str) -> str:
        return lines(*(row("c", 1.0, target=t, evaluator_results=[_counted(int(t == wrong))]) for t in "ab"))

    write("before.jsonl", rows(""))
    write("after.jsonl", rows("b"))
    done = evalctl("diff", "before.jsonl", "after.jsonl", "--fail-on", "f1:x:-0.1")
    assert (done.returncode, done.stderr) == (1, "gate violated: f1:x:-0.1: F1 of 'x' under 'b/e' fell from 1 to 0\n")


def _counted(wrong: int) -> dict[str, Any]:
    counts = {"tp": 1 - wrong, "tn": 0, "fp": wrong, "fn": wrong}
    return {"name": "e", "type": "t", "score": 1.0, "verdict": "pass", "misses": [], "details": {"metrics": {"x": counts}}}  # fmt: skip


def test_a_target_all_of_whose_cases_erred_violates_every_gate(evalctl: Evalctl, write: Write) -> None:
    rows = [row(f"c{n}", 1.0, target=target) for n in range(5) for target in "ab"]
    write("before.jsonl", lines(*rows))
    write("after.jsonl", lines(*(one | {"status": "error"} if one["target"] == "b" else one for one in rows)))
    done = evalctl("diff", "before.jsonl", "after.jsonl", "--fail-on", "significant")
    assert (done.returncode, done.stderr) == (1, "gate violated: significant: no case could be compared (target 'b')\n")
    assert "b: tied: no case could be compared" in done.stdout


def test_targets_of_one_side_only_are_named(evalctl: Evalctl) -> None:
    done = evalctl("diff", "all.jsonl", "b.jsonl", "--format", "csv")
    assert done.stderr == "warning: not compared: 20 cases only in the baseline\n"
    done = evalctl("diff", "all.jsonl", "all.jsonl", "--candidate", "c")
    assert (done.returncode, done.stdout) == (2, "")


def test_one_target_of_each_file_can_be_picked(evalctl: Evalctl) -> None:
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


def test_the_csv_of_several_targets_has_columns_for_each(evalctl: Evalctl, write: Write) -> None:
    def result(score: float, **details: Any) -> dict[str, Any]:
        verdict = "pass" if score else "fail"
        return {"name": "e", "type": "t", "score": score, "verdict": verdict, "misses": [], **details}

    mismatch = {"path": "x", "outcome": "mismatch", "expected": 1, "actual": 2, "similarity": 0.5}
    wrong = result(0.0, misses=["x"], details={"mismatches": [mismatch]})
    right = result(1.0, hits=["x"])
    values = {"expected": {"x": 1}, "candidate": {"x": 1}}
    write("one.jsonl", lines(row("c", 1.0, target="a", evaluator_results=[right], **values)))
    write("two.jsonl", lines(row("c", 0.0, target="=b", evaluator_results=[wrong], **values)))
    text = evalctl("report", "one.jsonl", "two.jsonl", "--format", "csv").stdout
    wanted = {
        "suite": "s", "case_id": "c", "evaluator": "e", "type": "t", "path": "x", "expected": "1",
        "actual.a": "1", "actual.=b": "2", "outcome.a": "match", "outcome.=b": "mismatch",
        "similarity.a": "", "similarity.=b": "0.5", "note.a": "", "note.=b": "", "score.a": "1.0", "score.=b": "0.0",
        "verdict.a": "pass", "verdict.=b": "fail", "status.a": "ok", "status.=b": "ok", "flaky.a": "", "flaky.=b": "",
    }  # fmt: skip
    [line] = csv.DictReader(io.StringIO(text))
    assert {column: line[column] for column in wanted} == wanted


def test_a_second_row_of_a_target_has_lines_of_its_own_in_the_csv(evalctl: Evalctl) -> None:
    text = evalctl("report", "all.jsonl", "a.jsonl", "--format", "csv").stdout
    found = [(line["case_id"], line["score.a"], line["score.b"]) for line in csv.DictReader(io.StringIO(text))]
    assert found[:3] == [("c0", "1.0", "0.0"), ("c0", "1.0", ""), ("c1", "1.0", "0.0")]


def test_the_page_has_a_histogram_for_each_target(evalctl: Evalctl) -> None:
    page = evalctl("report", "all.jsonl", "--format", "html").stdout
    index = json.loads(page.partition('id="index">')[2].partition("</script>")[0])
    assert {target: (bins[0], bins[-1]) for target, bins in index["histograms"].items()} == {
        "a": (0, 10),
        "b": (10, 0),
        "c": (5, 5),
    }
