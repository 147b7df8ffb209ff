"""Only a run executes what a suite names; ids and names lead to no other folder."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl

from agentv_py.results.write import name_file

Write = Callable[[str, Any], Path]

_MARK = "import pathlib; pathlib.Path(r'{folder}/executed').touch()\n"
_SUITE = """\
name: ../../escaped
targets:
  - {name: ours, type: python, function: "marking_module:run"}
  - {name: ../../script, type: command, command: [python3, mark.py]}
  - {name: ../../other, type: recorded, predictions: answers.jsonl}
evaluators:
  - {type: code_judge, script: [python3, mark.py]}
  - {type: rules, when: "candidate.a == 1", rules: [{that: candidate.a == 1}]}
  - {type: composite, members: [{type: code_judge, name: inner, script: mark.py}]}
cases:
  - {id: ../../../id, input: 1, expected: {a: 1}, candidate: {a: 1}}
"""


@pytest.fixture
def suite(write: Write, tmp_path: Path) -> Path:
    write("marking_module.py", _MARK.format(folder=tmp_path) + "def run(given): return {'a': 1}\n")
    write("mark.py", _MARK.format(folder=tmp_path) + "print('{\"score\": 1}')\n")
    write("answers.jsonl", '{"id": "../../../id", "candidate": {"a": 1}}\n')
    return write("s.yaml", _SUITE)


_ROW = {
    "suite": "../../escaped", "case_id": "../../../id", "status": "ok", "score": 1.0, "verdict": "pass",
    "evaluator_results": [{"name": "n", "type": "code_judge", "score": 1.0, "verdict": "pass", "misses": []}],
}  # fmt: skip


@pytest.mark.parametrize(
    "arguments",
    [
        ("validate", "s.yaml"), ("validate", "--strict", "s.yaml"), ("explain", "s.yaml"),
        ("explain", "r.jsonl", "../../../id"), ("report", "r.jsonl"), ("diff", "r.jsonl", "r.jsonl"), ("trend", "r.jsonl"),
        ("schema",), ("merge", "r.jsonl", "-o", "m.jsonl", "--force"),
    ],
    ids=" ".join,
)  # fmt: skip
@pytest.mark.usefixtures("suite")
def test_a_command_that_runs_no_case_executes_nothing(
    evalctl: Evalctl, write: Write, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    write("r.jsonl", json.dumps(_ROW) + "\n")
    assert evalctl(*arguments).returncode == 0
    assert not (tmp_path / "executed").exists()


def test_a_function_is_looked_for_in_files_before_a_run(evalctl: Evalctl, write: Write, suite: Path) -> None:
    write("broken_module.py", "def run(:")
    write("pack/__init__.py", "raise SystemExit('executed')")
    write("pack/part.py", "def start(given): return given\n")
    reasons = {
        "marking_module:rum": "cannot be imported: marking_module has no 'rum'; did you mean 'run'?",
        "nowhere_module:run": "cannot be imported: ModuleNotFoundError: No module named 'nowhere_module'",
        "broken_module:run": "cannot be imported: SyntaxError: ",
        "pack.part:stop": "cannot be imported: pack.part has no 'stop'",
        "pack.part:start": "",
    }
    for function, reason in reasons.items():
        suite.write_text(_SUITE.replace("marking_module:run", function), encoding="utf-8")
        done = evalctl("validate", "s.yaml")
        assert (done.returncode, reason in done.stderr) == (2 if reason else 0, True)


def test_a_module_that_fails_is_an_error_before_anything_is_asked(evalctl: Evalctl, write: Write, suite: Path) -> None:
    write("failing_module.py", "def run(given): return given\nraise KeyError('no key')\n")
    suite.write_text(_SUITE.replace("marking_module:run", "failing_module:run"), encoding="utf-8")
    done = evalctl("run", "s.yaml", "--target", "ours", "-o", "r.jsonl")
    assert done.returncode == 2
    assert "s.yaml: target ours.function: 'failing_module:run' cannot be imported: KeyError: 'no key'" in done.stderr
    assert not Path("r.jsonl").exists()


@pytest.mark.usefixtures("suite")
def test_names_and_ids_lead_to_no_other_folder(evalctl: Evalctl, tmp_path: Path) -> None:
    before = {path for path in tmp_path.parent.iterdir() if path != tmp_path}
    targets = ("--target", "../../other", "--target", "../../script")
    done = evalctl("run", "s.yaml", *targets, "--record", "{target}.jsonl", "--exit-zero", "-q")
    results = sorted((tmp_path / ".evalctl" / "results").iterdir())
    assert (done.returncode, len(results)) == (0, 1), done.stderr
    assert evalctl("baseline", "set", str(results[0]), "--force").returncode == 0
    assert {path for path in tmp_path.parent.iterdir() if path != tmp_path} == before
    written = {path.parent for name in ("*escaped*", "script.jsonl") for path in tmp_path.rglob(name)}
    assert written == {tmp_path, tmp_path / ".evalctl" / "results", tmp_path / "evals" / "baselines"}


@pytest.mark.parametrize(
    "name",
    [
        "..",
        ".",
        "/etc/passwd",
        "a/../../b",
        "a\\b",
        "nul\0",
        "~root",
        "-rf",
        " ",
        "n" * 5000,
        "é" * 200,
        "\u202e\x1b[31m",
    ],
)
def test_a_file_of_any_suite_stays_in_its_folder(name: str) -> None:
    stem = name_file(name)
    assert Path("folder", f"{stem}.jsonl").parts == ("folder", f"{stem}.jsonl")
    assert 0 < len(stem.encode()) < 250
    assert stem.isprintable()
    assert stem[0] not in ".-~"
