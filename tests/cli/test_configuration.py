"""What a command takes from its surroundings: suites, defaults of flags, and other files of a suite."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import Commands
from conftest import Evalctl

Write = Callable[[str, Any], Path]

_CASES = "cases: [{id: x, expected: {a: 1}, candidate: {a: 1}}]\n"
_EVALUATORS = "evaluators: [{type: field_accuracy, fields: [{path: a}]}]\n"
_SUITE = _EVALUATORS + _CASES


def test_a_run_without_a_name_finds_suites_here_or_above_and_says_which(
    evalctl: Evalctl, commands: Commands, write: Write, tmp_path: Path
) -> None:
    write("evals/one.yaml", _SUITE)
    write("evals/rows.yaml", "[]")
    write("evals/base.yaml", _EVALUATORS)
    write("two.eval.yaml", _SUITE)
    write("sub/deep/notes.txt", "")
    done = evalctl("run", "-o", "r.jsonl")
    assert (done.returncode, done.stderr) == (0, "suites: two.eval.yaml, evals/one.yaml\nresults: r.jsonl\n")
    done = commands.run(["validate"], tmp_path / "sub/deep")
    assert done.stderr == "suites: ../../two.eval.yaml, ../../evals/one.yaml\n"
    write("sub/evalctl.yaml", _SUITE)
    assert commands.run(["validate"], tmp_path / "sub/deep").stderr == "suites: ../evalctl.yaml\n"
    assert evalctl("validate", "-q").stderr == ""


def test_a_search_ends_at_the_root_of_a_project(commands: Commands, write: Write, tmp_path: Path) -> None:
    write("evals/one.yaml", _SUITE)
    write("project/.git/config", "")
    done = commands.run(["run"], tmp_path / "project")
    what = "no suite is named, and there is no evalctl.yaml, suite.yaml, *.eval.yaml or evals/*.yaml here or above"
    assert (done.returncode, done.stderr) == (2, f"error: {what}; `evalctl init` writes a suite\n")


def test_the_suite_that_init_writes_is_found_without_a_name(evalctl: Evalctl) -> None:
    assert evalctl("init").returncode == 0
    assert evalctl("validate").stderr == "suites: suite.yaml\n"


def test_a_folder_means_the_suites_in_it(evalctl: Evalctl, write: Write) -> None:
    write("evals/one.yaml", _SUITE)
    write("evals/two.yaml", _SUITE)
    for folder in ("evals", ".", "./evals/"):
        assert evalctl("validate", folder).stderr == "suites: evals/one.yaml, evals/two.yaml\n"


def test_flags_have_defaults_in_pyproject_which_the_command_line_replaces(
    evalctl: Evalctl, write: Write, tmp_path: Path
) -> None:
    write("s.yaml", _SUITE)
    write("pyproject.toml", '[tool.evalctl]\nmin_pass_rate = 1\nformat = "json"\noutput = "r.jsonl"\n'
          '[tool.evalctl.run]\nreport = ["a.md", "b.csv"]\n'
          '[tool.evalctl.report]\nformat = "markdown"\n')  # fmt: skip
    done = evalctl("run", "s.yaml")
    assert [gate["gate"] for gate in json.loads(done.stdout)["gates"]] == ["pass_rate"]
    assert {"a.md", "b.csv", "r.jsonl"} <= {path.name for path in tmp_path.iterdir()}
    assert evalctl("report", "r.jsonl").stdout.startswith("### s")
    (tmp_path / "a.md").unlink()
    assert evalctl("run", "s.yaml", "--format", "markdown", "--report", "c.md", "-o", "q.jsonl").stdout.startswith(
        "### s"
    )
    assert not (tmp_path / "a.md").exists()
    assert (tmp_path / "q.jsonl").exists()


@pytest.mark.parametrize(
    ("table", "error"),
    [
        ("[tool.evalctl]\nfail-undr = 1", "pyproject.toml: tool.evalctl: unknown key 'fail-undr'; did you mean 'fail-under'?"),
        ("[tool.evalctl]\nzzzz = 1", "pyproject.toml: tool.evalctl: unknown key 'zzzz'; a key is a flag of `evalctl run` without its dashes"),
        ("[tool.evalctl]\nstrict = 1", "pyproject.toml: tool.evalctl.strict: must be true or false, not 1"),
        ("[tool.evalctl]\ncase = [true]", "pyproject.toml: tool.evalctl.case: must be a text, a number or a list of these, not True"),
        ("[tool.evalctl]\njobs = 'x'", "pyproject.toml: tool.evalctl.jobs: 'x' is not valid: Input should be a valid integer, unable to parse string as an integer"),
        ("[tool.evalctl.run]\nformat = 'x'", "pyproject.toml: tool.evalctl.format: 'x' is not valid: 'x' is not one of 'console', 'json', 'markdown', 'csv', 'junit', 'html', 'brief'"),
        ("[tool.evalctl.reprt]\nby = 1", "pyproject.toml: tool.evalctl: unknown table 'reprt'; did you mean 'report'?"),
        ("[tool]\nevalctl = 1", "pyproject.toml: tool.evalctl: must be a table"),
        ("[tool.evalctl", "pyproject.toml: not valid TOML: Expected ']' at the end of a table declaration (at end of document)"),
    ],
)  # fmt: skip
def test_a_wrong_default_is_an_error_with_the_way_out(evalctl: Evalctl, write: Write, table: str, error: str) -> None:
    write("s.yaml", _SUITE)
    write("pyproject.toml", table)
    done = evalctl("run", "s.yaml")
    assert (done.returncode, done.stderr) == (2, f"error: {error}\n")


def test_a_suite_extends_the_evaluators_and_gates_of_another_file(
    evalctl: Evalctl, write: Write, tmp_path: Path
) -> None:
    write("shared/root.yaml", "verdicts: {pass: 0.7}\ngates: {pass_rate: 0.5, mean_score: 0.1}\n")
    write("shared/base.yaml", "extends: root.yaml\ngates: {mean_score: 0.9}\ncases: []\nevaluators:\n"
          "- {name: first, type: field_accuracy, fields: [{path: a}]}\n- {name: second, type: field_accuracy, fields: [{path: b}]}\n")  # fmt: skip
    own = "evaluators:\n- {name: third, type: field_accuracy, fields: [{path: a}]}\n- {name: second, type: object_match, comparators: {a: exact}}\n"
    write("s.yaml", f"extends: shared/base.yaml\n{own}{_CASES}")
    done = evalctl("run", "s.yaml", "-o", "r.jsonl", "--format", "json")
    summary = json.loads(done.stdout)
    assert [(each["name"], each["type"]) for each in summary["evaluators"]] == [
        ("first", "field_accuracy"), ("second", "object_match"), ("third", "field_accuracy"),
    ]  # fmt: skip
    assert {(gate["gate"], gate["least"]) for gate in summary["gates"]} == {("pass_rate", 0.5), ("mean_score", 0.9)}
    before = json.loads((tmp_path / "r.jsonl").read_text(encoding="utf-8"))["fingerprint"]
    base = tmp_path / "shared/base.yaml"
    base.write_text(base.read_text(encoding="utf-8").replace("path: a", "path: a, weight: 2"), encoding="utf-8")
    evalctl("run", "s.yaml", "-o", "r.jsonl")
    assert json.loads((tmp_path / "r.jsonl").read_text(encoding="utf-8"))["fingerprint"][:8] != before[:8]


@pytest.mark.parametrize(
    ("base", "error"),
    [
        ("evaluators:\n- {type: field_accuracy, fields: [{path: a, match: exakt}]}\n", "shared/base.yaml:2:52: evaluators[0].fields[0].match: Invalid match type: 'exakt'; did you mean 'exact'?"),
        ("evaluator: []\n", "shared/base.yaml:1:1: unknown key 'evaluator'; did you mean 'evaluators'?"),
        ("[]\n", "shared/base.yaml:1:1: a suite must be a mapping"),
        ("gates: {pass_rate: 2}\n", "shared/base.yaml:1:20: gates.pass_rate: "),
        ("extends: ../s.yaml\n", "shared/base.yaml:1:10: extends: the files extend each other: s.yaml → shared/base.yaml → s.yaml"),
        ("extends: bse.yaml\n", "shared/base.yaml:1:10: extends: 'bse.yaml' does not exist; did you mean 'base.yaml'?"),
    ],
)  # fmt: skip
def test_an_error_in_an_extended_file_names_that_file_and_its_line(
    evalctl: Evalctl, write: Write, base: str, error: str
) -> None:
    write("shared/base.yaml", base)
    write("s.yaml", f"extends: shared/base.yaml\n{_SUITE.replace('type', 'name: own, type')}")
    done = evalctl("run", "s.yaml")
    assert (done.returncode, done.stderr.startswith(f"error: {error}")) == (2, True), done.stderr


def test_a_wrong_choice_is_named_without_words_of_a_library(evalctl: Evalctl) -> None:
    done = evalctl("report", "r.jsonl", "--format", "bref")
    assert (done.returncode, done.stderr.splitlines()[-1].partition(" is not one of ")[0]) == (
        2,
        "Error: Invalid value for '--format': 'bref'",
    )
