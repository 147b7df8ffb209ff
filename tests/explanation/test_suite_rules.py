"""`evalctl explain SUITE`: each field, its comparator, what passes, and who decided so."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl

from agentv_py.formats import render
from agentv_py.report.explanation.model import EvaluatorRules, SuiteExplanation
from agentv_py.report.explanation.suite import explain_suite
from agentv_py.suite.load import load
from agentv_py.suite.selection import Selection

Write = Callable[[str, Any], Path]

_SCHEMA = {
    "properties": {
        "id": {"type": "string", "x-evalctl": "exact"},
        "title": {"type": "string", "x-aws-stickler-comparator": "FuzzyComparator", "x-aws-stickler-weight": 2},
        "status": {"type": "string", "x-eval-match": "one_of", "x-eval-values": ["open", "paid"]},
        "total": {"type": "number"},
        "rows": {"type": "array", "items": {"properties": {"sku": {"type": "string"}, "note": {"type": "string"}}}},
    }
}


def _explain(path: Path, text: str) -> list[EvaluatorRules]:
    path.write_text(text, encoding="utf-8")
    return list(explain_suite(load(str(path), Selection())).evaluators)


def _shorten(evaluator: EvaluatorRules) -> dict[str, tuple[Any, ...]]:
    """By path: comparator, origin, rule, reason and place."""
    return {
        rule.path: (rule.comparator, rule.origin, rule.rule, rule.reason, where.rpartition(":")[2])
        for rule, where in evaluator.rules
    }


def test_a_field_that_the_user_wrote_has_its_line_its_weight_and_its_share(tmp_path: Path) -> None:
    [header] = _explain(
        tmp_path / "s.yaml",
        "evaluators:\n- type: field_accuracy\n  fields:\n  - {path: a.b, match: fuzzy, weight: 3}\n"
        "  - path: c\n    required: false\n    any_of: true\n  - {path: d, match: ignore}\n"
        "cases: [{expected: {a: {b: x}, c: [1]}, candidate: {}}]\n",
    )
    assert _shorten(header) == {
        "a.b": ("fuzzy", "suite", "", "", "4"),
        "c": ("exact", "suite", "", "", "5"),
        "d": ("ignore", "suite", "", "", "8"),
    }
    assert [(rule.weight, rule.share) for rule, _ in header.rules] == [(3.0, 0.75), (1.0, 0.25), (1.0, None)]
    assert header.rules[0].rule.options == {"threshold": 0.85, "algorithm": "levenshtein", "case_sensitive": False}
    passes = "the same value, for any of the accepted readings; an empty answer does not count"
    assert (header.rules[1].rule.passes, header.settings) == (
        passes,
        {"aggregation": "weighted_average", "absent": "unlabelled"},
    )


def test_a_schema_gives_its_rule_and_its_reason_and_a_line_of_the_user_wins(tmp_path: Path, write: Write) -> None:
    write("s.json", _SCHEMA)
    [evaluator] = _explain(
        tmp_path / "s.yaml",
        "evaluators:\n- type: object_match\n  schema: s.json\n  comparators:\n    id: name\n"
        "    rows: {unordered: {note: exact}, key: sku, threshold: 0.5, matching: greedy}\n"
        "cases: [{expected: {id: x, rows: [{note: a, sku: b}]}, candidate: {}}]\n",
    )
    found = _shorten(evaluator)
    assert list(found) == ["id", "title", "status", "total", "rows", "rows[].sku", "rows[].note"]
    assert found["id"] == ("name", "suite", "", "", "5")
    assert found["title"][:4] == ("fuzzy", "schema", "setting", "x-aws-stickler-* of the schema")
    assert found["status"][:4] == ("one_of", "schema", "setting", "x-eval-* of the schema")
    assert found["total"][1:4] == ("schema", "number", "declared as number, 2 decimals assumed")
    assert found["rows"] == ("unordered", "suite", "", "", "6")
    assert found["rows[].sku"][:3] == ("exact", "schema", "code")
    assert found["rows[].note"] == ("exact", "suite", "", "", "6")
    shares = {rule.path: rule.share for rule, _ in evaluator.rules}
    assert (shares["title"], shares["rows"], shares["rows[].sku"]) == pytest.approx((2 / 6, 1 / 6, 1 / 12))
    [rows] = [rule for rule, _ in evaluator.rules if rule.path == "rows"]
    assert rows.passes == "rows paired where sku match, from 0.5, best pair first"


def test_what_is_not_listed_has_the_rules_of_the_default_and_no_share(tmp_path: Path) -> None:
    [evaluator, other] = _explain(
        tmp_path / "s.yaml",
        "evaluators:\n- type: object_match\n  default: {number: {match: within, tolerance: 0.1}}\n"
        "  comparators: {a: {fields: {match: exact}, weight: 2}, b: {ordered: exact}}\n"
        "- {type: object_match, default: fuzzy}\n"
        "cases: [{expected: {a: {match: x}, b: [1]}, candidate: {}}]\n",
    )
    reason = "what the default does not compare is compared exactly"
    assert _shorten(evaluator) == {
        "a.match": ("exact", "suite", "", "", "4"),
        "b": ("ordered", "suite", "", "", "4"),
        "b[]": ("exact", "suite", "", "", "4"),
        "(any other text or boolean)": ("exact", "default", "", reason, "3"),
        "(any other number)": ("within", "suite", "", "", "3"),
    }
    assert {rule.share for rule, _ in evaluator.rules} == {None}
    assert list(_shorten(other)) == ["(any other text)", "(any other number or boolean)"]


def test_what_auto_chose_has_the_rule_the_reason_and_its_line(tmp_path: Path, write: Write) -> None:
    write("s.json", {"properties": {"total": {"type": "number"}}})
    rows = "rows: [{sku: a, label: Blue bolt}, {sku: b, label: Red nut}]"
    [evaluator, loose] = _explain(
        tmp_path / "s.yaml",
        "evaluators:\n- type: object_match\n  default: auto\n  schema: s.json\n  comparators: {due: exact}\n"
        "- {type: object_match, default: auto, comparators: {odd: {a: exact}}}\n"
        f"cases: [{{expected: {{total: 1.5, due: 2025-01-15, when: 2025-01-15, {rows}, odd: {{a: 1}}}}, candidate: {{}}}}, {{expected: {{odd: 5}}}}]\n",
    )
    found = _shorten(evaluator)
    assert found["due"] == ("exact", "suite", "", "", "5")
    assert found["total"][:3] == ("numeric_tolerance", "schema", "number")
    assert found["when"] == ("date", "auto", "date", found["when"][3], "3")
    assert found["rows"] == ("unordered", "auto", "key", "sku is unique in every list", "3")
    assert _shorten(loose)["(any other field)"] == ("exact", "auto", "", "the rules list no key there", "6")


def test_json_quality_tells_which_strategies_are_chosen_which_are_detected_and_from_what(
    tmp_path: Path, write: Write
) -> None:
    write("strategies.json", {"e": "FUZZY", "f": "IGNORE"})
    [evaluator] = _explain(
        tmp_path / "s.yaml",
        "evaluators:\n- type: json_quality\n  strategies_file: strategies.json\n  strategies: {a: exact}\n  ignore: [i]\n"
        "cases:\n- {id: 1, expected: {a: x, b: a long text, c: 5, d: 7, e: x, i: 1}, candidate: {}}\n"
        "- {id: 2, expected: {b: '', c: 7, d: some words}, candidate: {}}\n",
    )
    assert _shorten(evaluator) == {
        "i": ("ignore", "suite", "", "", "5"),
        "e": ("FUZZY", "suite", "", "in strategies.json", "3"),
        "f": ("IGNORE", "suite", "", "in strategies.json", "3"),
        "a": ("EXACT", "suite", "", "", "4"),
        "b": ("SEMANTIC", "detected", "", "the value is prose", ""),
        "c": ("EXACT", "detected", "", "all 2 values are no prose", ""),
        "d": ("SEMANTIC", "detected", "", "1 of 2 values are prose; each case decides by its own value", ""),
    }


def test_evaluators_of_single_cases_are_told_once_with_their_cases(tmp_path: Path, write: Write) -> None:
    own = [{"type": "iou_score", "bbox_path": "box", "threshold": 0.7}]
    row = {"expected": {"box": [0, 0, 1, 1], "p": [1, 2], "objects": []}, "candidate": {}}
    write("d.jsonl", "\n".join(json.dumps(row | {"id": id_, "evaluators": own}) for id_ in "ab"))
    evaluators = _explain(
        tmp_path / "s.yaml",
        "dataset: d.jsonl\ncases:\n- id: c\n  expected: {a: 1, p: [1, 2], objects: []}\n  candidate: {}\n  evaluators:\n"
        "  - {type: coordinate_distance, point_path: p}\n  - {type: coordinate_distance, point_path: p, threshold: 2}\n"
        "  - {type: detection, path: objects, min_confidence: 0.5}\n"
        "  - {type: code_judge, script: [echo], env: {KEY: secret}, extra: {a: 1.5}}\n",
    )
    assert [(one.name, list(one.case_ids), one.where.rpartition("/")[2]) for one in evaluators] == [
        ("coordinate_distance", ["c"], "s.yaml:7"),
        ("coordinate_distance-2", ["c"], "s.yaml:8"),
        ("detection", ["c"], "s.yaml:9"),
        ("code_judge", ["c"], "s.yaml:10"),
        ("iou_score", ["a", "b"], "d.jsonl:1"),
    ]
    assert [rule.passes for one in evaluators for rule, _ in one.rules] == [
        "the score is 1 / (1 + distance)",
        "euclidean distance ≤ 2",
        "same label, and IoU ≥ 0.5 (xywh), confidence ≥ 0.5",
        "IoU ≥ 0.7 (xyxy)",
    ]
    assert evaluators[3].settings == {
        "script": ["echo"], "timeout": 60.0, "persistent": False, "env": ["KEY"], "config": {"extra": {"a": 1.5}},
    }  # fmt: skip


def test_the_command_explains_suites_in_three_formats_and_runs_nothing(evalctl: Evalctl, write: Write) -> None:
    write("s.json", _SCHEMA)
    write("a.yaml", "evaluators: [{name: tree, type: object_match, schema: s.json}, {type: code_judge, script: ['false']}]\n"
          "cases: [{id: 1, expected: {id: x}, candidate: {}}]\n")  # fmt: skip
    write("b.yaml", "target: {type: command, command: ['false']}\ncases: [{id: 1, expected: {a: x}}]\n"
          "evaluators: [{name: field, type: field_accuracy, fields: [{path: a}]}]\n")  # fmt: skip
    done = evalctl("explain", "a.yaml", "b.yaml")
    assert (done.returncode, done.stderr) == (0, "")
    assert "   title  weight 2, 33.3%\n       fuzzy: similarity ≥ 0.85 (token_set, in any case)\n" in done.stdout
    assert "       schema, rule setting: x-aws-stickler-* of the schema\n" in done.stdout
    assert (
        "   field  passes if               share  why\n   a      exact: the same value  100.0%  line 3\n" in done.stdout
    )
    assert max(map(len, done.stdout.splitlines())) <= 80
    wide = evalctl("explain", "a.yaml", COLUMNS="140").stdout
    assert all(head in wide.splitlines()[6] for head in ("field", "comparator", "passes if", "weight", "share", "why"))
    told = json.loads(evalctl("explain", "a.yaml", "b.yaml", "--evaluator", "field", "--format", "json").stdout)
    assert [suite["suite"] for suite in told["suites"]] == ["b"]
    assert told["suites"][0]["evaluators"][0]["fields"][0]["where"] == "b.yaml:3"
    assert (
        "| a | exact | the same value | 1 | 100.0% | b.yaml:3 |"
        in evalctl("explain", "b.yaml", "--format", "markdown").stdout
    )


def test_a_suite_with_a_problem_and_an_unknown_evaluator_are_exit_2(evalctl: Evalctl, write: Write) -> None:
    write("a.yaml", "cases: 5\n")
    done = evalctl("explain", "a.yaml")
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "error: a.yaml:1:8: cases: must be a list, not 5\n")
    write(
        "b.yaml",
        "evaluators: [{name: header, type: field_accuracy, fields: [{path: a}]}]\ncases: [{expected: {a: 1}}]\n",
    )
    done = evalctl("explain", "b.yaml", "--evaluator", "haeder")
    assert (done.returncode, done.stderr) == (
        2,
        "error: no suite has an evaluator named 'haeder'; did you mean 'header'?\n",
    )


@pytest.mark.parametrize("form", ["console", "json", "markdown"])
def test_a_suite_of_many_lists_of_evaluators_render(form: Any, tmp_path: Path) -> None:
    cases = "".join(
        f"- {{id: {n}, expected: {{a: 1}}, candidate: {{}}, evaluators: [{{type: field_accuracy, fields: [{{path: a}}], weight: {n}}}]}}\n"
        for n in range(1, 24)
    )
    path = tmp_path / "s.yaml"
    path.write_text(f"cases:\n{cases}", encoding="utf-8")
    rules = explain_suite(load(str(path), Selection()))
    assert (len(rules.evaluators), rules.omitted) == (20, 3)
    assert "".join(render(SuiteExplanation([rules]), form))


def test_every_suite_that_ships_is_explained_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    for path in ("evals/json_quality.yaml", "evals/conversation.yaml", "evals/rules.yaml", "evals/agent_trace.yaml"):
        explanation = SuiteExplanation([explain_suite(load(path, Selection()))])
        shown = json.loads("".join(render(explanation, "json")))
        assert [suite["file"] for suite in shown["suites"]] == [path]
