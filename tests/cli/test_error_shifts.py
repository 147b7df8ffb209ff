"""What a diff says of kinds of error and of confidences: the difference of both reports, of the compared cases only."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from conftest import Evalctl

Write = Callable[[str, Any], Path]

SCHEMA = json.loads((Path(__file__).parents[1] / "report.schema.json").read_text())
_SUITE = """name: s
confidence: {path: c}
evaluators: [{type: object_match, comparators: {n: numeric, rows: {unordered: {t: exact}}}}]
cases: %s
"""


def _write_cases(answers: list[Any]) -> str:
    cases = [
        {"id": f"c{n}", "expected": {"n": 12.5, "rows": [{"t": "x"}]},
         "candidate": {"n": answer, "rows": [{"t": "x"}] if n % 3 else [], "c": {"n": 0.5 + 0.4 * (answer == 12.5)}}}
        for n, answer in enumerate(answers)
    ]  # fmt: skip
    return _SUITE % json.dumps(cases)


@pytest.fixture
def sides(evalctl: Evalctl, write: Write) -> tuple[str, str]:
    """Forty cases; five of the new side have no partner, and the new errors are × 100 and missing values."""
    old = [12.5] * 34 + [-12.5] * 6
    new = [12.5] * 20 + [1250.0] * 8 + [None] * 6 + [-12.5] * 6 + [1.0] * 5
    for name, answers in (("old", old), ("new", new)):
        write(f"{name}.yaml", _write_cases(answers))
        evalctl("run", f"{name}.yaml", "-o", f"{name}.jsonl", "-q", "--exit-zero")
    return "old.jsonl", "new.jsonl"


def test_kinds_and_patterns_that_changed_are_in_the_diff(evalctl: Evalctl, sides: tuple[str, str]) -> None:
    diff = json.loads(evalctl("diff", *sides, "--format", "json").stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(diff)
    found = [tuple(each.values())[1:] for each in diff["error_kinds"]]
    assert found == [("n", "misread", 6, 14, 8), ("n", "× 100", 0, 8, 8), ("n", "missed", 0, 6, 6)]


def test_confidences_are_those_of_the_compared_cases(evalctl: Evalctl, sides: tuple[str, str]) -> None:
    [shift] = json.loads(evalctl("diff", *sides, "--format", "json").stdout)["confidence"]
    assert [shift[side]["observations"] for side in ("baseline", "candidate")] == [40, 40]
    assert [round(shift[side]["accuracy"], 4) for side in ("baseline", "candidate")] == [0.85, 0.5]
    assert shift["baseline"]["auroc"] == 1.0


@pytest.mark.parametrize("form", ["console", "markdown", "html"])
def test_every_format_that_people_read_shows_them(evalctl: Evalctl, sides: tuple[str, str], form: str) -> None:
    text = evalctl("diff", *sides, "--format", form).stdout
    assert ("× 100" in text, "AUROC" in text) == (True, True)


def test_a_diff_without_a_change_of_errors_has_no_table(evalctl: Evalctl, sides: tuple[str, str]) -> None:
    diff = json.loads(evalctl("diff", sides[0], sides[0], "--format", "json").stdout)
    assert "error_kinds" not in diff
    assert "errors that changed" not in evalctl("diff", sides[0], sides[0]).stdout


def test_names_of_200_characters_take_one_line_of_each_table(evalctl: Evalctl, write: Write) -> None:
    key = "k" * 200
    evaluators = [{"name": "n" * 120, "type": "object_match", "comparators": {key: "numeric"}}]
    for name, share in (("old", 3), ("new", 2)):
        cases = [
            {"id": f"c{n}", "expected": {key: 1}, "candidate": {key: 1 if n % share else 100, "c": {key: 0.5}}}
            for n in range(40)
        ]
        suite = {"name": "s", "confidence": {"path": "c"}, "evaluators": evaluators, "cases": cases}
        write(f"{name}.yaml", json.dumps(suite))
        evalctl("run", f"{name}.yaml", "-o", f"{name}.jsonl", "-q", "--exit-zero")
    for command in (("report", "old.jsonl"), ("diff", "old.jsonl", "new.jsonl")):
        tables = [
            line for line in evalctl(*command, COLUMNS="80").stdout.splitlines() if "0." in line or "errors" in line
        ]
        assert max(map(len, tables)) <= 80
        assert [line for line in tables if key in line] == []
        assert sum("…kkk" in line for line in tables) >= 1
