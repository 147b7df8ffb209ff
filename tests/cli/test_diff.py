"""Two results files → what changed, and an exit code."""

import csv
import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from conftest import Evalctl
from rich.cells import cell_len
from rows import SCHEMA, lines, row

Write = Callable[[str, Any], Path]

_SUITE = """
name: s
evaluators: [{name: header, type: field_accuracy, fields: [{path: a}, {path: b}]}]
dataset: cases.jsonl
predictions: {predictions}
"""


def _answers(*answers: Any) -> str:
    rows = [{"id": f"c{number}", "candidate": answer} for number, answer in enumerate(answers) if answer != "none"]
    return "".join(json.dumps(row) + "\n" for row in rows)


@pytest.fixture
def two_runs(evalctl: Evalctl, write: Write) -> None:
    right = {"a": 1, "b": "x"}
    write("cases.jsonl", "".join(json.dumps({"id": f"c{n}", "expected": right}) + "\n" for n in range(5)))
    write("old.predictions.jsonl", _answers(right, right, {"a": 1, "b": "y"}, right, right))
    write("new.predictions.jsonl", _answers(right, {"a": 2}, right, "none", right))
    for name in ("old", "new"):
        write(f"{name}.yaml", _SUITE.replace("{predictions}", f"{name}.predictions.jsonl"))
        evalctl("run", f"{name}.yaml", "-o", f"{name}.jsonl", "-q")


def _diff(evalctl: Evalctl, *arguments: str) -> dict[str, Any]:
    done = evalctl("diff", "old.jsonl", "new.jsonl", "--format", "json", *arguments)
    assert done.returncode in (0, 1), done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    return found


def test_what_broke_is_named_with_all_values(evalctl: Evalctl, two_runs: None) -> None:
    found = _diff(evalctl)
    assert found["broken"] == [
        {"suite": "s", "case_id": "c1", "baseline": 1.0, "candidate": 0.0, "delta": -1.0, "changed": [
            {"evaluator": "header", "path": "a", "expected": 1, "baseline": 1, "candidate": 2},
            {"evaluator": "header", "path": "b", "expected": "x", "baseline": "x", "note": "required, missing"},
        ]}
    ]  # fmt: skip
    assert [(one["case_id"], one["delta"]) for one in found["fixed"]] == [("c2", 0.5)]
    assert found["errored"] == [{"suite": "s", "case_id": "c3", "baseline": "pass", "candidate": "error"}]
    assert (found["matched"], found["compared"], found["verdict"]) == (5, 4, "tied")
    assert found["mean_score"]["delta"] == pytest.approx((1.0 + 0.0 + 1.0 + 1.0 - 3.5) / 4)


def test_attributes_are_counted_over_compared_cases_only(evalctl: Evalctl, two_runs: None) -> None:
    attributes = {one["attribute"]: one for one in _diff(evalctl)["attributes"]}
    assert attributes["a"]["baseline_counts"] == {"tp": 4, "tn": 0, "fp": 0, "fn": 0}
    assert attributes["a"]["candidate_counts"] == {"tp": 3, "tn": 0, "fp": 1, "fn": 1}
    assert (attributes["a"]["baseline"], attributes["a"]["candidate"]) == (1.0, 0.75)


@pytest.mark.parametrize(
    ("gates", "code"),
    [
        ((), 0), (("broken",), 1), (("significant",), 0), (("mean:-0.01",), 1), (("mean:-0.125",), 1), (("mean:-0.2",), 0),
        (("mean:-10%",), 1), (("mean:-20%",), 0), (("pass-rate:-0.5pp",), 0), (("f1:a:-0.02",), 1), (("f1:b:-0.5",), 0),
        (("significant", "f1:a:-25%"), 1),
    ],
)  # fmt: skip
def test_gates_decide(evalctl: Evalctl, two_runs: None, gates: tuple[str, ...], code: int) -> None:
    done = evalctl("diff", "old.jsonl", "new.jsonl", *(word for gate in gates for word in ("--fail-on", gate)))
    assert done.returncode == code
    assert ("gate violated: " in done.stderr) == bool(code)


def test_a_gate_that_is_none_lists_those_that_are(evalctl: Evalctl, two_runs: None) -> None:
    for gate in ("mean", "mean:0.1", "mean:-1pp", "f1:-0.02", "brokn", "mean:-nan"):
        done = evalctl("diff", "old.jsonl", "new.jsonl", "--fail-on", gate)
        assert (done.returncode, done.stdout) == (2, "")
        assert f"--fail-on {gate!r}: is not a gate; valid ones: broken, significant, mean:-0.01" in done.stderr
    done = evalctl("diff", "old.jsonl", "new.jsonl", "--fail-on", "f1:aa:-0.02")
    assert (done.returncode, "no evaluator counts this attribute" in done.stderr) == (2, True)


