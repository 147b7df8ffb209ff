"""Figures side by side: of targets, files, suites, tags and metadata, in every format."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import jsonschema
import pytest
from browser import Browser
from conftest import Evalctl
from rows import SCHEMA, lines, row

Write = Callable[[str, Any], Path]

_SCORES = {"good": 1.0, "bad": 0.0, "same": 0.0}


def _rows(*targets: str, cases: int = 12) -> list[dict[str, Any]]:
    return [
        row(f"c{n}", _SCORES[target], target=target, latency_ms=100.0 * (n + 1), cost=0.5, tags=["even"] * (n % 2 == 0),
            metadata={"vendor": "acme" if n < 4 else "hooli"}, input={"file": "scans/a b.pdf"})
        for n in range(cases) for target in targets
    ]  # fmt: skip


def _report(evalctl: Evalctl, *arguments: str) -> Any:
    done = evalctl("report", *arguments, "--format", "json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(report)
    return report


def test_a_target_is_a_group_with_its_own_figures_and_evaluators(evalctl: Evalctl, write: Write) -> None:
    write("r.jsonl", lines(*_rows("good", "bad")))
    report = _report(evalctl, "r.jsonl")
    [good, bad] = report["groups"]["groups"]
    assert (report["groups"]["by"], good["name"], bad["name"]) == ("target", "good", "bad")
    assert (good["cases"], good["mean_score"]["value"], good["pass_rate"]["value"], good["errors"]) == (12, 1.0, 1.0, 0)
    assert (good["cost"], good["latency_ms"]) == (6.0, {"p50": 600.0, "p95": 1200.0})
    assert (good["best"], bad["best"]) == (["mean_score", "pass_rate"], [])
    assert [(e["target"], e["mean_score"]) for e in report["evaluators"]] == [("good", 1.0), ("bad", 0.0)]


def test_every_format_has_a_column_per_target_and_marks_the_best(evalctl: Evalctl, write: Write) -> None:
    write("r.jsonl", lines(*_rows("good", "bad")))
    text = evalctl("report", "r.jsonl").stdout
    assert re.search(r"^ target +good +bad$", text, re.MULTILINE)
    assert re.search(r"^ mean score +1\.000 ★ +0\.000$", text, re.MULTILINE)
    assert re.search(r"^ p95 latency +1,200 ms +1,200 ms$", text, re.MULTILINE)
    assert "★ is better than every other target, more than chance explains" in text
    assert "95 % interval" not in text
    text = evalctl("report", "r.jsonl", "--format", "markdown").stdout
    assert "| target | good | bad |" in text
    assert "| mean score | 1.000 ★ | 0.000 |" in text
    suite = ET.fromstring(evalctl("report", "r.jsonl", "--format", "junit").stdout)[0]
    properties = {one.attrib["name"]: one.attrib["value"] for one in suite.iter("property")}
    assert properties["target.good.mean score"] == "1.000 ★"
    assert [case.attrib["name"] for case in suite.iter("testcase")][:2] == ["c0 · good", "c0 · bad"]


def test_a_single_target_repeats_no_figure_of_all_cases(evalctl: Evalctl, write: Write) -> None:
    write("r.jsonl", lines(*_rows("good")))
    write("plain.jsonl", lines(*({**each, "latency_ms": None, "cost": None} for each in _rows("good"))))
    assert re.search(r"^ target +good\n cost +6\n p50 latency", evalctl("report", "r.jsonl").stdout, re.MULTILINE)
    assert not re.search(r"^ target ", evalctl("report", "plain.jsonl").stdout, re.MULTILINE)
    assert "target.good.mean score" in evalctl("report", "r.jsonl", "--format", "junit").stdout


def test_a_table_of_targets_says_what_errors_count(evalctl: Evalctl, write: Write) -> None:
    rows = _rows("good", "bad")
    write("r.jsonl", lines(*rows[:-1], {**rows[-1], "status": "error", "score": 0.0}))
    assert "; errors count as 0" in " ".join(evalctl("report", "r.jsonl").stdout.split())


def test_no_headline_averages_several_targets(evalctl: Evalctl, write: Write) -> None:
    write("r.jsonl", lines(*_rows("good", "bad")))
    report = _report(evalctl, "r.jsonl")
    assert (report["pass_rate"], report["mean_score"], report["cases"]) == (None, None, 24)
    text = evalctl("report", "r.jsonl").stdout
    assert " · 12 cases × 2 targets" in text
    assert re.search(r"^ *answers  ✓ 12 passed", text, re.MULTILINE)
    text = evalctl("report", "r.jsonl", "--format", "markdown").stdout
    assert re.search(r"^### \S+: 12 cases × 2 targets$", text, re.MULTILINE)
    assert "24 answers: 12 passed, " in text
    assert '"size":"12 cases × 2 targets"' in evalctl("report", "r.jsonl", "--format", "html").stdout


def test_targets_that_answered_different_cases_are_counted_by_answers(evalctl: Evalctl, write: Write) -> None:
    write("r.jsonl", lines(*_rows("good", "bad")[:-1]))
    assert " · 23 answers of 2 targets" in evalctl("report", "r.jsonl").stdout


def test_a_target_that_only_errs_is_not_averaged_either(evalctl: Evalctl, write: Write) -> None:
    error = {"status": "error", "evaluator_results": [], "error": {"kind": "timeout", "message": "m"}}
    rows = [one if one["target"] == "good" else one | error for one in _rows("good", "bad")]
    write("r.jsonl", lines(*rows))
    assert _report(evalctl, "r.jsonl")["pass_rate"] is None


def test_a_suite_of_several_targets_has_no_figures_of_its_own(evalctl: Evalctl, write: Write) -> None:
    write("r.jsonl", lines(*_rows("good", "bad"), *(row(f"c{n}", 1.0, suite="other", target="good") for n in range(3))))
    by_suite = _report(evalctl, "r.jsonl")["by_suite"]
    assert [suite["pass_rate"] and suite["pass_rate"]["value"] for suite in by_suite] == [None, 1.0]
    for form, line in (("console", r"^ \S+ +24 +– +– "), ("markdown", r"^\| \S+ \| 24 \| – \| – \|")):
        assert re.search(line, evalctl("report", "r.jsonl", "--format", form).stdout, re.MULTILINE)


@pytest.mark.parametrize(("targets", "cases"), [(("good", "bad"), 4), (("bad", "same"), 12)])
def test_no_target_is_best_where_chance_explains_the_difference(
    evalctl: Evalctl, write: Write, targets: tuple[str, ...], cases: int
) -> None:
    write("r.jsonl", lines(*_rows(*targets, cases=cases)))
    assert [group["best"] for group in _report(evalctl, "r.jsonl")["groups"]["groups"]] == [[], []]
    assert "no target is better than every other target" in evalctl("report", "r.jsonl").stdout


def test_the_best_of_three_is_better_than_both_others(evalctl: Evalctl, write: Write) -> None:
    write("r.jsonl", lines(*_rows("bad", "good", "same")))
    groups = _report(evalctl, "r.jsonl")["groups"]["groups"]
    assert {group["name"]: group["best"] for group in groups} == {
        "bad": [], "good": ["mean_score", "pass_rate"], "same": [],
    }  # fmt: skip


def test_several_files_are_kept_apart(evalctl: Evalctl, write: Write) -> None:
    for name, suite, score in (("a", "one", 1.0), ("b", "two", 0.0), ("c", "two", 0.5)):
        write(f"{name}.jsonl", lines(*(row(f"c{n}", score, suite=suite) for n in range(12))))
    groups = _report(evalctl, "a.jsonl", "b.jsonl", "c.jsonl")["groups"]
    assert groups["by"] == "file"
    assert [(g["file"], g["mean_score"]["value"], g["best"]) for g in groups["groups"]] == [
        ("a.jsonl", 1.0, ["mean_score", "pass_rate"]), ("b.jsonl", 0.0, []), ("c.jsonl", 0.5, []),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("by", "cases"),
    [
        ("suite", {"s · good": 12, "s · bad": 12}),
        ("tag", {"even · good": 6, "even · bad": 6}),
        ("metadata.vendor", {"acme · good": 4, "acme · bad": 4, "hooli · good": 8, "hooli · bad": 8}),
        ("target", {"good": 12, "bad": 12}),
        ("file", {"r.jsonl · good": 12, "r.jsonl · bad": 12}),
    ],
)
def test_rows_are_grouped_by_what_the_user_names(
    evalctl: Evalctl, write: Write, by: str, cases: dict[str, int]
) -> None:
    write("r.jsonl", lines(*_rows("good", "bad")))
    groups = _report(evalctl, "r.jsonl", "--by", by)["groups"]["groups"]
    assert {group["name"]: group["cases"] for group in groups} == cases


@pytest.mark.parametrize(
    ("by", "reason"),
    [
        ("tags", "--by 'tags': is not valid; did you mean 'tag'?"),
        ("metadata.", "--by 'metadata.': is not valid"),
        ("metadata.vendr", "--by metadata.vendr: no row has this metadata; did you mean 'metadata.vendor'?"),
    ],
)
def test_a_key_that_no_row_has_is_exit_2(evalctl: Evalctl, write: Write, by: str, reason: str) -> None:
    write("r.jsonl", lines(*_rows("good")))
    done = evalctl("report", "r.jsonl", "--by", by)
    assert (done.returncode, done.stdout, reason in done.stderr) == (2, "", True), done.stderr


def test_each_of_several_targets_must_meet_the_gates(evalctl: Evalctl, write: Write) -> None:
    for name, value in (("good", 1), ("bad", 0)):
        write(f"{name}.jsonl", lines(*({"id": f"c{n}", "candidate": {"a": value}} for n in range(3))))
    write("s.yaml", {
        "evaluators": [{"type": "field_accuracy", "fields": [{"path": "a"}]}], "gates": {"mean_score": 0.4},
        "cases": [{"id": f"c{n}", "expected": {"a": 1}} for n in range(3)],
    })  # fmt: skip
    done = evalctl("run", "s.yaml", "--predictions", "good.jsonl", "--predictions", "bad.jsonl", "-q", "-o", "r.jsonl")
    assert (done.returncode, done.stderr) == (1, "gate missed: s: mean_score of bad 0 is below the gate of 0.4\n")


def test_the_page_shows_the_input_and_the_targets_of_a_case_side_by_side(
    evalctl: Evalctl, write: Write, tmp_path: Path, running: Browser
) -> None:
    rows = _rows("good", "bad")
    for one in rows:
        one |= {"expected": {"total": 7}, "candidate": {"total": 7 if one["target"] == "good" else 8}}
        one["evaluator_results"][0]["misses"] = [] if one["target"] == "good" else ["in the judge's own words"]
    write("r.jsonl", lines(*rows))
    assert evalctl("report", "r.jsonl", "--format", "html", "-o", "r.html").returncode == 0
    running.open(tmp_path / "r.html")
    assert running.texts("#evaluators table")[0].startswith("targetgoodbad")
    running.run("document.querySelector('.row').click()")
    running.until("document.querySelector('.detail') !== null")
    assert running.texts(".sides .names span") == ["field", "expected", "good", "bad"]
    assert running.texts(".sides .side:not(.names) .value") == ["7", "7", "8"]
    assert running.texts(".misses li") == ["in the judge's own words"]
    link = running.one(".documents a")
    assert (link.text, link.get_dom_attribute("href")) == ("scans/a b.pdf", "scans/a%20b.pdf")


def test_an_input_never_becomes_a_link_that_runs(
    running: Browser, evalctl: Evalctl, write: Write, tmp_path: Path
) -> None:
    texts = {
        "a": "javascript:alert(1)//x.pdf",
        "b": "data:text/html,x.html",
        "c": "file:///etc/x.txt",
        "d": "https://h/x.pdf",
    }
    write("r.jsonl", lines(row("x", 0.0, input=texts)))
    assert evalctl("report", "r.jsonl", "--format", "html", "-o", "r.html").returncode == 0
    running.open(tmp_path / "r.html")
    running.open_case("x")
    assert running.texts(".documents a") == ["https://h/x.pdf"]
