"""A name that does not exist → the name that the user may have meant."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl

Write = Callable[[str, Any], Path]

_SUITE = (
    "evaluators: [{type: field_accuracy, fields: [{path: a}]}]\ncases: [{id: x, expected: {a: 1}, candidate: {a: 1}}]\n"
)


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("run", "evals/invoice.yaml"), "evals/invoice.yaml: cannot be read: No such file or directory; did you mean 'evals/invoices.yaml'?"),
        (("run", "invoices.yaml"), "invoices.yaml: cannot be read: No such file or directory; did you mean 'evals/invoices.yaml'?"),
        (("validate", "evals/model/invoices.yaml"), "evals/model/invoices.yaml: cannot be read: No such file or directory; did you mean 'evals/invoices.yaml'?"),
        (("run", "data"), "data: is a folder without suites; name a suite file"),
        (("report", "data/result.jsonl"), "data/result.jsonl: cannot be read: No such file or directory; did you mean 'data/results.jsonl'?"),
        (("trend", "results.jsonl"), "results.jsonl: cannot be read: No such file or directory; did you mean 'data/results.jsonl'?"),
        (("diff", "data/results.jsonl", "data/RESULTS.json"), "data/RESULTS.json: cannot be read: No such file or directory; did you mean 'data/results.jsonl'?"),
    ],
)  # fmt: skip
def test_a_missing_file_may_mean_one_nearby(
    evalctl: Evalctl, write: Write, arguments: tuple[str, ...], error: str
) -> None:
    write("evals/invoices.yaml", _SUITE)
    write("data/results.jsonl", "")
    done = evalctl(*arguments)
    assert (done.returncode, done.stderr) == (2, f"error: {error}\n")


def test_a_folder_lists_the_suites_in_it(evalctl: Evalctl, write: Write) -> None:
    for number in range(7):
        write(f"evals/{number}.yaml", _SUITE)
    write("evals/rows.yaml", "[]")
    names = ", ".join(f"evals/{number}.yaml" for number in range(5))
    assert evalctl("explain", "evals").stderr == f"error: evals: is a folder; name suites in it: {names} and 2 more\n"


@pytest.mark.parametrize(
    ("evaluator", "more", "error"),
    [
        ("{type: field_accuracy, fields: [{path: $}]}", "dataset: case.jsonl", "s.yaml:2:10: dataset: 'case.jsonl' does not exist; did you mean 'cases.jsonl'?"),
        ("{type: field_accuracy, fields: [{path: $}]}", "dataset: cases.jsonl\npredictions: answer.jsonl", "s.yaml:3:14: predictions: 'answer.jsonl' does not exist; did you mean 'data/answer.jsonl'?"),
        ("{type: json_quality, strategies_file: data/strategy.json}", "dataset: cases.jsonl", "s.yaml:1:52: evaluators[0].strategies_file: 'data/strategy.json' cannot be read: No such file or directory; did you mean 'data/strategies.json'?"),
        ("{type: json_quality, safety: {blocklist_file: word.txt}}", "dataset: cases.jsonl", "s.yaml:1:60: evaluators[0].safety.blocklist_file: 'word.txt' cannot be read: No such file or directory; did you mean 'words.txt'?"),
        ("{type: code_judge, script: data/jugde.py}", "dataset: cases.jsonl", "s.yaml:1:41: evaluators[0].script: 'data/jugde.py' is neither in '.' nor in the working folder; did you mean 'data/judge.py'?"),
    ],
)  # fmt: skip
def test_a_missing_file_of_a_suite_may_mean_one_nearby(
    evalctl: Evalctl, write: Write, evaluator: str, more: str, error: str
) -> None:
    write("cases.jsonl", '{"id": "x", "expected": {"a": 1}}\n')
    for name in ("data/strategies.json", "data/answer.jsonl", "data/judge.py", "words.txt"):
        write(name, "{}")
    write("s.yaml", f"evaluators: [{evaluator}]\n{more}\n")
    done = evalctl("validate", "s.yaml")
    assert (done.returncode, done.stderr) == (2, f"error: {error}\n")


def test_a_cluster_that_no_case_has_may_mean_another_key(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", _SUITE.replace("id: x,", "id: x, metadata: {vendor: acme},"))
    evalctl("run", "s.yaml", "-o", "r.jsonl")
    done = evalctl("diff", "r.jsonl", "r.jsonl", "--cluster", "vendr")
    what = "--cluster: no case has the metadata key 'vendr'; did you mean 'vendor'?"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"error: r.jsonl: {what}\n")
    done = evalctl("diff", "r.jsonl", "r.jsonl", "--cluster", "zzz")
    assert done.stderr == "error: r.jsonl: --cluster: no case has the metadata key 'zzz'; the keys are vendor\n"
    assert evalctl("diff", "r.jsonl", "r.jsonl", "--cluster", "vendor").returncode == 0


def test_strict_makes_warnings_errors_and_quiet_hides_none_that_changes_a_figure(
    evalctl: Evalctl, write: Write
) -> None:
    rows = [{"id": "x", "candidate": {"a": 1}, "prize": 1}, {"id": "y", "candidate": {"a": 1}}]
    write("p.jsonl", "\n".join(map(json.dumps, rows)))
    write("s.yaml", _SUITE.replace("{path: a}", "{path: a}, {path: b, required: false}") + "predictions: p.jsonl\n")
    warnings = [
        "s.yaml:1:64: evaluators[0].fields[1].path: no case's expected value has 'b'",
        "p.jsonl: 1 of 2 predictions match no case; the first is for 'y'",
        "p.jsonl: keys beside id and candidate are not used: prize",
    ]
    for command in ("run", "validate"):
        strict = evalctl(command, "s.yaml", "--strict")
        assert (strict.returncode, strict.stdout) == (2, "")
        assert strict.stderr == "".join(f"error: {warning}\n" for warning in warnings)
        quiet = evalctl(command, "s.yaml", "-q")
        assert (quiet.returncode, quiet.stdout) == (0, "")
        assert quiet.stderr == "".join(f"warning: {warning}\n" for warning in warnings[:2])
    assert "".join(f"warning: {warning}\n" for warning in warnings) in evalctl("run", "s.yaml").stderr


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (("diff", "a.jsonl", "b.jsonl", "--fail-on", "broken", "significant"),
         "repeat the option for each value: --fail-on broken --fail-on significant"),
        (("report", "a.jsonl", "--where=metadata.vendor=x"),
         "`--where` selects cases of `evalctl run`, and `--slice KEY` and `--by KEY` break results down"),
        (("trend", "a.jsonl", "--tag", "x"), "`--tag` selects cases of `evalctl run`, and `--slice KEY` breaks a trend down"),
        (("baseline", "a.jsonl"), "write: evalctl baseline set a.jsonl"),
    ],
)  # fmt: skip
def test_a_wrong_command_line_says_what_to_write(evalctl: Evalctl, arguments: tuple[str, ...], hint: str) -> None:
    done = evalctl(*arguments)
    assert (done.returncode, hint in done.stderr) == (2, True), done.stderr
    other = evalctl("diff", "a.jsonl", "b.jsonl", "c.jsonl")
    assert (other.returncode, "repeat the option" in other.stderr) == (2, False)
