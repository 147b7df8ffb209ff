"""A composite: what is true of its members is true of it, and its members keep their names and details."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter

from agentv_py.case import ABSENT, Case
from agentv_py.errors import EvaluationError
from agentv_py.evaluators import AnyEvaluator
from agentv_py.evaluators.base import Evaluator
from agentv_py.evaluators.composite import Composite
from agentv_py.evaluators.grade import assign_names, combine, grade
from agentv_py.models.program_error import ProgramError
from agentv_py.models.replies import QuestionRecorder, using
from agentv_py.process.persistent import stop_persistent
from agentv_py.score import Score, Thresholds

Write = Callable[[str, Any], Path]


def _make(*members: dict[str, Any], **more: Any) -> Composite:
    return Composite.model_validate({"type": "composite", "members": list(members), **more})


def _match(field: str, **more: Any) -> dict[str, Any]:
    return {"type": "field_accuracy", "fields": [{"path": field}], **more}


_JUDGE = {"type": "code_judge", "script": "judge.py"}
_LLM = {"type": "llm_judge", "base_url": "http://127.0.0.1:9/v1", "model": "m", "rubric": "R", "prompt": "no answer"}
_NESTED = {"type": "json_quality", "strategies_file": "strategies.json"}


class _WithFallback(Composite):
    fallback: AnyEvaluator | None = None


def test_children_are_the_evaluators_of_its_options_alone_or_in_a_list() -> None:
    options = {"type": "composite", "members": [_match("a"), _JUDGE], "fallback": _match("b")}
    assert [(place, child.tag) for place, child in _WithFallback.model_validate(options).children()] == [
        (("members", 0), "field_accuracy"),
        (("members", 1), "code_judge"),
        (("fallback",), "field_accuracy"),
    ]
    assert list(TypeAdapter[Evaluator](AnyEvaluator).validate_python(_match("a")).children()) == []


def test_what_is_wrong_or_odd_with_a_child_is_said_at_its_place(tmp_path: Path) -> None:
    composite = _make(_match("a[x"), _JUDGE, _LLM).in_folder(tmp_path)
    assert [place for place, _ in composite.problems()] == [("members", 1, "script")]
    assert [place for place, _ in composite.warnings()] == [
        ("members", 0, "fields", 0, "path"),
        ("members", 2, "prompt"),
    ]


def test_files_and_models_of_children_are_its_own(write: Write, tmp_path: Path) -> None:
    script = write("judge.py", "print(1)")
    strategies = write("strategies.json", "{}")
    composite = _make(_JUDGE, _LLM, _NESTED).in_folder(tmp_path)
    assert list(composite.files()) == [script, strategies]
    assert list(composite.models()) == [composite.members[1]]
    assert assign_names([composite, *composite.members])[0].uses_model


def test_a_composite_in_a_composite_is_placed_with_it(tmp_path: Path) -> None:
    outer = _make({"type": "composite", "members": [_NESTED]})
    assert list(outer.in_folder(tmp_path).files()) == [tmp_path / "strategies.json"]
    assert list(outer.files()) == [Path("strategies.json")]


@pytest.mark.parametrize(("children", "outside"), [([_match("a")], False), ([_match("a"), _JUDGE], True)])
def test_it_is_the_work_of_other_programs_if_a_child_is(children: list[dict[str, Any]], outside: bool) -> None:
    assert _make(*children).runs_subprocess is outside


def test_its_members_keep_their_names_and_details() -> None:
    score = _make(_match("a", weight=3), _match("b", name="second")).evaluate(Case("c", {"a": 1, "b": 2}, {"a": 1}))
    assert score.details is not None
    members = [{key: value for key, value in one.items() if key != "duration_ms"} for one in score.details["members"]]
    first = {"tp": 1, "tn": 0, "fp": 0, "fn": 0}
    mismatch = {"path": "b", "outcome": "missing", "expected": 2, "similarity": 0.0, "note": "required, missing"}
    assert members == [
        {"name": "field_accuracy", "type": "field_accuracy", "weight": 3.0, "score": 1.0, "verdict": "pass",
         "hits": ["a"], "misses": [], "reasoning": "1/1 fields matched", "details": {"metrics": {"a": first}}},
        {"name": "second", "type": "field_accuracy", "weight": 1.0, "score": 0.0, "verdict": "fail", "hits": [],
         "misses": ["b (required, missing)"], "reasoning": "0/1 fields matched",
         "details": {"metrics": {"b": first | {"tp": 0, "fn": 1}}, "mismatches": [mismatch]}},
    ]  # fmt: skip


def test_it_asks_every_question_of_its_members_even_if_one_of_them_fails() -> None:
    composite = _make({"type": "cost", "max": 1}, _LLM | {"prompt": "{{ candidate }}"}, _LLM | {"rubric": "Other"})
    with using(QuestionRecorder()) as recorder, pytest.raises(EvaluationError, match="cost: the answer does not tell"):
        composite.evaluate(Case("c", 1, 1))
    assert len(recorder.questions) == 2


def test_data_of_its_members_is_removed_as_each_of_them_removes_it() -> None:
    inner = {"type": "composite", "name": "inner", "members": [{"type": "equals", "path": "a", "value": "secret"}]}
    [named] = assign_names([_make(inner, _match("a"))])
    result, _ = grade(named, Case("c", {"a": "private"}, {"a": "hidden"}))
    assert named.remove_data is not None
    text = json.dumps(named.remove_data(result))
    assert [word for word in ("secret", "private", "hidden") if word in text] == []
    assert json.loads(text)["details"]["members"][0]["details"]["members"][0]["misses"] == ["a"]


def test_it_waits_for_every_persistent_judge_of_its_members(write: Write, tmp_path: Path) -> None:
    write("judge.py", "import sys\nfor line in sys.stdin: print('{\"score\": 1}', flush=True)")
    judges = [_JUDGE | {"persistent": True, "name": name, "env": {"JUDGE": name}} for name in "ab"]
    try:
        score = _make(*judges).in_folder(tmp_path).evaluate(Case("c", 1, 1))
        assert (score.score, len(set(score.awaits))) == (1.0, 2)
    finally:
        stop_persistent()


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


def test_confidences_of_its_members_are_its_own_except_of_negated_ones() -> None:
    fields = {"type": "field_accuracy", "fields": [{"path": "a"}]}
    case = Case("c", {"a": 1}, {"a": 1}, facts={"confidence": {"a": 0.9}})
    plain, negated = _make(fields).evaluate(case), _make(fields | {"negate": True}).evaluate(case)
    assert (plain.observations, negated.observations) == ({"right": {"a": [0.9]}}, None)
