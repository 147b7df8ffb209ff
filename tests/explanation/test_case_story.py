"""`evalctl explain RESULTS CASE`: a case as a story, from its row and, where it can be found, from its suite."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from commands import Commands
from conftest import Evalctl
from hypothesis import given, settings
from hypothesis import strategies as st

from agentv_py.case import Case
from agentv_py.evaluators.object_match import ObjectMatch
from agentv_py.formats import ExplanationFormat, render
from agentv_py.report.explanation.case import explain_row
from agentv_py.report.explanation.case_model import CaseExplanation, CaseStory
from agentv_py.report.explanation.repairs import Rescorer
from agentv_py.run.pair import score_pair

Write = Callable[[str, Any], Path]

_SUITE = """\
name: invoices
verdicts: {pass: 0.9, partial: 0.5}
evaluators:
- name: header
  type: object_match
  comparators:
    vendor: {name: fuzzy, city: exact}
    total: {match: numeric_tolerance, tolerance: 0.005}
    due: date
    rows: {unordered: {sku: exact, text: fuzzy}, threshold: 0.2}
- {name: again, type: field_accuracy, fields: [{path: total, match: numeric_tolerance, tolerance: 0.005}]}
cases:
- id: one
  input: {file: a.pdf}
  expected: &truth {vendor: {name: Acme, city: Berlin}, total: 120.5, due: 2025-01-15, rows: [{sku: a, text: Hex bolt}, {sku: b, text: Nut}]}
  candidate: {vendor: {name: Acme, city: Bonn}, total: 125, due: 2025-01-14, fee: 1, rows: [{sku: b, text: Nut}, {sku: x, text: Hex bolts}, {sku: z, text: Foo}]}
