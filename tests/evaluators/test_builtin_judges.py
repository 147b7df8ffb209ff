"""Judges that ship: `script: builtin:NAME`, also from an installed package."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from agentv_py.case import Case
from agentv_py.evaluators.code_judge import CodeJudge
from agentv_py.evaluators.code_judge.builtin import list_builtin_judges

_ROOT = Path(__file__).parents[2]


def _build(script: Any, **options: Any) -> CodeJudge:
    return CodeJudge.model_validate({"type": "code_judge", "script": script} | options)


@pytest.mark.parametrize("script", ["builtin:fuzzy_match", ["python3", "builtin:fuzzy_match"]])
def test_a_judge_that_ships_runs_by_its_name_and_is_a_file_of_the_suite(script: Any) -> None:
    judge = _build(script, path="a")
    assert list(judge.problems()) == []
    assert list(judge.files()) == [_ROOT / "judges" / "fuzzy_match.py"]
    assert judge.evaluate(Case("c", expected={"a": "x"}, candidate={"a": "x"})).score == 1.0


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("line_item", "; did you mean 'line_items'?"),
        ("../x", "; valid: fuzzy_match, header_confusion, line_items, multi_field_fuzzy, same_text"),
    ],
)
def test_an_unknown_judge_is_a_problem_with_the_nearest_one(name: str, hint: str) -> None:
    what = f"'builtin:{name}' is not a judge that ships with evalctl{hint}"
    assert list(_build(f"builtin:{name}").problems()) == [("script", what)]


def test_the_wheel_holds_every_judge_that_ships() -> None:
    project = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert included == {
        f"judges/{path.name}": f"agentv_py/builtin_judges/{path.name}" for path in list_builtin_judges().values()
    }