def test_a_case_that_passed_and_now_errs_strikes_broken(evalctl: Evalctl, write: Write) -> None:
    error = {"status": "error", "verdict": "fail", "error": {"kind": "k", "message": "m"}}
    write("old.jsonl", lines(row("x", 1.0), row("y", 1.0)))
    write("new.jsonl", lines(row("x", 1.0), row("y", 0.0, **error)))
    done = evalctl("diff", "old.jsonl", "new.jsonl", "--fail-on", "broken")
    assert (done.returncode, "gate violated: broken: 1 passed before and err now" in done.stderr) == (1, True)


def test_a_new_error_is_shown_by_its_first_line(evalctl: Evalctl, write: Write) -> None:
    message = "the judge exited with code 1; stderr: KeyError: 'nope'\n  Traceback (most recent call last):"
    error = {"status": "error", "verdict": "fail", "error": {"kind": "exit", "message": message}}
    write("old.jsonl", lines(row("x", 1.0), row("y", 1.0)))
    write("new.jsonl", lines(row("x", 1.0), row("y", 0.0, **error)))
    done = evalctl("diff", "old.jsonl", "new.jsonl", COLUMNS="140")
    assert " ! y  the judge exited with code 1; stderr: KeyError: 'nope'\n" in done.stdout


def test_what_is_not_compared_is_said_loudly(evalctl: Evalctl, write: Write) -> None:
    write("old.jsonl", lines(row("x", 1.0), row("x", 0.5), row("gone", 1.0)))
    write("new.jsonl", lines(row("x", 0.75), row("new-1", 1.0), row("new-2", 1.0)))
    done = evalctl("diff", "old.jsonl", "new.jsonl", "--format", "json")
    found = json.loads(done.stdout)
    assert (found["only_baseline"], found["only_candidate"]) == (["gone"], ["new-1", "new-2"])
    assert found["duplicates"] == {"baseline": 1, "candidate": 0}
    assert found["mean_score"]["baseline"] == 0.75
    assert done.stderr.splitlines() == [
        "warning: not compared: 1 case only in the baseline",
        "warning: not compared: 2 cases only in the candidate",
        "warning: counted in its case's mean: 1 duplicate row in the baseline",
    ]


def test_repeats_collapse_to_the_mean_and_are_no_duplicates(evalctl: Evalctl, write: Write) -> None:
    write("old.jsonl", lines(*(row("x", score, repeat=n) for n, score in enumerate((1.0, 1.0, 0.4)))))
    write("new.jsonl", lines(*(row("x", score, repeat=n) for n, score in enumerate((1.0, 0.4, 0.4)))))
    found = _diff(evalctl)
    assert (found["mean_score"]["baseline"], found["mean_score"]["candidate"]) == pytest.approx((0.8, 0.6))
    assert [one["case_id"] for one in found["broken"]] == ["x"]
    assert found["duplicates"] == {"baseline": 0, "candidate": 0}


def test_a_repeat_that_erred_beside_others_that_did_not_is_said(evalctl: Evalctl, write: Write) -> None:
    write("old.jsonl", lines(*(row("c", 1.0, repeat=n) for n in range(3))))
    write("new.jsonl", lines(row("c", 1.0, repeat=0), row("c", 0.5, repeat=1), row("c", 0.0, repeat=2, status="error")))
    shown = evalctl("diff", "old.jsonl", "new.jsonl").stdout
    assert "c  1.000 → 0.750" in shown
    assert "left out of its case's mean: 1 errored row in the candidate" in shown


def test_the_same_id_in_two_suites_is_two_cases(evalctl: Evalctl, write: Write) -> None:
    write("old.jsonl", lines(row("x", 1.0), row("x", 0.0, suite="t")))
    write("new.jsonl", lines(row("x", 0.0, suite="t"), row("x", 1.0)))
    found = _diff(evalctl)
    assert (found["matched"], found["suites"], found["broken"]) == (2, ["s", "t"], [])


