"""An evaluator with children needs only `evaluate`: the base class asks its children everything else."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import Field, TypeAdapter

from agentv_py.case import ABSENT, Case
from agentv_py.evaluators import AnyEvaluator
from agentv_py.evaluators.base import Evaluator
from agentv_py.evaluators.grade import Thresholds, assign_names, combine, find_error, grade, misses_required
from agentv_py.models.program_error import ProgramError
from agentv_py.score import Score

Write = Callable[[str, Any], Path]


class Composite(Evaluator):
    type: Literal["composite"]
    evaluators: list[AnyEvaluator] = Field(min_length=1)
    fallback: AnyEvaluator | None = None

    def evaluate(self, case: Case) -> Score:
        named = assign_names(self.evaluators)
        results = [grade(evaluator, case)[0] for evaluator in named]
        if (error := find_error(results)) is not None:
            raise ProgramError(error["kind"], error["message"])
        whole = combine(results)
        details = {"parts": {result["name"]: result["score"] for result in results}}
        verdict: Literal["fail"] | None = "fail" if misses_required(named, results) else None
        return Score(
            whole["score"], tuple(whole["hits"]), tuple(whole["misses"]), whole["reasoning"], details, verdict=verdict
        )


def _make(*evaluators: dict[str, Any], **more: Any) -> Composite:
    return Composite.model_validate({"type": "composite", "evaluators": list(evaluators), **more})


def _match(field: str, **more: Any) -> dict[str, Any]:
    return {"type": "field_accuracy", "fields": [{"path": field}], **more}


_JUDGE = {"type": "code_judge", "script": "judge.py"}
_LLM = {"type": "llm_judge", "base_url": "http://127.0.0.1:9/v1", "model": "m", "rubric": "R", "prompt": "no answer"}
_NESTED = {"type": "json_quality", "strategies_file": "strategies.json"}


def test_children_are_the_evaluators_of_its_options_alone_or_in_a_list() -> None:
    composite = _make(_match("a"), _JUDGE, fallback=_match("b"))
    assert [(place, child.tag) for place, child in composite.children()] == [
        (("evaluators", 0), "field_accuracy"),
        (("evaluators", 1), "code_judge"),
        (("fallback",), "field_accuracy"),
    ]
    assert list(TypeAdapter[Evaluator](AnyEvaluator).validate_python(_match("a")).children()) == []


def test_what_is_wrong_or_odd_with_a_child_is_said_at_its_place(tmp_path: Path) -> None:
    composite = _make(_match("a[x"), _JUDGE, _LLM).in_folder(tmp_path)
    assert [place for place, _ in composite.problems()] == [("evaluators", 1, "script")]
    assert [place for place, _ in composite.warnings()] == [
        ("evaluators", 0, "fields", 0, "path"),
        ("evaluators", 2, "prompt"),
    ]


def test_files_and_models_of_children_are_its_own(write: Write, tmp_path: Path) -> None:
    script = write("judge.py", "print(1)")
    strategies = write("strategies.json", "{}")
    composite = _make(_JUDGE, _LLM, fallback=_NESTED).in_folder(tmp_path)
    assert list(composite.files()) == [script, strategies]
    assert list(composite.models()) == [composite.evaluators[1]]
    assert assign_names([composite, *composite.evaluators])[0].uses_model


def test_a_composite_in_a_composite_is_placed_with_it(tmp_path: Path) -> None:
    inner = _make(_NESTED)
    outer = Composite.model_construct(type="composite", evaluators=[inner])
    assert list(outer.in_folder(tmp_path).files()) == [tmp_path / "strategies.json"]
    assert list(outer.files()) == [Path("strategies.json")]


@pytest.mark.parametrize(("children", "outside"), [([_match("a")], False), ([_match("a"), _JUDGE], True)])
def test_it_is_the_work_of_other_programs_if_a_child_is(children: list[dict[str, Any]], outside: bool) -> None:
    assert _make(*children).runs_subprocess is outside


def test_it_scores_its_children_together() -> None:
    composite = _make(_match("a", weight=3), _match("b", name="second"))
    case = Case("c", {"a": 1, "b": 2}, {"a": 1, "b": 3})
    assert composite.evaluate(case) == Score(
        0.75,
        ("a",),
        ("b",),
        "field_accuracy: 1/1 fields matched; second: 0/1 fields matched",
        {"parts": {"field_accuracy": 1.0, "second": 0.0}},
    )
    assert _make(_match("a"), _match("b", required=True)).evaluate(case).verdict == "fail"


def _fail(_case: Case) -> Score:
    raise ProgramError("exit", "the judge is gone")


def test_grading_turns_a_failure_into_a_result() -> None:
    [named] = assign_names([_make(_match("a"))])
    result, score = grade(named._replace(evaluate=_fail), Case("c", 1, 1))
    result["duration_ms"] = 0.0
    assert result == {
        "name": "composite",
        "type": "composite",
        "weight": 1.0,
        "score": 0.0,
        "verdict": "fail",
        "hits": [],
        "misses": ["(exit: the judge is gone)"],
        "reasoning": "the evaluator failed",
        "error": {"kind": "exit", "message": "the judge is gone"},
        "duration_ms": 0.0,
    }
    assert score.verdict == "fail"


def test_a_case_without_an_answer_is_an_error_before_any_evaluator_sees_it() -> None:
    [named] = assign_names([_make(_match("a"))])
    result, _ = grade(named._replace(evaluate=_fail), Case("c", 1, ABSENT))
    assert (result["error"]["kind"], result["misses"]) == ("no_candidate", ["candidate (missing)"])


def test_a_single_result_keeps_its_own_verdict_and_several_get_that_of_their_mean() -> None:
    case = Case("c", {"a": 1}, {"a": 1})
    [first, second] = (grade(named, case)[0] for named in assign_names([_make(_match("a")), _make(_match("b"))]))
    first["verdict"] = "fail"
    assert combine([first])["verdict"] == "fail"
    second["score"] = 0.5
    assert (combine([first, second])["score"], combine([first, second])["verdict"]) == (0.75, "partial")
    assert combine([first, second], Thresholds(0.7, 0.5))["verdict"] == "pass"
