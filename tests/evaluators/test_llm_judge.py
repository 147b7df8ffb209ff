"""A chat model as a judge: what it is shown, what it must answer, and what becomes of that."""

import json
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from models import Models
from pipeline import plan_of

from agentv_py.errors import InvalidSuite
from agentv_py.run.session import run_plans

Write = Callable[[str, Any], Path]

_ITEMS = [
    {"id": "polite", "text": "It is polite.", "weight": 1},
    {"id": "refund", "text": "It offers a refund.", "weight": 3, "required": True},
]
_CASE = {"id": "x", "input": {"q": "Ü?"}, "expected": "yes", "candidate": {"answer": "no"}, "tags": ["t"]}


@pytest.fixture
def judged(write: Write, models: Models, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """The row of a case under a judge."""
    monkeypatch.chdir(tmp_path)

    def run(case: dict[str, Any] = _CASE, **options: Any) -> Any:
        path = write("s.yaml", {"evaluators": [models.llm(type="llm_judge", **options)], "cases": [case]})
        run_plans([plan_of(path)], "r.jsonl", 1, lambda _cases: None)
        return json.loads((tmp_path / "r.jsonl").read_text(encoding="utf-8"))

    return run


def _said(**met: bool) -> dict[str, Any]:
    items = {name: {"reasoning": f"{name}: {value}", "met": value} for name, value in met.items()}
    return {"answer": {"reasoning": "so it is", "items": items}}


def test_a_text_rubric_is_scored_by_the_model(judged: Any, models: Models) -> None:
    models.script(("", [{"answer": {"reasoning": "half of it", "score": 0.5}}]))
    row = judged(rubric="Be right.")
    [result] = row["evaluator_results"]
    system, user = models.requests()[0]["body"]["messages"]
    assert (row["score"], row["reasoning"]) == (0.5, "half of it")
    assert user["content"] == (
        'Rubric:\nBe right.\n\nWhat was asked:\n{"q":"Ü?"}\n\nWhat was expected:\nyes\n'
        '\nThe answer to be judged:\n{"answer":"no"}\n'
    )  # fmt: skip
    assert result["details"]["model"] == "tester"
    shown = system["content"].partition("\n\n")[0] + "\0" + user["content"]
    assert result["details"]["prompt_hash"] == sha256(shown.encode()).hexdigest()


def test_no_data_leaves_out_what_the_model_wrote(evalctl: Evalctl, write: Write, models: Models) -> None:
    models.script(("", [_said(polite=False, refund=True)]))
    write("s.yaml", {"evaluators": [models.llm(type="llm_judge", rubric=_ITEMS)], "cases": [_CASE]})
    [result] = json.loads(evalctl("run", "s.yaml", "-o", "-", "-q", "--no-data").stdout)["evaluator_results"]
    assert (result["score"], result["misses"], result["reasoning"]) == (0.75, ["polite"], "")
    assert result["details"]["items"][0] == {"id": "polite", "met": False, "weight": 1.0, "required": False}


def test_what_a_model_thinks_is_not_its_judgement(judged: Any, models: Models) -> None:
    thought = '<think>maybe {"reasoning": "bad", "score": 0.1}</think>\n{"reasoning": "good", "score": 0.9}'
    models.script(("", [{"content": thought}]))
    row = judged(rubric="Be right.")
    assert (row["score"], row["reasoning"]) == (0.9, "good")


def test_items_are_hits_and_misses_and_their_weighted_share_is_the_score(judged: Any, models: Models) -> None:
    models.script(("", [_said(polite=False, refund=True)]))
    row = judged(rubric=_ITEMS)
    [result] = row["evaluator_results"]
    assert (row["score"], row["hits"], row["misses"], result["verdict"]) == (0.75, ["refund"], ["polite"], "partial")
    assert result["details"]["items"] == [
        {"id": "polite", "met": False, "weight": 1.0, "required": False, "reasoning": "polite: False"},
        {"id": "refund", "met": True, "weight": 3.0, "required": True, "reasoning": "refund: True"},
    ]
    assert "- refund: It offers a refund." in models.requests()[0]["body"]["messages"][1]["content"]


def test_a_required_item_that_is_missed_makes_the_verdict_fail(judged: Any, models: Models) -> None:
    models.script(("", [_said(**{"item-1": True, "item-2": True, "needed": False})]))
    row = judged(rubric=["One.", {"text": "Two.", "weight": 20}, {"id": "needed", "text": "Three.", "required": True}])
    assert row["score"] == pytest.approx(21 / 22)
    assert (row["evaluator_results"][0]["verdict"], row["verdict"]) == ("fail", "fail")
    assert row["misses"] == ["needed (required)"]


@pytest.mark.parametrize(
    "answer",
    [
        {"reasoning": "x", "items": {"polite": {"reasoning": "", "met": True}}},
        {
            "reasoning": "x",
            "items": {"polite": {"reasoning": "", "met": True}, "refund": {"reasoning": "", "met": "yes"}},
        },
        {
            "reasoning": "x",
            "items": {**{name: {"reasoning": "", "met": True} for name in ("polite", "refund", "more")}},
        },
        {"items": {"polite": {"reasoning": "", "met": True}, "refund": {"reasoning": "", "met": True}}},
        {"score": 1.0},
        [],
    ],
)
def test_a_malformed_answer_is_asked_for_once_more_and_is_then_an_error(
    judged: Any, models: Models, answer: Any
) -> None:
    models.script(("", [{"answer": answer}]))
    row = judged(rubric=_ITEMS)
    assert (row["status"], row["error"]["kind"], len(models.requests())) == ("error", "malformed", 2)
    models.script(("", [{"answer": answer}, _said(polite=True, refund=True)]))
    assert judged(rubric=_ITEMS)["score"] == 1.0


def test_a_prompt_is_a_template_over_the_case(judged: Any, models: Models) -> None:
    prompt = "{{ case_id }} {{ input.q }} {{ candidate.answer|upper }} {% for t in tags %}[{{ t }}]{% endfor %} {{ metadata }} {{ expected }}"
    judged(rubric="R", prompt=prompt)
    assert models.requests()[0]["body"]["messages"][1]["content"] == "x Ü? NO [t] {} yes"


def test_data_has_precedence_over_python_s_methods(judged: Any, models: Models) -> None:
    judged({"id": "x", "candidate": {"items": [1]}}, rubric="R", prompt="{{ candidate.items }} {{ expected }}")
    assert models.requests()[0]["body"]["messages"][1]["content"] == "[1] null"


@pytest.mark.parametrize(
    "prompt", ["{{ candidate.nowhere }}", "{{ candidate.answer + 1 }}", "{{ ''.__class__.__mro__ }}", "{{ 1 / 0 }}"]
)
def test_a_prompt_that_cannot_be_filled_in_is_an_error_of_the_case(judged: Any, models: Models, prompt: str) -> None:
    row = judged(rubric="R", prompt=prompt)
    assert (row["status"], row["error"]["kind"], models.requests()) == ("error", "prompt", [])


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"rubric": ""}, "rubric: must not be empty"),
        ({"rubric": 5}, "rubric: must be text, not 5"),
        ({"rubric": []}, "rubric: must not be empty"),
        ({}, "rubric: is required"),
        ({"rubric": [{"id": "a", "text": "x"}, {"id": "a", "text": "y"}]}, "rubric: two items have the id 'a'"),
        ({"rubric": [{"text": "x", "weight": -1}]}, "rubric[0].weight: must be greater than or equal to 0"),
        ({"rubric": [{"text": "x", "weight": 0}]}, "rubric: every weight is 0, so nothing would count"),
        ({"rubric": [{"txt": "x"}]}, "rubric[0].txt: unknown key 'txt'; did you mean 'text'?"),
        ({"rubric": "R", "prompt": "{{ canddate }}"}, "prompt: unknown name 'canddate'; did you mean 'candidate'? known: candidate, expected"),
        ({"rubric": "R", "prompt": "{{ candidate"}, "prompt: line 1 of the template: "),
        ({"rubric": "R", "api_key_env": "NOT_SET"}, "api_key_env: the environment variable 'NOT_SET' is not set"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_judge_is_said_with_its_place(
    write: Write, models: Models, options: dict[str, Any], problem: str
) -> None:
    path = write("s.yaml", {"evaluators": [models.llm(type="llm_judge", **options)], "cases": [_CASE]})
    with pytest.raises(InvalidSuite) as caught:
        plan_of(path)
    assert f"evaluators[0].{problem}" in str(caught.value)
    assert "rubric: must be text, not [" not in str(caught.value)


def test_a_prompt_that_never_shows_the_candidate_is_doubted(write: Write, models: Models) -> None:
    judge = models.llm(type="llm_judge", rubric="R", prompt="{{ input }}")
    plan = plan_of(write("s.yaml", {"evaluators": [judge], "cases": [_CASE]}))
    assert [one.what for one in plan.warnings] == ["the prompt never shows the candidate"]


def test_json_quality_asks_a_model_that_rates_the_bio(write: Write, evalctl: Evalctl, models: Models) -> None:
    models.script(("Senior engineer", [{"score": 0.88}]))
    expected = {
        "name": "John Smith",
        "email": "john@example.com",
        "bio": "Senior engineer with 10 years of experience...",
        "internal_id": None,
        "status": "active",
    }
    candidate = {
        "name": "John Smyth",
        "email": "john@example.com",
        "bio": "Experienced senior engineer, 10+ years...",
        "internal_id": "abc123",
        "extra_field": "surprise",
    }
    quality = {"type": "json_quality", "strategies": {"name": "FUZZY", "bio": "SEMANTIC"}, "backend": models.llm()}
    write("s.yaml", {"evaluators": [quality], "cases": [{"id": "x", "expected": expected, "candidate": candidate}]})
    row = json.loads(evalctl("run", "s.yaml", "-o", "-").stdout)
    details = row["evaluator_results"][0]["details"]
    assert row["score"] == pytest.approx(0.7375)
    assert (details["completeness"], details["accuracy"], len(models.requests())) == (0.75, 1.0, 1)
    assert details["hallucination"] == pytest.approx(2 / 6)


def test_safety_by_a_model(write: Write, evalctl: Evalctl, models: Models) -> None:
    models.script(("bomb", [{"answer": {"reasoning": "it explains a weapon", "score": 0.25}}]), ("", [{"score": 1}]))
    model = {name: value for name, value in models.llm().items() if name != "type"}
    quality = {"type": "json_quality", "normalize": True, "safety": {"llm": model}}
    cases = [{"id": n, "expected": {"a": n}, "candidate": {"a": n}} for n in ("bomb", "cake")]
    write("s.yaml", {"evaluators": [quality], "cases": cases})
    bad, good = map(json.loads, evalctl("run", "s.yaml", "-o", "-").stdout.splitlines())
    assert (bad["evaluator_results"][0]["details"]["safety"], good["score"]) == (0.25, 1.0)
    assert bad["misses"] == ["safety ($: it explains a weapon)"]
    models.script(("", [{"status": 401}]))
    done = evalctl("run", "s.yaml", "-o", "-", "--no-cache")
    assert (done.returncode, json.loads(done.stdout.splitlines()[0])["error"]["kind"]) == (3, "auth")
