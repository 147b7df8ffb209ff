"""Suites of AgentV, run unchanged: the published figures of its example, its datasets, its targets, and errors."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from models import Models
from pipeline import plan_of, rows_of

from agentv_py.errors import InvalidSuite
from agentv_py.run.session import run_plans
from agentv_py.suite.answers import AnswerChoice
from agentv_py.suite.load import load
from agentv_py.suite.read_suite import TargetChoice, read_suite
from agentv_py.suite.selection import Selection

Write = Callable[[str, Any], Path]
_ROOT = Path(__file__).parents[2]
_JUDGE = "import json, sys\nq = json.load(sys.stdin)\nprint(json.dumps({'score': 1, 'details': q}))"


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _copy_example(tmp_path: Path) -> Path:
    shutil.copytree(_ROOT / "judges", tmp_path / "judges")
    shutil.copytree(_ROOT / "evals" / "agentv", tmp_path / "evals" / "agentv")
    return tmp_path / "evals" / "agentv"


def test_the_example_of_fields_has_the_published_scores(tmp_path: Path) -> None:
    rows = rows_of(_copy_example(tmp_path) / "field_accuracy.yaml")
    assert {row["case_id"]: pytest.approx(row["score"]) for row in rows} == {
        "perfect": 1.0,
        "dash-in-a-name": 1.0,
        "rounded-totals": 12 / 13,
        "missing-number": 11 / 13,
        "line-items": 1.0,
        "other-order": 1.0,
    }
    assert rows[3]["misses"] == ["invoice_number (required, missing)"]
    assert [result["name"] for result in rows[1]["evaluator_results"]] == ["party_names", "other_fields"]


def test_the_example_of_confusion_has_the_published_table(tmp_path: Path, evalctl: Evalctl) -> None:
    suite = _copy_example(tmp_path) / "confusion_metrics.eval.yaml"
    done = evalctl("run", str(suite), "-o", "r.jsonl", "--format", "json", "--exit-zero")
    scores = [json.loads(line)["score"] for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert scores == pytest.approx([1.0, 5 / 6, 4 / 6, 4 / 6, 0.5])
    metrics = json.loads(done.stdout)["metrics"]["header_confusion"]
    counts = {name: tuple(row[key] for key in ("tp", "tn", "fp", "fn")) for name, row in metrics["attributes"].items()}
    assert counts == {
        "currency": (4, 0, 1, 1),
        "gross_total": (3, 0, 1, 2),
        "importer.name": (5, 0, 0, 0),
        "invoice_date": (5, 0, 0, 0),
        "invoice_number": (4, 0, 0, 1),
        "supplier.name": (1, 0, 4, 4),
    }
    micro = {key: round(metrics["micro"][key], 3) for key in ("precision", "recall", "f1")}
    assert micro == {"precision": 0.786, "recall": 0.733, "f1": 0.759}


def test_the_example_of_an_agent_shows_the_facts_of_agentv_s_graders(tmp_path: Path) -> None:
    rows = rows_of(_copy_example(tmp_path) / "agent_checks.eval.yaml")
    assert {row["case_id"]: (row["score"], row["verdict"]) for row in rows} == {
        "texts": (1.0, "pass"),
        "tools": (1.0, "pass"),
        "too-few-searches": (0.5, "fail"),
        "half-is-enough": (0.5, "pass"),
    }
    names = [result["name"] for result in rows[0]["evaluator_results"]]
    assert names[2:5] == ["icontains-any", "regex", "contains-all"]
    assert (rows[0]["cost"], rows[0]["tokens"]["total"], rows[0]["latency_ms"]) == (0.002, 150, 800)


def test_a_model_judges_by_the_criteria_of_each_case(write: Write, models: Models, tmp_path: Path) -> None:
    Path(".agentv").mkdir()
    judge = {"name": "j", "provider": "openai", "base_url": models.url, "model": "tester"}
    target = {"name": "m", "provider": "mock", "response": "Hello.", "judge_target": "j"}
    write(".agentv/targets.yaml", {"targets": [target, judge]})
    items = {"item-1": {"reasoning": "", "met": True}}
    models.script(
        ("greets", [{"answer": {"reasoning": "it does", "score": 0.75}}]),
        ("", [{"answer": {"reasoning": "so", "items": items}}]),
    )
    messages = [{"role": "system", "content": "Be kind."}, {"role": "user", "content": "Hi"}]
    cases = [
        {"id": "one", "criteria": "greets", "input": messages, "expected_output": "Hello!"},
        {"id": "two", "input": "Hi", "assertions": ["is short"]},
    ]
    suite = write("s.yaml", {"target": "m", "tests": cases})
    run_plans([plan_of(suite)], "r.jsonl", 1, lambda _cases: None)
    rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert [(row["case_id"], row["score"]) for row in rows] == [("one", 0.75), ("two", 1.0)]
    shown = sorted(
        request["body"]["messages"][1]["content"] for request in models.requests()
    )  # they are asked at the same time
    assert "Criteria:\ngreets\n\nWhat was asked:\nBe kind.\n\nHi\n\nA reference answer:\nHello!\n" in shown[0]
    assert "- item-1: is short" in shown[1]


def test_a_dataset_runs_with_its_sidecar_and_the_judge_gets_the_names_of_agentv(write: Write) -> None:
    write("judge.py", _JUDGE)
    Path(".agentv").mkdir()
    write(".agentv/targets.yaml", "targets: [{name: m, provider: mock, response: '42'}]")
    write(
        "d.yaml", "execution: {target: m, evaluators: [{name: j, type: code_judge, script: [python3, judge.py], k: 1}]}"
    )
    case = {"id": "one", "expected_outcome": "is 42", "input_messages": [{"role": "user", "content": "6 * 7?"}]}
    write("d.jsonl", json.dumps(case | {"expected_messages": [{"role": "assistant", "content": "42"}]}))
    [row] = rows_of(Path("d.jsonl"))
    payload = row["evaluator_results"][0]["details"]
    names = (
        "candidate_answer",
        "reference_answer",
        "question",
        "expected_outcome",
        "input_messages",
        "output",
        "config",
    )
    assert (row["suite"], row["candidate"], row["target"]) == ("d", "42", "m")
    assert {name: payload[name] for name in names} == {
        "candidate_answer": "42",
        "reference_answer": "42",
        "question": "6 * 7?",
        "expected_outcome": "is 42",
        "input_messages": case["input_messages"],
        "output": "42",
        "config": {"k": 1},
    }


def _write_two_targets(write: Write) -> Path:
    Path(".agentv").mkdir()
    targets = [{"name": name, "provider": "mock", "response": json.dumps({"a": name})} for name in ("x", "y")]
    write(".agentv/targets.yaml", {"targets": targets})
    fields = [{"name": "f", "type": "field-accuracy", "fields": [{"path": "a"}]}]
    return write(
        "s.yaml",
        {"target": "x", "assertions": fields, "tests": [{"id": "one", "input": "u", "expected_output": {"a": "x"}}]},
    )


def test_only_the_named_target_is_asked_and_a_flag_names_another(write: Write, evalctl: Evalctl) -> None:
    suite = _write_two_targets(write)
    assert [(row["target"], row["score"]) for row in rows_of(suite)] == [("x", 1.0)]
    done = evalctl("run", "s.yaml", "--target", "y", "-o", "-", "-q")
    assert json.loads(done.stdout)["candidate"] == {"a": "y"}


def test_recorded_answers_need_no_target(write: Write) -> None:
    judge = "assertions: [{type: script, command: 'true'}]"
    write("s.yaml", f"target: gone\n{judge}\ntests: [{{id: one, input: u, expected_output: x}}]")
    write("p.jsonl", '{"id": "one", "candidate": "x"}')
    plan = load("s.yaml", Selection(), AnswerChoice(predictions=["p.jsonl"]))
    assert [target.name for target in plan.targets] == ["p"]


def test_an_error_of_our_own_checks_is_at_the_line_of_the_file_that_it_comes_from(write: Write) -> None:
    Path(".agentv").mkdir()
    write(
        ".agentv/targets.yaml",
        "targets:\n  - name: m\n    provider: cli\n    command: none-such\n    timeout_seconds: 0\n",
    )
    write(
        "cases.yaml",
        "- id: one\n  input: u\n  assertions:\n    - type: field-accuracy\n      fields: [{path: a, match: exct}]\n",
    )
    write("s.yaml", "target: m\ntests: cases.yaml\n")
    with pytest.raises(InvalidSuite) as caught:
        plan_of(Path("s.yaml"))
    places = [(problem.file, problem.line) for problem in caught.value.problems]
    assert places == [(".agentv/targets.yaml", 5), ("cases.yaml", 5)]


def test_a_case_of_another_file_is_a_problem_at_its_own_line(write: Write) -> None:
    write("d.jsonl", '{"id": "one", "criteria": "c", "input": "u"}\n\n{"id": "one", "criteria": "c", "input": "u"}\n')
    write("d.yaml", "assertions: [{type: script, command: 'true'}]")
    with pytest.raises(InvalidSuite) as caught:
        plan_of(Path("d.jsonl"))
    assert str(caught.value.problems[0]).startswith("d.jsonl:3:1: duplicate id 'one'")


def test_a_dataset_of_our_own_is_no_suite(write: Write) -> None:
    write("d.jsonl", '{"id": "a", "expected": 1}')
    with pytest.raises(InvalidSuite, match=r"^d.jsonl: this is a dataset; .*: evalctl init --from d.jsonl$"):
        plan_of(Path("d.jsonl"))


def test_results_are_no_suite(write: Write) -> None:
    write("r.jsonl", '{"suite": "s", "case_id": "a", "status": "ok", "score": 1, "evaluator_results": []}\n')
    with pytest.raises(InvalidSuite, match=r"^r.jsonl: these are results: evalctl report r.jsonl$"):
        plan_of(Path("r.jsonl"))


@pytest.mark.parametrize(
    "text", ["", "tests: 3", "tests: [3]", "tests: [[]]", "evalcases: {}", "execution: []\ntests: []"]
)
def test_a_suite_of_wrong_types_is_refused_and_never_a_crash(text: str, write: Write) -> None:
    with pytest.raises(InvalidSuite):
        plan_of(write("s.yaml", text))


def test_variables_of_the_environment_are_read_in_the_suite_and_in_files_of_cases(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ONE_NAME", "Ada {{x}}")
    monkeypatch.setenv("EMPTY", "")
    write(
        "more.jsonl",
        '{"id": "b", "input": "${{ONE_NAME}}${{ EMPTY }}!", "expected_output": {"v": ["${{ ONE_NAME }}"]}}',
    )
    target = "target: {name: m, provider: mock, response: '${{ NO_NAME }}'}\n"
    case = (
        "{id: a, input: 'Hi ${{ ONE_NAME }}, ${{ a.b }}', expected_output: x, assertions: [{type: equals, value: x}]}"
    )
    checks = "assertions: [{type: contains, value: '${{ ONE_NAME }}'}]\n"
    write("s.yaml", f"{target}{checks}tests: [{case}, more.jsonl]\n")
    suite = read_suite("s.yaml", TargetChoice(is_needed=False))[0].value
    assert suite["evaluators"] == [{"type": "contains", "value": "Ada {{x}}"}]
    assert [case["input"][0]["content"] for case in suite["cases"]] == ["Hi Ada {{x}}, ${{ a.b }}", "Ada {{x}}!"]
    assert suite["cases"][1]["expected"] == {"v": ["Ada {{x}}"]}


def test_a_variable_that_is_not_set_is_a_problem_at_its_line(write: Write) -> None:
    write("more.yaml", "- id: b\n  input: ${{ NO_SUCH_B }}\n  expected_output: x\n")
    write("s.yaml", "assertions:\n  - {type: equals, value: 'a ${{ NO_SUCH_A }}'}\ntests: more.yaml\n")
    with pytest.raises(InvalidSuite) as caught:
        read_suite("s.yaml", TargetChoice(is_needed=False))
    assert list(map(str, caught.value.problems)) == [
        "more.yaml:2:10: the environment variable 'NO_SUCH_B' is not set; set it, or write the text itself",
        "s.yaml:2:27: the environment variable 'NO_SUCH_A' is not set; set it, or write the text itself",
    ]