def test_nothing_to_compare_is_exit_2_with_the_reason(evalctl: Evalctl, write: Write) -> None:
    write("old.jsonl", lines(row("x", 1.0)))
    for text, reason in (
        ("", "no case is on both sides; the baseline has suite 's', with cases such as 'x'; the candidate has no row"),
        (
            lines(row("y", 1.0, suite="t", target="m")),
            "no case is on both sides; the baseline has suite 's', with cases such as 'x'; the candidate has suite 't'"
            " and target 'm', with cases such as 'y'",
        ),
        (
            lines(row("x", 0.0, status="error", error={"kind": "k", "message": "m"})),
            "all 1 cases that both sides have erred on one side",
        ),
    ):
        write("new.jsonl", text)
        done = evalctl("diff", "old.jsonl", "new.jsonl", "--fail-on", "significant")
        assert done.returncode == 2
        assert f"error: nothing to compare: {reason}" in done.stderr


def test_a_real_fall_is_worse_and_the_same_seed_gives_the_same_bytes(evalctl: Evalctl, write: Write) -> None:
    write("old.jsonl", lines(*(row(f"c{n}", 1.0, metadata={"doc": n // 6}) for n in range(30))))
    write("new.jsonl", lines(*(row(f"c{n}", 0.5 + n % 3 / 4, metadata={"doc": n // 6}) for n in range(30))))
    arguments = ("diff", "old.jsonl", "new.jsonl", "--format", "json", "--fail-on", "significant", "--seed", "5")
    done = evalctl(*arguments)
    assert (done.returncode, json.loads(done.stdout)["verdict"]) == (1, "worse")
    assert evalctl(*arguments).stdout == done.stdout
    assert _diff(evalctl, "--cluster", "doc")["clusters"] == 5


@pytest.mark.parametrize("form", ["console", "markdown"])
def test_an_attribute_that_counts_no_more_is_shown(evalctl: Evalctl, write: Write, form: str) -> None:
    right = {"tp": 1, "tn": 0, "fp": 0, "fn": 0}
    result = {"name": "e", "type": "t", "score": 1.0, "verdict": "pass", "misses": []}
    for name, metrics in (("old", {"a": right, "b": right}), ("new", {"a": right})):
        write(f"{name}.jsonl", lines(row("c", 1.0, evaluator_results=[result | {"details": {"metrics": metrics}}])))
    shown = evalctl("diff", "old.jsonl", "new.jsonl", "--format", form).stdout.replace("|", " ")
    assert ["b", "e", "1.000", "–", "–", "–"] in map(str.split, shown.splitlines())


@pytest.mark.parametrize(("form", "shown"), [("console", "<0.001"), ("markdown", "&lt;0.001")])
def test_no_p_value_is_shown_as_0(evalctl: Evalctl, write: Write, form: str, shown: str) -> None:
    write("old.jsonl", lines(*(row(f"c{n}", 0.9) for n in range(30))))
    write("new.jsonl", lines(*(row(f"c{n}", 0.5) for n in range(30))))
    assert evalctl("diff", "old.jsonl", "new.jsonl", "--format", form).stdout.count(shown) >= 2


def test_a_rise_is_better_and_strikes_nothing(evalctl: Evalctl, write: Write) -> None:
    write("new.jsonl", lines(*(row(f"c{n}", 1.0) for n in range(30))))
    write("old.jsonl", lines(*(row(f"c{n}", 0.5 + n % 3 / 4) for n in range(30))))
    done = evalctl("diff", "old.jsonl", "new.jsonl", "--fail-on", "significant", "--fail-on", "mean:-0")
    assert (done.returncode, " better: the mean score rose by 0.2500" in done.stdout) == (0, True)


def test_the_threshold_says_what_counts_as_a_change(evalctl: Evalctl, write: Write) -> None:
    write("old.jsonl", lines(row("x", 0.8), row("y", 1.0)))
    write("new.jsonl", lines(row("x", 0.79), row("y", 0.5)))
    assert [one["case_id"] for one in _diff(evalctl)["broken"]] == ["x", "y"]
    found = _diff(evalctl, "--threshold", "0.1")
    assert ([one["case_id"] for one in found["broken"]], found["lower"]) == (["y"], 1)


def test_agentv_s_rows_are_read(evalctl: Evalctl, write: Write) -> None:
    result = {
        "name": "f",
        "type": "field_accuracy",
        "score": 0.5,
        "weight": 1,
        "verdict": "fail",
        "hits": ["a"],
        "misses": ["b"],
    }
    write(
        "old.jsonl",
        lines({"test_id": "x", "score": 0.9}, {"eval_id": "y", "dataset": "d", "score": 1, "hits": [], "misses": []}),
    )
    write("new.jsonl", lines(
        {"test_id": "x", "score": 0.5, "target": "t", "evaluator_results": [result]},
        {"eval_id": "y", "dataset": "d", "score": 0, "error": "it broke"},
    ))  # fmt: skip
    found = _diff(evalctl)
    assert [one["case_id"] for one in found["broken"]] == ["x"]
    assert [one["case_id"] for one in found["errored"]] == ["y"]
    write("new.jsonl", lines({"test_id": "x", "score": 0.5, "verdict": ["no word"]}))
    assert [one["case_id"] for one in _diff(evalctl)["broken"]] == ["x"]
    write("new.jsonl", lines({"test_id": "x", "score": "high"}))
    done = evalctl("diff", "old.jsonl", "new.jsonl")
    assert (done.returncode, done.stderr) == (
        2,
        'error: new.jsonl:1: not a row of results: its score cannot be "high"\n',
    )


def test_a_torn_last_line_is_a_warning_and_other_damage_an_error(
    evalctl: Evalctl, two_runs: None, tmp_path: Path
) -> None:
    data = (tmp_path / "new.jsonl").read_bytes()
    (tmp_path / "new.jsonl").write_bytes(data[:-40])
    done = evalctl("diff", "old.jsonl", "new.jsonl")
    assert (done.returncode, "warning: new.jsonl:5: the last line is torn" in done.stderr) == (0, True)
    (tmp_path / "new.jsonl").write_bytes(data[:50] + b"\xff\n" + data)
    assert evalctl("diff", "old.jsonl", "new.jsonl").stderr.startswith("error: new.jsonl:1: not a row of results: ")
    assert evalctl("diff", "old.jsonl", "nowhere.jsonl").returncode == 2
    (tmp_path / "new.jsonl").write_bytes(data + b'{"id": "a line of something else"}')
    assert (
        evalctl("diff", "old.jsonl", "new.jsonl").stderr
        == "error: new.jsonl:6: not a row of results: it has no case_id\n"
    )


def test_csv_has_a_line_for_each_comparison_that_changed(evalctl: Evalctl, two_runs: None) -> None:
    text = evalctl("diff", "old.jsonl", "new.jsonl", "--format", "csv").stdout
    rows = [
        (one["case_id"], one["path"], one["change"], one["baseline"], one["candidate"])
        for one in csv.DictReader(io.StringIO(text))
    ]
    assert rows == [
        ("c1", "a", "broken", "1", "2"), ("c1", "b", "broken", "x", ""), ("c2", "b", "fixed", "y", "x"),
        ("c3", "", "errored", "", ""),
    ]  # fmt: skip


def test_junit_tells_failures_from_errors(evalctl: Evalctl, two_runs: None) -> None:
    root = ET.fromstring(evalctl("diff", "old.jsonl", "new.jsonl", "--format", "junit").stdout)
    [suite] = root
    assert suite.attrib | {"time": ""} == {
        "name": "s",
        "tests": "5",
        "failures": "1",
        "errors": "1",
        "skipped": "0",
        "time": "",
    }
    assert [(case.attrib["name"], case[0].tag) for case in suite if len(case)] == [("c1", "failure"), ("c3", "error")]


def test_markdown_fits_a_comment_and_folds_long_lists(evalctl: Evalctl, write: Write) -> None:
    long = "x" * 290
    mismatch = {"path": "a", "outcome": "mismatch", "expected": long, "actual": long + "y"}
    wrong = {
        "name": "e",
        "type": "t",
        "score": 0.0,
        "verdict": "fail",
        "misses": ["a"],
        "details": {"mismatches": [mismatch]},
    }
    write("old.jsonl", lines(*(row(f"c{n}", 1.0) for n in range(500))))
    write("new.jsonl", lines(*(row(f"c{n}", 0.0, evaluator_results=[wrong]) for n in range(500))))
    text = evalctl("diff", "old.jsonl", "new.jsonl", "--format", "markdown").stdout
    assert len(text) < 65_536
    assert text.count("<details>") == text.count("</details>") == 1
    assert "<summary>Newly broken (500)</summary>" in text
    assert "\nand " in text


def test_a_diff_reads_pipes(evalctl: Evalctl, two_runs: None, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    if os.fork() == 0:
        (tmp_path / "pipe").write_bytes((tmp_path / "old.jsonl").read_bytes())
        os._exit(0)
    done = evalctl("diff", "pipe", "new.jsonl", "--format", "json")
    os.wait()
    assert json.loads(done.stdout)["broken"][0]["case_id"] == "c1"


@pytest.mark.parametrize("columns", ["60", "80", "140"])
def test_no_line_is_wider_than_the_terminal(evalctl: Evalctl, write: Write, columns: str) -> None:
    long = {
        "path": "very.long.path." * 9,
        "outcome": "mismatch",
        "expected": "e" * 300,
        "actual": "a" * 300,
        "note": "n" * 90,
    }
    wrong = {
        "name": "e" * 90,
        "type": "t",
        "score": 0.0,
        "verdict": "fail",
        "misses": [long["path"]],
        "details": {"mismatches": [long]},
    }
    right = {"name": "e" * 90, "type": "t", "score": 1.0, "verdict": "pass", "misses": []}
    write("old.jsonl", lines(row("c" * 200, 1.0, evaluator_results=[right])))
    write("new.jsonl", lines(row("c" * 200, 0.0, evaluator_results=[wrong])))
    for arguments in (("diff", "old.jsonl", "new.jsonl"), ("trend", "old.jsonl", "new.jsonl"), ("report", "new.jsonl")):
        done = evalctl(*arguments, COLUMNS=columns)
        assert max(map(len, done.stdout.splitlines())) <= int(columns)


def test_wide_characters_leave_a_path_its_room(evalctl: Evalctl, write: Write) -> None:
    miss = {"path": "請求書.合計[0].名前", "outcome": "mismatch", "expected": "期待値" * 30, "actual": "答え" * 30}
    wrong = {"name": "e", "type": "t", "score": 0.0, "verdict": "fail", "misses": [miss["path"]]}
    right = {"name": "e", "type": "t", "score": 1.0, "verdict": "pass", "misses": []}
    write("old.jsonl", lines(row("c", 1.0, evaluator_results=[right])))
    write("new.jsonl", lines(row("c", 0.0, evaluator_results=[wrong | {"details": {"mismatches": [miss]}}])))
    text = evalctl("diff", "old.jsonl", "new.jsonl", COLUMNS="80").stdout
    assert '    ↓ 請求書.合計[0].名前\n         expected  "期待値' in text
    assert all(cell_len(line) <= 80 for line in text.splitlines())


def test_o_writes_the_report_without_colours(evalctl: Evalctl, two_runs: None, tmp_path: Path) -> None:
    done = evalctl("diff", "old.jsonl", "new.jsonl", "-o", "out/diff.txt", FORCE_COLOR="1")
    assert (done.returncode, done.stdout) == (0, "")
    assert "\x1b" not in (tmp_path / "out" / "diff.txt").read_text(encoding="utf-8")
    assert evalctl("diff", "old.jsonl", "new.jsonl", "-o", "old.jsonl").returncode == 2


@pytest.mark.parametrize("form", ["console", "json", "markdown", "csv", "junit"])
def test_what_others_wrote_into_rows_never_ends_a_report(evalctl: Evalctl, write: Write, form: str) -> None:
    odd = {
        "name": "e", "type": "t", "score": 0, "verdict": "fail", "misses": [1, None, {"a": 2}, "p (x"], "hits": 5,
        "details": {"mismatches": [{"path": "p", "note": 3}], "alignment": {"a": [[]]}, "metrics": {"a": 5}},
    }  # fmt: skip
    erred = {"status": "error", "verdict": "fail", "error": "boom", "evaluator_results": [odd | {"error": "text"}]}
    write(
        "old.jsonl",
        lines(
            row("x", 1.0, metadata={"k": []}),
            row("日本語" * 40, 1.0, metadata=5, timestamp=7, duration_ms="NaN"),
            row("z", 0.0, **erred),
        ),
    )
    write(
        "new.jsonl",
        lines(
            row("x", 0.0, evaluator_results=[odd], expected="{bad", candidate=["\ud800"]),
            row("日本語" * 40, 0.0),
            row("z", 1.0),
        ),
    )
    for arguments in (
        ("diff", "old.jsonl", "new.jsonl", "--cluster", "k"),
        ("report", "old.jsonl", "new.jsonl"),
        ("trend", "new.jsonl", "old.jsonl"),
    ):
        done = evalctl(*arguments, "--format", form)
        assert (done.returncode, "Traceback" in done.stderr) == (0, False)


def test_what_a_row_of_a_paired_list_said_is_found_at_its_partner(evalctl: Evalctl, write: Write) -> None:
    suite = (
        "name: s\nevaluators: [{type: object_match, comparators: {items: {unordered: {sku: exact, price: exact}}}}]\n"
    )
    expected = {"items": [{"sku": "a", "price": 1}, {"sku": "b", "price": 2}]}
    for name, price in (("old", 1), ("new", 9)):
        candidate = {"items": [{"sku": "b", "price": 2}, {"sku": "a", "price": price}]}
        case = json.dumps([{"id": "x", "expected": expected, "candidate": candidate}])
        write(f"{name}.yaml", f"{suite}cases: {case}\n")
        evalctl("run", f"{name}.yaml", "-q", "-o", f"{name}.jsonl")
    [broken] = _diff(evalctl)["broken"]
    assert broken["changed"] == [
        {"evaluator": "object_match", "path": "items[0].price", "expected": 1, "baseline": 1, "candidate": 9}
    ]


def test_a_diff_of_rows_that_other_options_scored_says_so(evalctl: Evalctl, write: Write, two_runs: None) -> None:
    assert _diff(evalctl)["scored_differently"] == 0
    write("new.yaml", _SUITE.replace("{predictions}", "new.predictions.jsonl").replace("path: b", "path: b, weight: 2"))
    evalctl("run", "new.yaml", "-o", "new.jsonl", "-q")
    assert _diff(evalctl)["scored_differently"] == 5
    sentence = "scored by other options or evaluators on each side: 5 of 5 cases;"
    for form in ("console", "markdown", "html"):
        assert sentence in evalctl("diff", "old.jsonl", "new.jsonl", "--format", form).stdout
    for form in ("csv", "junit", "json"):
        done = evalctl("diff", "old.jsonl", "new.jsonl", "--format", form)
        assert f"warning: {sentence}" in done.stderr


def test_a_pass_rate_that_fell_is_worse_although_the_mean_score_is_tied(evalctl: Evalctl, write: Write) -> None:
    """Six of thirty cases are newly broken; the other scores move a little, up and down."""
    moves = [0.3 * (-1) ** number for number in range(24)]
    write("old.jsonl", lines(*(row(f"b{n}", 0.82) for n in range(6)), *(row(f"c{n}", 0.35) for n in range(24))))
    broken, others = (row(f"b{n}", 0.78) for n in range(6)), (row(f"c{n}", 0.35 + move) for n, move in enumerate(moves))
    write("new.jsonl", lines(*broken, *others))
    done = evalctl("diff", "old.jsonl", "new.jsonl", "--format", "json", "--fail-on", "significant")
    report = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(report)
    assert (report["verdict"], report["mean_score"]["verdict"], report["pass_rate"]["verdict"]) == (
        "worse", "tied", "worse",
    )  # fmt: skip
    assert report["pass_rate"]["p_value"] <= report["pass_rate"]["p_adjusted"] <= 0.05
    assert report["pass_rate"]["high"] < 0
    smallest = report["mean_score"]["smallest"]
    assert report["sentence"] == (
        "pass rate worse, mean score tied: the pass rate fell by 20.0 points, more than chance explains; the mean score "
        "fell by 0.0080, no more than chance explains in 30 cases; with this many cases, a change of the mean score "
        f"below about {smallest:.3f} often goes unnoticed"
    )
    assert done.returncode == 1
    assert "gate violated: significant: the pass rate fell by 20 points, more than chance explains" in done.stderr


def test_chance_is_no_matter_of_a_pass_rate_that_did_not_change(evalctl: Evalctl, write: Write) -> None:
    write("old.jsonl", lines(*(row(f"c{n}", 1.0) for n in range(20))))
    write("new.jsonl", lines(row("c0", 0.9), *(row(f"c{n}", 1.0) for n in range(1, 20))))
    sentence = json.loads(evalctl("diff", "old.jsonl", "new.jsonl", "--format", "json").stdout)["sentence"]
    assert sentence.startswith(
        "tied: the mean score fell by 0.0050, no more than chance explains in 20 cases; the pass rate did not change; with"
    )


def test_runs_without_any_change_have_an_interval_all_the_same(evalctl: Evalctl, write: Write) -> None:
    write("old.jsonl", lines(*(row(f"c{n}", 1.0) for n in range(30))))
    report = json.loads(evalctl("diff", "old.jsonl", "old.jsonl", "--format", "json").stdout)
    assert report["sentence"] == (
        "tied: no score changed in 30 cases; they cannot rule out a change within the 95 % interval"
    )
    for figure in ("mean_score", "pass_rate"):
        assert (report[figure]["low"], report[figure]["high"]) == pytest.approx((-0.1135, 0.1135), abs=1e-4)