- {id: two, expected: *truth, candidate: *truth}
"""


def _score(comparators: Any, expected: Any, actual: Any, **options: Any) -> CaseStory:
    evaluator = ObjectMatch.model_validate({"type": "object_match", "comparators": comparators, **options})
    pair = score_pair(evaluator, Case("x", expected, actual), "s", "here")
    return explain_row(pair.row, "", pair.scoring)


@pytest.fixture(scope="module")
def explain_results(tmp_path_factory: pytest.TempPathFactory, commands: Commands) -> Evalctl:
    """Runs `explain` in a folder that holds the suite, another one, and the results r.jsonl."""
    folder = tmp_path_factory.mktemp("story")
    (folder / "s.yaml").write_text(_SUITE, encoding="utf-8")
    other = "evaluators: [{type: object_match, default: exact}]\ncases: [{expected: {a: 1}, candidate: {}}]\n"
    (folder / "t.yaml").write_text(other, encoding="utf-8")
    assert commands.run(("run", "s.yaml", "-q", "-o", "r.jsonl"), folder).returncode == 1
    return lambda *arguments, **environment: commands.run(arguments, folder, **environment)


def _run(evalctl: Evalctl, *arguments: str) -> dict[str, Any]:
    done = evalctl("explain", *arguments, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    story: dict[str, Any] = json.loads(done.stdout)["cases"][0]
    return story


def test_a_case_is_told_with_its_rules_its_gaps_its_pairs_and_the_way_to_pass(explain_results: Evalctl) -> None:
    story = _run(explain_results, "r.jsonl", "one")
    assert {key: story[key] for key in ("suite", "case_id", "where", "verdict", "rules_from", "unscored")} == {
        "suite": "invoices", "case_id": "one", "where": "r.jsonl:1", "verdict": "fail", "rules_from": "s.yaml",
        "unscored": ["fee"],
    }  # fmt: skip
    assert story["verdicts"] == {"pass": 0.9, "partial": 0.5}
    findings = {finding["path"]: finding for finding in story["findings"]}
    assert list(findings) == ["vendor.city", "total", "due", "rows[0].sku", "rows[+2]"]
    total = findings["total"]
    assert (total["expected"], total["actual"]) == (120.5, 125)
    assert [
        (one["name"], one["rule"]["comparator"], one["rule"]["where"], one["gap"], one["passes_with"])
        for one in total["evaluators"]
    ] == [
        ("header", "numeric_tolerance", "s.yaml:8", "4.5 too high (3.73 %)", {"option": "tolerance", "at_least": 4.5}),
        ("again", "numeric_tolerance", "s.yaml:11", "4.5 too high (3.73 %)", {"option": "tolerance", "at_least": 4.5}),
    ]
    assert findings["due"]["evaluators"][0]["gap"] == "1 day early"
    assert total["if_right"]["score"] > story["score"]
    [rows] = story["alignment"]
    assert rows["rows"] == [
        {
            "expected": 0, "partner": {"actual": 1, "similarity": 0.444444},
            "next_best": {"actual": 0, "similarity": 0.0625}, "next_best_is_partner_of": 1,
        }
    ]  # fmt: skip
    assert (rows["matched_fully"], rows["surplus"]) == (1, [2])
    assert story["to_pass"]["verdict"] == "pass"
    assert set(story["to_pass"]["paths"]) <= set(findings)


def test_the_page_has_every_part_in_80_columns(explain_results: Evalctl) -> None:
    shown = explain_results("explain", "r.jsonl", "one", COLUMNS="80").stdout
    assert max(map(len, shown.splitlines())) <= 80
    for words in (
        "✗ fail", "passes from 0.9", "r.jsonl:1", "total  by header and again", "4.5 too high (3.73 %)",
        "a tolerance of at least 4.5 would", "rows of rows by header", "answer[1] 0.444", "answer[0] 0.062, partner of expected[1]",
        "only in the answer, and not scored: fee", "to pass  it passes with",
    ):  # fmt: skip
        assert words in shown
    written = explain_results("explain", "r.jsonl", "one", "-o", "case.md")
    assert (written.returncode, written.stdout) == (0, "")


def test_a_suite_that_changed_is_not_used_unless_it_is_named(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", _SUITE)
    evalctl("run", "s.yaml", "-q", "-o", "r.jsonl")
    write("s.yaml", _SUITE.replace("0.005", "9"))
    story = _run(evalctl, "r.jsonl", "one")
    assert (story["rules_from"], story["to_pass"]) == (None, None)
    assert story["rules_missing"] == "s.yaml has changed since the run; --suite s.yaml shows its rules"
    assert {one["rule"] for finding in story["findings"] for one in finding["evaluators"]} == {None}
    story = _run(evalctl, "r.jsonl", "one", "--suite", "s.yaml")
    assert (story["rules_from"], story["to_pass"]) == ("s.yaml", None)  # another score comes out, so no promise
    (write("x", "").parent / "s.yaml").unlink()
    assert _run(evalctl, "r.jsonl", "one")["rules_missing"] == "no suite 'invoices' is nearby; name it: --suite FILE"


def test_several_suites_that_score_alike_are_named(evalctl: Evalctl, write: Write) -> None:
    write("one/s.yaml", _SUITE)
    write("two/s.yaml", _SUITE)
    evalctl("run", "two/s.yaml", "-q", "-o", "r.jsonl")
    story = _run(evalctl, "r.jsonl", "one")
    assert (story["rules_from"], story["other_suites"]) == ("one/s.yaml", ["two/s.yaml"])
    said = "the rules are those of one/s.yaml; two/s.yaml scores alike, and --suite FILE names one of them"
    assert said in evalctl("explain", "r.jsonl", "one", COLUMNS="200").stdout
    story = _run(evalctl, "r.jsonl", "one", "--suite", "two/s.yaml")
    assert (story["rules_from"], story["other_suites"]) == ("two/s.yaml", [])


def test_rows_without_data_have_rules_and_no_values(evalctl: Evalctl, write: Write) -> None:
    write("mine/s.yaml", _SUITE)
    evalctl("run", "mine/s.yaml", "-q", "-o", "r.jsonl", "--no-data")
    story = _run(evalctl, "r.jsonl", "one")
    assert not {"input", "expected", "candidate"} & story.keys()
    total = next(finding for finding in story["findings"] if finding["path"] == "total")
    assert not {"expected", "actual"} & total.keys()
    assert [(one["rule"]["comparator"], one["gap"]) for one in total["evaluators"]] == [("numeric_tolerance", None)] * 2
    assert "written with --no-data" in evalctl("explain", "r.jsonl", "one").stdout


def test_each_target_has_a_story_and_one_can_be_chosen(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", "evaluators: [{type: object_match, comparators: {a: exact}}]\ncases: [{id: x, expected: {a: 1}}]\n")
    write("good.jsonl", {"id": "x", "candidate": {"a": 1}})
    write("bad.jsonl", {"id": "x", "candidate": {"a": 2}})
    evalctl("run", "s.yaml", "-q", "-o", "r.jsonl", "--predictions", "good.jsonl", "--predictions", "bad.jsonl")
    done = evalctl("explain", "r.jsonl", "x", "--format", "json")
    assert [(one["target"], one["verdict"]) for one in json.loads(done.stdout)["cases"]] == [
        ("good", "pass"),
        ("bad", "fail"),
    ]
    assert _run(evalctl, "r.jsonl", "x", "--target", "bad")["findings"][0]["path"] == "a"
    wrong = evalctl("explain", "r.jsonl", "x", "--target", "bda")
    assert (wrong.returncode, wrong.stderr) == (
        2, "error: r.jsonl: no row of the case has the target 'bda'; did you mean 'bad'?\n"
    )  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["r.jsonl", "tow"], "r.jsonl: no row is of the case 'tow'; did you mean 'two'?"),
        (["r.jsonl"], "name a case of r.jsonl, such as: evalctl explain r.jsonl 'one'"),
        (["r.jsonl", "one", "--evaluator", "heder"], "the case has no evaluator named 'heder'; did you mean 'header'?"),
        (["r.jsonl", "one", "-o", "x.xml"], "-o 'x.xml': an explanation has no format 'junit'; valid: " + ", ".join(get_args(ExplanationFormat))),
        (["s.yaml", "--target", "a"], "--target and --suite need a results file: evalctl explain RESULTS CASE"),
        (["s.yaml", "case-1"], "'case-1' is not a suite; to explain a case, name results: evalctl explain RESULTS case-1"),
        (["r.jsonl", "one", "--suite", "t.yaml"], "--suite t.yaml: is named 't'; the rows are of 'invoices'"),
        (["no.jsonl", "one"], "no.jsonl: cannot be read: No such file or directory"),
    ],
)  # fmt: skip
def test_wrong_usage_names_the_way_out(explain_results: Evalctl, arguments: list[str], message: str) -> None:
    done = explain_results("explain", *arguments)
    assert (done.returncode, done.stderr) == (2, f"error: {message}\n")


def test_one_evaluator_can_be_chosen(explain_results: Evalctl) -> None:
    story = _run(explain_results, "r.jsonl", "one", "--evaluator", "again")
    assert [one["name"] for one in story["evaluators"]] == ["again"]
    assert [(one["path"], len(one["evaluators"])) for one in story["findings"]] == [("total", 1)]


def test_an_error_a_judge_s_words_and_several_answers_are_told(evalctl: Evalctl, write: Write) -> None:
    judge = "import json,sys; print(json.dumps({'score': 0.2, 'misses': ['too long']}))"
    write("judge.py", judge)
    write(
        "s.yaml",
        "evaluators: [{name: length, type: code_judge, script: judge.py}]\n"
        "cases: [{id: a, input: hello, expected: x, candidate: y}, {id: b, expected: x},"
        " {id: c, expected: x, candidates: [y, z]}]\n",
    )
    evalctl("run", "s.yaml", "-q", "-o", "r.jsonl")
    done = evalctl("explain", "r.jsonl", "a", "b", "c", "--format", "json")
    first, second, third = json.loads(done.stdout)["cases"]
    assert [(one["path"], one["evaluators"][0]["rule"]) for one in first["findings"]] == [("too long", None)]
    assert (second["status"], second["error"]) == ("error", "no_candidate: the case has no candidate")
    assert (third["repeats"], third["worst_repeat"], third["candidate"]) == ([0.2, 0.2], 1, "y")
    assert "2 answers scored 0.200, 0.200" in evalctl("explain", "r.jsonl", "c").stdout


def test_evaluators_of_a_case_of_its_own_explain_that_case(evalctl: Evalctl, write: Write) -> None:
    own = '"evaluators": [{"type": "object_match", "default": "auto"}]'
    write("d.jsonl", '{"id": "a", "expected": {"n": 1.25}, "candidate": {"n": 2}, ' + own + "}\n")
    write("s.yaml", "evaluators: [{type: object_match, default: exact}]\ndataset: d.jsonl\n")
    evalctl("run", "s.yaml", "-q", "-o", "r.jsonl")
    [finding] = _run(evalctl, "r.jsonl", "a")["findings"]
    rule = finding["evaluators"][0]["rule"]
    assert (rule["comparator"], rule["origin"], rule["rule"]) == ("numeric_tolerance", "auto", "number")


def test_a_long_text_is_measured_whole() -> None:
    story = _score({"a": "fuzzy"}, {"a": "x" * 400 + "y" * 400}, {"a": "x" * 400 + "z" * 400})
    gap = story.findings[0].judgements[0].gap
    assert gap is not None
    assert gap.words == "similarity 0.5, below 0.85"


@pytest.mark.parametrize(
    ("comparators", "expected", "actual", "rules"),
    [
        ({"tags": "fuzzy"}, {"tags": ["aaa", "bbb"]}, {"tags": ["aaa", "xyz"]}, {"tags[1]": "fuzzy"}),
        ({"a": {"b": "exact"}}, {"a": {"b": 1}}, {"a": 5}, {"a": None}),
        ({"r": {"unordered": {"b": "exact"}}}, {"r": [{"b": 1}]}, {"r": []}, {"r[0]": "unordered"}),
        ({"unordered": "exact"}, [1, 2], [1], {"[1]": "unordered"}),
        ({"a.b": "exact"}, {"a.b": 1}, {"a.b": 2}, {'["a.b"]': "exact"}),
    ],
)
def test_every_finding_has_the_rule_of_its_place(
    comparators: Any, expected: Any, actual: Any, rules: dict[str, str | None]
) -> None:
    found = _score(comparators, expected, actual).findings
    names = {one.path: one.judgements[0].rule and one.judgements[0].rule.rule.comparator for one in found}
    assert {path: names[path] for path in rules} == rules


def test_a_finding_of_a_composite_has_the_rule_of_the_member_that_reports_it(
    tmp_path: Path, commands: Commands
) -> None:
    members = [
        {"name": "first", "type": "equals", "value": "hello"},
        {"name": "second", "type": "equals", "value": "q"},
    ]
    inner = {"type": "composite", "name": "inner", "members": [*members, {**members[1], "name": "third"}]}
    evaluators = [{"type": "composite", "name": "c", "aggregate": "all", "members": [members[0], inner]}]
    case = {"id": "a", "expected": "x", "candidate": "hello"}
    (tmp_path / "s.yaml").write_text(json.dumps({"evaluators": evaluators, "cases": [case]}), encoding="utf-8")
    commands.run(("run", "s.yaml", "-q", "-o", "r.jsonl"), tmp_path)
    shown = commands.run(("explain", "r.jsonl", "a"), tmp_path).stdout
    assert 'expected  "q"' in shown
    assert 'equals: equals "q"' in shown
    assert 'equals "hello"' not in shown


def test_an_evaluator_that_does_not_apply_is_shown_as_skipped(tmp_path: Path, commands: Commands) -> None:
    evaluators = [{"name": "e", "type": "equals"}, {"name": "w", "type": "equals", "when": "expected.a == 2"}]
    cases = [{"id": str(number), "expected": {"a": number}, "candidate": {"a": number}} for number in (1, 2, 3)]
    (tmp_path / "s.yaml").write_text(json.dumps({"evaluators": evaluators, "cases": cases}), encoding="utf-8")
    assert "w: skipped in 2 cases" in commands.run(("run", "s.yaml", "-o", "r.jsonl"), tmp_path).stdout
    assert "w: skipped in 2 cases" in commands.run(("report", "r.jsonl"), tmp_path).stdout
    assert "· w  skipped" in commands.run(("explain", "r.jsonl", "1"), tmp_path).stdout
    assert "skipped" not in commands.run(("explain", "r.jsonl", "2"), tmp_path).stdout


def test_a_default_for_each_type_explains_by_the_type_of_the_value() -> None:
    default = {"number": {"match": "within", "tolerance": 0.1}, "text": "fuzzy"}
    found = _score(None, {"a": 1, "b": "x", "c": True}, {"a": 2, "b": "y", "c": False}, default=default).findings
    assert [one.judgements[0].rule and one.judgements[0].rule.rule.comparator for one in found] == [
        "within",
        "fuzzy",
        "exact",
    ]


_KEYS = st.sampled_from(["a", "b", "c.d", "0"])
_ROWS = st.lists(st.dictionaries(_KEYS, st.integers(0, 3), max_size=3), max_size=4)
_OBJECTS = st.fixed_dictionaries(
    {"n": st.integers(0, 2)}, optional={"o": st.dictionaries(_KEYS, st.integers(0, 2)), "rows": _ROWS, "list": _ROWS}
)


@given(expected=_OBJECTS, actual=_OBJECTS)
def test_an_answer_that_is_right_at_every_finding_scores_1(expected: Any, actual: Any) -> None:
    leaves = dict.fromkeys(["a", "b", "c.d", "0"], "exact")
    comparators = {"n": "exact", "o": leaves, "rows": {"unordered": leaves}, "list": {"ordered": leaves}}
    evaluator = ObjectMatch.model_validate({"type": "object_match", "comparators": comparators, "absent": "empty"})
    pair = score_pair(evaluator, Case("x", expected, actual), "s")
    story = explain_row(pair.row, "", pair.scoring)
    rescorer = Rescorer(pair.row, pair.scoring, Case("x", expected, actual))
    if story.findings and pair.row["status"] == "ok" and not story.findings[0].path.startswith("("):
        assert rescorer.can_score()
        repaired = rescorer.repair_together(story.findings)
        assert repaired is not None
        assert repaired.score == 1.0


@settings(max_examples=10)
@given(expected=_OBJECTS, actual=_OBJECTS, format_name=st.sampled_from(["console", "json", "markdown"]))
def test_every_format_tells_any_story(expected: Any, actual: Any, format_name: Any) -> None:
    story = _score(None, expected, actual, default="auto")
    assert "".join(render(CaseExplanation([story, story]), format_name))


def test_hostile_names_and_values_stay_text() -> None:
    name = "\x1b[31m[bold]::error::" + "é" * 200
    story = _score({name: "exact"}, {name: "::set-output::\n\x07"}, {name: ["[/red]", "語" * 500]})
    for format_name in ("console", "markdown", "json"):
        shown = "".join(render(CaseExplanation([story]), format_name))
        assert "\x07" not in shown
        assert "\x1b[31m[bold]" not in shown
        assert not any(line.lstrip().startswith("::") for line in shown.splitlines())
