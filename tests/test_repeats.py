"""Cases with several answers."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from pipeline import plan_of, rows_of

from agentv_py.case import Case
from agentv_py.errors import InvalidSuite
from agentv_py.evaluators.grade import NamedEvaluator
from agentv_py.run.repeats import score_repeats
from agentv_py.score import Score
from agentv_py.suite.evaluators import NamedEvaluators

Write = Callable[[str, Any], Path]

_FIELDS = "{type: field_accuracy, fields: [{path: a}, {path: b}]}"
_RIGHT, _HALF, _WRONG = "{a: 1, b: 2}", "{a: 1, b: 3}", "{a: 7, b: 8}"


@pytest.fixture
def row_of(write: Write) -> Callable[..., dict[str, Any]]:
    """The row of one case with these answers."""

    def row(candidates: str, *evaluators: str, verdicts: str = "{}") -> dict[str, Any]:
        listed = "".join(f"  - {one}\n" for one in evaluators or (_FIELDS,))
        case = f"cases: [{{id: c, expected: {_RIGHT}, candidates: [{candidates}]}}]\n"
        [found] = rows_of(write("s.yaml", f"verdicts: {verdicts}\nevaluators:\n{listed}{case}"))
        return found

    return row


def _without_times(row: dict[str, Any]) -> dict[str, Any]:
    if "evaluator_results" in row:
        row = row | {"evaluator_results": [_without_times(one) for one in row["evaluator_results"]]}
    return {key: value for key, value in row.items() if key not in ("timestamp", "duration_ms")}


def test_the_row_holds_the_mean_each_score_and_the_story_of_the_worst(row_of: Callable[..., dict[str, Any]]) -> None:
    told: dict[str, Any] = {
        "score": 0.75,
        "verdict": "partial",
        "hits": ["a"],
        "misses": ["b"],
        "repeats": [1.0, 0.5, 1.0, 0.5],
        "consistency": pytest.approx((4 * 1.0 + 8 * 0.5) / 12),
    }
    counts = {"a": {"tp": 4, "tn": 0, "fp": 0, "fn": 0}, "b": {"tp": 2, "tn": 0, "fp": 2, "fn": 2}}
    wrong = {"path": "b", "outcome": "mismatch", "expected": 2, "actual": 3, "similarity": 0.0}
    result = {
        "name": "field_accuracy",
        "type": "field_accuracy",
        "weight": 1.0,
        "reasoning": "1/2 fields matched",
        "details": {"metrics": counts, "mismatches": [wrong]},
    }
    found = row_of(f"{_RIGHT}, {_HALF}, {_RIGHT}, {_HALF}")
    assert _without_times(found) == told | {
        "suite": "s",
        "case_id": "c",
        "status": "ok",
        "reasoning": "repeat 2 of 4: 1/2 fields matched",
        "expected": {"a": 1, "b": 2},
        "candidates": [{"a": 1, "b": 2}, {"a": 1, "b": 3}, {"a": 1, "b": 2}, {"a": 1, "b": 3}],
        "worst_repeat": 2,
        "flaky": True,
        "fingerprint": found["fingerprint"],
        "evaluator_results": [result | told],
    }


def test_one_answer_is_its_own_mean_and_agrees_with_nobody(row_of: Callable[..., dict[str, Any]]) -> None:
    found = row_of(_HALF)
    assert (found["score"], found["repeats"], found["worst_repeat"]) == (0.5, [0.5], 1)
    assert "consistency" not in found


def test_answers_agree_where_they_are_wrong_alike(row_of: Callable[..., dict[str, Any]]) -> None:
    found = row_of(
        f"{_WRONG}, {_WRONG}", _FIELDS, "{type: json_quality}", "{type: object_match, comparators: {a: exact}}"
    )
    assert [one["consistency"] for one in found["evaluator_results"]] == [1.0, 1.0, 1.0]
    assert (found["consistency"], found["score"]) == (1.0, pytest.approx(0.4 / 3))


def test_agreement_is_the_mean_of_both_directions(row_of: Callable[..., dict[str, Any]]) -> None:
    assert row_of("{a: 1}, {a: 1, b: 2}")["consistency"] == (1.0 + 0.5) / 2


def test_text_that_holds_json_is_read_before_answers_are_compared(row_of: Callable[..., dict[str, Any]]) -> None:
    assert row_of(f"""'Here: {{"a": 1, "b": 2}}', {_RIGHT}, none""")["repeats"] == [1.0, 1.0, 0.0]
    assert row_of(f"""'Here: {{"a": 1, "b": 2}}', {_RIGHT}, none""")["consistency"] == pytest.approx(2 / 6)


def test_json_quality_finds_equal_answers_wholly_alike_whatever_its_weights(
    row_of: Callable[..., dict[str, Any]],
) -> None:
    blocked = "{type: json_quality, safety: {blocklist: [x]}, weights: {safety: 1}}"
    found = row_of("{a: x, b: 1}, {b: 1, a: x}, {a: x, b: '1'}", blocked)
    assert found["consistency"] == 1.0


def test_weights_count_in_the_score_and_in_the_consistency(row_of: Callable[..., dict[str, Any]]) -> None:
    only_a = "{name: only_a, weight: 3, type: field_accuracy, fields: [{path: a}]}"
    unweighed = "{name: unweighed, weight: 0, type: field_accuracy, fields: [{path: b}]}"
    found = row_of(f"{_RIGHT}, {_HALF}", _FIELDS, only_a, unweighed)
    assert (found["score"], found["consistency"]) == (0.9375, (0.5 + 3 * 1.0) / 4)
    assert [one["consistency"] for one in found["evaluator_results"]] == [0.5, 1.0, 0.0]


def test_a_required_evaluator_must_pass_in_the_mean(row_of: Callable[..., dict[str, Any]]) -> None:
    required = "{name: b, required: true, type: field_accuracy, fields: [{path: b}]}"
    found = row_of(f"{_RIGHT}, {_HALF}", required, _FIELDS, verdicts="{pass: 0.6}")
    assert (found["score"], found["verdict"]) == (0.625, "fail")


def test_a_judge_that_fails_on_one_answer_makes_the_case_an_error(
    row_of: Callable[..., dict[str, Any]], write: Write
) -> None:
    write(
        "j.py",
        "import json, sys\nc = json.load(sys.stdin)['candidate']\nprint(json.dumps({'score': 1.0 if c['b'] == 2 else 9}))",
    )
    found = row_of(f"{_RIGHT}, {_HALF}", "{name: j, type: code_judge, script: j.py}", _FIELDS)
    judged, compared = found["evaluator_results"]
    assert (found["status"], found["score"], found["verdict"], found["error"]["kind"]) == (
        "error",
        0.0,
        "fail",
        "score",
    )
    assert (judged["score"], judged["repeats"], "consistency" in judged) == (0.0, [1.0, 0.0], False)
    assert (compared["score"], "error" in compared) == (0.75, False)


def test_a_judge_alone_says_nothing_of_consistency(row_of: Callable[..., dict[str, Any]], evalctl: Evalctl) -> None:
    found = row_of(f"{_RIGHT}, {_HALF}", "{name: j, type: code_judge, script: [echo, '{\"score\": 0.9}']}")
    assert (found["status"], found["score"], "consistency" in found) == ("ok", pytest.approx(0.9), False)
    assert "not in the consistency: j" in evalctl("run", "s.yaml").stdout


def test_what_models_took_adds_up_over_the_answers_and_their_comparisons() -> None:
    def score(case: Case, evaluators: NamedEvaluators) -> Any:
        result = {"name": "e", "weight": 1.0, "score": 1.0, "verdict": "pass", "duration_ms": 0.5}
        usage = {"calls": 1, "cost": 0.25} if case.expected == "truth" else {"calls": 1, "cached": 2}
        return {
            "status": "ok", "score": 1.0, "verdict": "pass", "reasoning": "",
            "evaluator_results": [result | {"usage": usage}],
        }  # fmt: skip

    evaluators = [NamedEvaluator("e", "stub", 1.0, False, _never, _never)]
    row = score_repeats(Case("c", "truth", candidates=["x", "y"]), evaluators, score, lambda _: "pass")
    assert row["evaluator_results"][0]["usage"] == {"calls": 4, "cost": 0.5, "cached": 4}
    assert row["duration_ms"] == 2.0


def _never(case: Case) -> Score:
    raise AssertionError(case)


def test_predictions_may_hold_several_answers_and_override_the_case(write: Write) -> None:
    write(
        "p.jsonl",
        '{"id": "x", "candidates": [{"a": 1, "b": 2}, {"a": 1, "b": 3}]}\n{"id": "y", "candidate": {"a": 1}}\n',
    )
    suite = write(
        "s.yaml",
        f"evaluators: [{_FIELDS}]\npredictions: p.jsonl\n"
        f"cases: [{{id: x, expected: {_RIGHT}, candidate: {_WRONG}}}, {{id: y, expected: {_RIGHT}, candidates: [{_WRONG}, 2]}}]",
    )
    several, one = rows_of(suite)
    assert (several["score"], several["repeats"]) == (0.75, [1.0, 0.5])
    assert (one["score"], one["candidate"], "repeats" in one) == (0.5, {"a": 1}, False)


def test_datasets_hold_several_answers_in_every_format(write: Write) -> None:
    write("d.jsonl", '{"id": "j", "expected": {"a": 1, "b": 2}, "candidates": [{"a": 1}, null]}\n')
    write("d.csv", 'id,expected,candidates\nc,"{""a"": 1, ""b"": 2}","[{""a"": 1}, null]"\n')
    suite = write("s.yaml", f"evaluators: [{_FIELDS}]\ndataset: [d.jsonl, d.csv]")
    assert [(row["case_id"], row["repeats"]) for row in rows_of(suite)] == [
        ("j", [0.5, 0.0]),
        ("c", [0.5, 0.0]),
    ]


@pytest.mark.parametrize(
    ("case", "problem"),
    [
        ('{"candidates": []}', "d.jsonl:1: candidates: must not be empty"),
        ('{"candidates": {"a": 1}}', 'd.jsonl:1: candidates: must be a list, not {"a":1}'),
        ('{"candidates": [1], "candidate": null}', "d.jsonl:1: candidate and candidates exclude each other"),
    ],
)
def test_answers_that_cannot_be_scored_are_errors(case: str, problem: str, write: Write) -> None:
    write("d.jsonl", case)
    suite = write("s.yaml", f"evaluators: [{_FIELDS}]\ndataset: d.jsonl")
    with pytest.raises(InvalidSuite) as caught:
        plan_of(suite)
    assert str(caught.value).endswith(problem)


def test_the_report_of_a_run_is_that_of_its_results(evalctl: Evalctl, write: Write) -> None:
    cases = "".join(
        f"  - {{id: c{number}, expected: {_RIGHT}, candidates: [{_RIGHT}, {_HALF if number % 2 else _RIGHT}]}}\n"
        for number in range(30)
    )
    write("s.yaml", f"evaluators: [{_FIELDS}]\ncases:\n{cases}")
    run = evalctl("run", "s.yaml", "-o", "r.jsonl", "--no-data", "--format", "json", "-j", "2")
    assert run.stdout == evalctl("report", "r.jsonl", "--format", "json").stdout
    assert '"candidates"' not in Path(write("x", ""), "..", "r.jsonl").resolve().read_text(encoding="utf-8")
    shown = evalctl("report", "r.jsonl").stdout
    assert " all 30 cases  1.000  0.875     0.031    0.177        0.750  1 2" in shown
    assert " and 10 more in the results" in shown


def test_a_row_with_repeats_that_are_none_is_damage(evalctl: Evalctl, write: Write) -> None:
    write("s.yaml", f"evaluators: [{_FIELDS}]\ncases: [{{id: c, expected: {_RIGHT}, candidates: [{_RIGHT}]}}]")
    evalctl("run", "s.yaml", "-o", "r.jsonl")
    good = (write("x", "").parent / "r.jsonl").read_text(encoding="utf-8")
    for damage in ('"repeats":[]', '"repeats":[2.0]', '"repeats":{}', '"repeats":[true]'):
        write("bad.jsonl", good.replace('"repeats":[1.0],"worst_repeat"', f'{damage},"worst_repeat"'))
        done = evalctl("report", "bad.jsonl")
        assert (done.returncode, done.stderr) == (
            2,
            "error: bad.jsonl:1: not a row of results: its repeats are not a list of scores\n",
        )


@pytest.mark.parametrize(
    ("rule", "verdict"),
    [
        ("mean", "fail"),
        ("all", "fail"),
        ("any", "pass"),
        ("majority", "fail"),
        ("rate:0.3", "pass"),
        ("rate:0.4", "fail"),
    ],
)
def test_a_rule_says_when_a_case_with_several_answers_passes(write: Write, rule: str, verdict: str) -> None:
    suite = f"evaluators: [{_FIELDS}]\ncases: [{{expected: {_RIGHT}, candidates: [{_RIGHT}, {_WRONG}, {_HALF}]}}]\n"
    [row] = rows_of(write("s.yaml", suite), pass_rule=rule)
    assert (row["verdict"], row["score"]) == (verdict, 0.5)


def test_a_rule_that_says_no_leaves_at_most_partial(write: Write) -> None:
    cases = f"[{{expected: {_RIGHT}, candidates: [{_RIGHT}, {_RIGHT}, {_RIGHT}, {_RIGHT}, {_HALF}]}}]"
    suite = write("s.yaml", f"evaluators: [{_FIELDS}]\ncases: {cases}\n")
    assert [rows_of(suite, pass_rule=rule)[0]["verdict"] for rule in ("mean", "majority", "all")] == [
        "pass", "pass", "partial",
    ]  # fmt: skip


def test_an_unknown_rule_is_an_error(write: Write, evalctl: Evalctl) -> None:
    write("s.yaml", f"evaluators: [{_FIELDS}]\ncases: [{{expected: {_RIGHT}, candidate: {_RIGHT}}}]\n")
    done = evalctl("run", "s.yaml", "--pass-rule", "most")
    assert (done.returncode, done.stderr) == (
        2,
        "error: --pass-rule: 'most' is no rule; valid: mean, all, any, majority, rate:0.8\n",
    )
