"""What the README says is so."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest
import yaml
from conftest import Evalctl
from test_families import _EVALUATORS, _MATCHES

from agentv_py.match import Match

_ROOT = Path(__file__).parents[1]
_README = (_ROOT / "README.md").read_text(encoding="utf-8")


def test_the_picture_is_what_the_first_command_prints(evalctl: Evalctl, tmp_path: Path) -> None:
    command = re.search(r"<!-- install and run -->\n```sh\n(.+)\n```", _README)
    assert command
    arguments = shlex.split(command[1].partition("evalctl ")[2])
    done = evalctl(arguments[0], str(_ROOT / arguments[1]))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip("\n") in _README


@pytest.mark.parametrize("match", _MATCHES, ids=lambda match: match.__name__)
def test_the_table_of_match_types_is_the_models(match: type[Match]) -> None:
    tag = match.model_fields["match"].default
    [row] = [line for line in _README.splitlines() if line.startswith(f"| `{tag}` |")]
    options = match.model_fields.keys() - Match.model_fields.keys() - {"match"}
    for name in options:
        default: Any = match.model_fields[name].default
        if match.model_fields[name].is_required():
            default = "required"
        default = getattr(default, "type", default)  # a backend by its name
        shown = "–" if default is None else str(default).lower() if isinstance(default, bool) else default
        assert f"`{name}` {shown}" in row


@pytest.mark.parametrize("evaluator", _EVALUATORS, ids=lambda evaluator: evaluator.__name__)
def test_every_option_of_an_evaluator_is_described(evaluator: Any) -> None:
    [tag] = get_args(evaluator.model_fields["type"].annotation)
    section = re.search(rf"^### {tag}$(.*?)^##", _README, re.MULTILINE | re.DOTALL)
    assert section
    for name in evaluator.model_fields.keys() - {"type", "name", "weight", "required"}:
        assert f"`{name}`" in section[1]


def test_every_suite_that_ships_runs_as_it_says(evalctl: Evalctl) -> None:
    for suite in sorted((_ROOT / "evals").glob("*.yaml")):
        done = evalctl("run", str(suite))
        assert done.returncode == 0, f"{suite}\n{done.stdout}\n{done.stderr}"
        assert "warning" not in done.stderr


def test_the_step_in_ci_meets_its_gate_with_the_suites_that_ship(evalctl: Evalctl) -> None:
    command = re.search(r"^evalctl run evals/\*\.yaml (.+)$", _README, re.MULTILINE)
    assert command
    done = evalctl("run", *map(str, sorted((_ROOT / "evals").glob("*.yaml"))), *shlex.split(command[1]))
    assert done.returncode == 0, done.stderr


def test_the_python_example_runs_as_written(capsys: pytest.CaptureFixture[str]) -> None:
    example = re.search(r"### From Python\n\n```python\n(.*?)```", _README, re.DOTALL)
    assert example
    exec(compile(example[1], "README.md", "exec"), {})
    assert capsys.readouterr().out == "1 1 1.0\n"


def test_the_judge_in_five_lines_judges(evalctl: Evalctl, tmp_path: Path) -> None:
    section = _README.partition("### A judge in five lines")[2].partition("\n### ")[0]
    [script] = re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    [suite] = re.findall(r"```yaml\n(.*?)```", section, re.DOTALL)
    (tmp_path / "limit.py").write_text(script, encoding="utf-8")
    cases = "cases: [{id: a, candidate: {total: 5}}, {id: b, candidate: {total: 5000}}]\n"
    (tmp_path / "s.yaml").write_text(suite + cases, encoding="utf-8")
    done = evalctl("run", "s.yaml")
    assert (done.returncode, "✓ 1 passed   ◐ 0 partial   ✗ 1 failed   ! 0 errors" in done.stdout) == (1, True), done


def test_the_table_of_repeats_is_what_run_prints(evalctl: Evalctl) -> None:
    table = evalctl("run", str(_ROOT / "evals" / "repeats.yaml")).stdout.partition("\n repeats  ")
    assert (table[1] + table[2].partition("\n\n")[0]).strip("\n") in _README


def test_the_table_of_attributes_is_what_report_prints(evalctl: Evalctl) -> None:
    evalctl("run", str(_ROOT / "evals" / "header_confusion.yaml"), "-o", "results.jsonl")
    table = evalctl("report", "results.jsonl").stdout.partition("\n header    TP")
    assert (table[1] + table[2]).strip("\n") in _README


def test_the_figures_of_the_detections_are_what_run_prints(evalctl: Evalctl) -> None:
    printed = evalctl("run", str(_ROOT / "evals" / "detection.yaml")).stdout
    [figures] = [part for part in printed.split("\n\n") if "average recall" in part]
    assert figures in _README


def _step(name: str) -> str:
    step = re.search(rf"```yaml\n(- name: {name}\n.*?)```", _README, re.DOTALL)
    assert step
    return str(yaml.safe_load(step[1])[0]["run"])


def test_the_steps_of_the_workflow_run_from_a_shell(tmp_path: Path) -> None:
    repository, summary = tmp_path / "repository", tmp_path / "summary.md"
    shutil.copytree(_ROOT / "evals", repository / "evals")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path, "GITHUB_BASE_REF": "main", "GITHUB_STEP_SUMMARY": str(summary)}
    identity = "-c user.name=a -c user.email=a@b.c"

    def shell(script: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-ec", script], cwd=repository, env=environment, capture_output=True, text=True, check=False
        )

    shell(
        f"git init -qb main . && git add . && git {identity} commit -qm base && git remote add origin . && git fetch -q"
    )
    ran = shell(_step("evals"))
    assert (ran.returncode, ran.stdout.count("::error file=evals/invoices.jsonl,line=")) == (0, 2), ran
    compared = shell(_step("diff"))
    assert (compared.returncode, "tied: no score changed in 12 cases" in compared.stdout) == (0, True), compared
    assert summary.read_text(encoding="utf-8").count("### invoices: ") == 3
