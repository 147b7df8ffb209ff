"""Words beside figures: what errors do to a mean, when runs have a trend, and how many attributes a table leaves out."""

import json

import pytest

from agentv_py.formats import render
from agentv_py.formats.sections.errors import _describe_rest
from agentv_py.formats.text import describe_errors_in_mean, describe_lowest_pass, describe_trend
from agentv_py.report.summary import Summary
from agentv_py.report.tally import Tally
from agentv_py.report.trend import Run, Series, Trend


@pytest.mark.parametrize(
    ("passed", "errors", "words"),
    [(4, 0, ""), (4, 8, "errors count as 0; 1.000 over the 4 others"), (0, 3, "errors count as 0")],
)
def test_a_mean_score_says_what_errors_count(passed: int, errors: int, words: str) -> None:
    tally = Tally()
    tally.cases, tally.passed, tally.errors, tally.total = passed + errors, passed, errors, float(passed)
    assert describe_errors_in_mean(tally) == words


def test_a_pass_rate_says_from_which_score_on_cases_pass() -> None:
    tally = Tally()
    assert describe_lowest_pass(tally) == ""
    for score, verdict in ((1.0, "pass"), (0.875, "pass"), (0.7, "partial")):
        tally.count({"status": "ok", "score": score, "verdict": verdict})
    assert describe_lowest_pass(tally) == "lowest pass 0.875"


def test_passed_cases_with_misses_are_in_every_format_that_people_read() -> None:
    summary = Summary()
    for number, (score, misses) in enumerate(((1.0, []), (0.9, ["total"]), (0.8, ["total", "date"]), (0.5, ["total"]))):
        row = {"suite": "s", "case_id": f"{number}", "status": "ok", "score": score, "misses": misses, "hits": []}
        verdict = "pass" if score >= 0.8 else "fail"
        summary.add(row | {"verdict": verdict, "evaluator_results": []})
    texts = {form: "".join(render(summary, form)) for form in ("console", "markdown", "brief")}
    assert [form for form, text in texts.items() if "passed (2 with misses)" not in text] == []
    report = json.loads("".join(render(summary, "json")))
    assert (report["passed"], report["passed_with_misses"]) == (3, 2)


def test_cases_without_misses_are_only_passed() -> None:
    summary = Summary()
    row = {"suite": "s", "case_id": "a", "status": "ok", "score": 1.0, "verdict": "pass", "hits": [], "misses": []}
    summary.add(row | {"evaluator_results": []})
    texts = ["".join(render(summary, form)) for form in ("console", "markdown", "brief", "json")]
    assert not any("misses" in text for text in texts)


def test_skipped_evaluators_are_in_every_format_that_people_read() -> None:
    summary = Summary()
    row = {"suite": "s", "case_id": "a", "status": "ok", "score": 1.0, "verdict": "pass", "skipped": ["late"]}
    summary.add(row | {"evaluator_results": [], "hits": [], "misses": []})
    texts = {form: "".join(render(summary, form)) for form in ("console", "markdown", "brief", "html")}
    assert [form for form, text in texts.items() if "late: skipped in 1 case" not in text] == []
    assert json.loads("".join(render(summary, "json")))["skipped"] == [{"suite": "s", "evaluator": "late", "cases": 1}]


@pytest.mark.parametrize(
    ("runs", "words"),
    [(1, "no trend yet: it takes 3 runs"), (2, "no trend yet: it takes 3 runs"), (3, "not degrading")],
)
def test_fewer_than_three_runs_have_no_trend(runs: int, words: str) -> None:
    assert describe_trend(Trend([Series("s", [Run(f"{n}.jsonl", "") for n in range(runs)])])) == words


@pytest.mark.parametrize(
    ("hidden", "words"),
    [
        (0, []),
        (1, ["1 more attribute has errors; `evalctl report RESULTS` lists it"]),
        (2, ["2 more attributes have errors; `evalctl report RESULTS` lists them"]),
    ],
)
def test_attributes_that_a_table_leaves_out_are_said_to_have_errors(hidden: int, words: list[str]) -> None:
    assert list(_describe_rest(hidden)) == words
