"""validate, schema, init, and the command itself."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import jsonschema
import pytest
from conftest import Evalctl

from agentv_py import __version__
from agentv_py.cli import COMMANDS
from agentv_py.comparison.matchers import MatchName
from agentv_py.suite.schema import build_json_schema
from agentv_py.suite.yaml_document import read_yaml
from agentv_py.targets import TargetName

Write = Callable[[str, Any], Path]


def test_the_version_is_shown(evalctl: Evalctl) -> None:
    assert evalctl("--version").stdout == f"evalctl {__version__}\n"


def test_help_says_of_every_command_what_it_does_in_a_whole_sentence(evalctl: Evalctl) -> None:
    commands = evalctl("--help").stdout.split("Commands:\n")[1].split("\n\n")[0].splitlines()
    assert sorted(line.split()[0] for line in commands) == sorted(COMMANDS)
    assert all(line.endswith(".") and not line.endswith("...") for line in commands), commands
    assert evalctl("run", "--help").stdout.count("SUITE...") == 0


@pytest.mark.parametrize("arguments", [(), ("nonsense",), ("run",), ("validate",)])
def test_bad_usage_is_exit_2_with_a_word(evalctl: Evalctl, arguments: tuple[str, ...]) -> None:
    done = evalctl(*arguments)
    assert done.returncode == 2
    assert done.stderr + done.stdout


def test_a_new_suite_runs_and_shows_one_failure(evalctl: Evalctl, tmp_path: Path) -> None:
    assert evalctl("init", "demo").returncode == 0
    assert evalctl("validate", "demo/suite.yaml").stdout == "demo/suite.yaml: valid, 3 cases\n"
    done = evalctl("run", "demo/suite.yaml")
    assert done.returncode == 1
    assert "items[0].quantity  expected 3  got 8" in done.stdout
    again = evalctl("init", "demo")
    assert (again.returncode, again.stderr) == (
        2,
        "error: demo/suite.yaml: exists already; name another folder\n",
    )


def test_validate_shows_errors_and_warnings(evalctl: Evalctl, write: Write) -> None:
    write("good.yaml", "cases: []\nevaluators: [{type: field_accuracy, fields: [{path: a..b}]}]\n")
    write("bad.yaml", "cases: 5\n")
    done = evalctl("validate", "good.yaml")
    assert (done.returncode, done.stdout) == (0, "good.yaml: valid, 0 cases\n")
    assert done.stderr == "warning: good.yaml:2:53: malformed path 'a..b' reaches nothing\n"
    done = evalctl("validate", "good.yaml", "bad.yaml", "none.yaml")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        "error: bad.yaml:1:8: cases: must be a list, not 5",
        "error: none.yaml: cannot be read: No such file or directory",
    ]


def test_the_schema_is_a_schema_and_knows_good_from_bad(evalctl: Evalctl) -> None:
    schema = json.loads(evalctl("schema").stdout)
    assert schema == build_json_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    evaluators = [
        {"type": "field_accuracy", "fields": [{"path": "a"}, {"path": "b", "match": "fuzzy", "threshold": 1}]}
    ]
    assert validator.is_valid(
        {"evaluators": evaluators, "dataset": "x.jsonl", "verdicts": {"pass": 0.9}, "cases": [{"id": 1}]}
    )
    for bad in (
        {"evaluators": [{"type": "nonsense"}]},
        {"evaluators": [{"type": "field_accuracy", "fields": [{"path": "a", "match": "nonsense"}]}]},
        {"evaluators": [{"type": "field_accuracy", "fields": [{"path": "a", "treshold": 1}]}]},
        {"evaluators": [{"type": "field_accuracy", "fields": [{"match": "exact"}]}]},
        {"evaluators": [{"type": "field_accuracy", "fields": []}]},
        {"nonsense": 1},
        {"cases": [{"id": 1, "expcted": 2}]},
    ):  # fmt: skip
        assert not validator.is_valid(bad), bad


def test_the_schema_offers_no_empty_default_which_a_suite_may_not_say() -> None:
    # An editor would fill in `blocklist: []`, and that is refused.
    text = json.dumps(build_json_schema())
    assert '"default": []' not in text
    assert '"default": {}' not in text


@pytest.mark.parametrize("suite", sorted(Path(__file__).parents[2].glob("evals/*.yaml")), ids=lambda path: path.stem)
def test_the_shipped_suites_fit_the_schema(suite: Path) -> None:
    value = read_yaml(suite, suite.name).value
    if isinstance(value, dict):
        jsonschema.Draft202012Validator(build_json_schema()).validate(value)


def test_the_guide_is_the_skill_that_ships_and_names_every_evaluator_and_match_type(evalctl: Evalctl) -> None:
    page = (Path(__file__).parents[2] / "agentv_py" / "SKILL.md").read_text(encoding="utf-8")
    assert evalctl("guide").stdout == page
    names = {*get_args(MatchName), *get_args(TargetName)} | {
        "object_match",
        "field_accuracy",
        "llm_judge",
        "code_judge",
    }
    assert [name for name in sorted(names) if f"`{name}`" not in page and f"type: {name}" not in page] == []
