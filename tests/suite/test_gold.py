"""`evalctl validate --gold`: what is wrong with the ground truth, each finding once, with its line."""

import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from conftest import Evalctl
from hypothesis import given
from hypothesis import strategies as st

from agentv_py.comparison.paths import ROOT
from agentv_py.suite.gold.check import GoldChecker
from agentv_py.suite.gold.field import Field, Leaf
from agentv_py.suite.gold.repeats import RepeatFinder, Repeats
from agentv_py.suite.load import load
from agentv_py.suite.selection import Selection

Write = Callable[[str, Any], Path]

_INVOICE = {"number": "A-1", "vendor": "Acme", "total": 12.5, "currency": "EUR", "due": "2025-01-15", "paid": True}


def _check(folder: Path, *rows: dict[str, Any], options: str = "default: exact") -> list[str]:
    """Check a suite of these cases; return the findings without the name of the file."""
    lines = (json.dumps({"id": str(number), **row}) for number, row in enumerate(rows, 1))
    (folder / "d.jsonl").write_text("\n".join(lines), encoding="utf-8")
    (folder / "s.yaml").write_text(
        f"evaluators: [{{type: object_match, {options}}}]\ndataset: d.jsonl\n", encoding="utf-8"
    )
    plan = load(str(folder / "s.yaml"), Selection())
    return [
        f"{one.line}: {one.where}: {one.what}" if one.where else f"{one.line}: {one.what}"
        for one in GoldChecker(plan).check()
    ]


def _expect(**values: Any) -> dict[str, Any]:
    return {"expected": values}


@pytest.mark.parametrize(
    ("rows", "findings"),
    [
        ([_expect(a=1, b="x"), _expect(a=2, b="y")], []),
        ([_expect(a=1), _expect(a="1"), _expect(a=2.5)], ["2: expected.a: has values of different types: 2 numbers and 1 text"]),
        ([_expect(a=True), _expect(a=1)], ["2: expected.a: has values of different types: 1 boolean and 1 number"]),
        ([_expect(a=1, n=None), _expect(a=2, n=" "), _expect(a=3)], ["1: expected.n: is empty in all 2 places; fill it or leave it out"]),
        ([_expect(a=1, r=[{"n": ""}, {"n": None}])], ["1: expected.r[].n: is empty in all 2 places; fill it or leave it out"]),
        ([_expect(a=1, n=None)], []),
        (
            [_expect(c="EUR"), _expect(c="EUR"), _expect(c="eur"), _expect(c="USD"), _expect(c="usd")],
            ["3: expected.c: one value is written in 2 ways: 'EUR' (2), 'eur' (1); and 1 more values"],
        ),
        ([_expect(c="A-1"), _expect(c="A 1"), _expect(c="1.5 kg"), _expect(c="15 kg")], ["2: expected.c: one value is written in 2 ways: 'A-1' (1), 'A 1' (1)"]),
        ([_expect(c="Müller"), _expect(c="MULLER")], ["2: expected.c: one value is written in 2 ways: 'Müller' (1), 'MULLER' (1)"]),
        (
            [*(_expect(d=f"2025-01-{day}") for day in range(10, 16)), _expect(d="15.01.2025")],
            ["7: expected.d: dates are written in 2 ways: '2025-01-10' (6), '15.01.2025' (1)"],
        ),
        (
            [*(_expect(d=f"2025-01-{day}") for day in range(10, 26)), _expect(d="soon")],
            ["17: expected.d: 1 of 17 texts is no date, such as 'soon'"],
        ),
        (
            [*(_expect(t=f"{number}.50") for number in range(5)), _expect(t="7,50"), _expect(t="1.234,50")],
            ["6: expected.t: numbers are written in 2 ways: '0.50' (5), '7,50' (2)"],
        ),
        ([_expect(p=f"0{number}") for number in range(9)], []),
    ],
)  # fmt: skip
def test_fields_are_told_once_with_the_first_line(
    tmp_path: Path, rows: list[dict[str, Any]], findings: list[str]
) -> None:
    assert _check(tmp_path, *rows) == findings


def test_repeated_contradicting_and_near_cases_are_told_apart(tmp_path: Path) -> None:
    text = " ".join(f"word{number}" for number in range(100))
    found = _check(
        tmp_path,
        {"input": "a", **_expect(**_INVOICE)},
        {"input": "b", **_expect(x=1)},
        {"input": "a", **_expect(**dict(reversed(_INVOICE.items())))},
        {"input": "b", **_expect(x=2)},
        {"input": "c", **_expect(**{**_INVOICE, "total": 13.5})},
        {"input": "d", **_expect(**_INVOICE)},
        {"input": {"text": text}, **_expect(x=3)},
        {"input": {"text": text.replace("word20", "other")}, **_expect(x=4)},
        {"input": {"text": text.upper()}, **_expect(x=4)},
    )
    assert found == [
        "4: case '4' has the same input as case '2' (line 2), but another expected value",
        "3: case '3' repeats case '1' (line 1)",
        "5: case '5' is nearly the same as case '1' (line 1) (3 such cases)",
    ]


def test_labels_and_short_answers_may_repeat(tmp_path: Path) -> None:
    assert _check(tmp_path, *[_expect(label="spam")] * 3) == []
    assert _check(tmp_path, *[{"expected": "yes"}] * 3) == []
    assert _check(tmp_path, {"input": "x", "expected": "yes"}, {"input": "y", "expected": "yes"}) == []
    assert len(_check(tmp_path, *[_expect(a=1, b=2, c=3)] * 2)) == 1


def test_the_schema_is_checked_at_every_place(tmp_path: Path, write: Write) -> None:
    schema = {
        "type": "object",
        "required": ["id"],
        "properties": {"rows": {"items": {"properties": {"n": {"type": "number"}}}}, "id": {"type": "string"}},
    }
    write("s.json", schema)
    found = _check(
        tmp_path,
        _expect(id="a", rows=[{"n": 1}]),
        _expect(id="b", rows=[{"n": 1}, {"n": "2"}, {"n": "3"}]),
        _expect(rows=[{"n": "4"}]),
        options="schema: s.json",
    )
    assert found[:2] == [
        '2: expected.rows[1].n: violates s.json: "2" is not of type "number" (2 cases)',
        '3: expected: violates s.json: "id" is a required property',
    ]


def test_the_schemas_of_json_schema_are_checked_where_the_truth_has_their_part(tmp_path: Path, write: Write) -> None:
    write("s.json", {"type": "object", "required": ["id"], "properties": {"id": {"type": "string"}}})
    schemas = [
        "{type: json_schema, name: file, schema: s.json}",
        "{type: json_schema, name: own, path: total, schema: {type: number}}",
        "{type: json_schema, name: none, path: total, schema: {type: number}, negate: true}",
    ]
    found = _check(
        tmp_path,
        _expect(id="a", total=1),
        _expect(id="b", total="2"),
        _expect(total="3"),
        _expect(id="d"),
        options=f"schema: s.json}}, {', '.join(schemas)[:-1]}",
    )
    assert found[:2] == [
        '2: expected.total: violates the schema of own: "2" is not of type "number" (2 cases)',
        '3: expected: violates s.json: "id" is a required property',
    ]
    assert not [finding for finding in found[2:] if "violates" in finding]


def test_warnings_leave_exit_0_and_strict_makes_them_errors(evalctl: Evalctl, write: Write) -> None:
    write(
        "s.yaml",
        "evaluators: [{type: object_match, default: exact}]\n"
        "cases:\n- {expected: {a: 1}, candidate: {}}\n- {expected: {a: x}, candidate: {}}\n",
    )
    what = "s.yaml:4: expected.a: has values of different types: 1 number and 1 text\n"
    done = evalctl("validate", "s.yaml", "--gold")
    assert (done.returncode, done.stdout, done.stderr) == (
        0, "s.yaml: valid, 2 cases; 1 finding about its ground truth\n", f"warning: {what}",
    )  # fmt: skip
    strict = evalctl("validate", "s.yaml", "--gold", "--strict")
    assert (strict.returncode, strict.stdout, strict.stderr) == (2, "", f"error: {what}")
    assert evalctl("validate", "s.yaml", "-q").stderr == ""


_VALUES = st.fixed_dictionaries({key: st.integers(0, 1) for key in "abcdef"})


@given(st.lists(_VALUES, max_size=8))
def test_near_cases_are_those_that_differ_in_one_value(values: list[dict[str, int]]) -> None:
    found = _find_repeats(values)
    seen = {later for _, later in found.duplicates}
    kept = [number for number in range(len(values)) if number not in seen]
    pairs = {
        (one, other)
        for one, other in combinations(kept, 2)
        if sum(values[one][key] != values[other][key] for key in "abcdef") == 1
    }
    assert set(found.near) <= pairs
    assert {later for _, later in found.near} | {first for first, _ in found.near} == {
        number for pair in pairs for number in pair
    }
    assert seen == {number for number, value in enumerate(values) if value in values[:number]}


def _find_repeats(values: list[dict[str, int]]) -> Repeats:
    finder, root = RepeatFinder(), Field(ROOT, 0)
    for number, value in enumerate(values):
        leaves: list[Leaf] = []
        finder.observe(None, root.observe(value, number, leaves), leaves)
    return finder.find()


def test_keys_that_are_data_and_deep_values_take_bounded_memory(tmp_path: Path) -> None:
    deep: Any = 1
    for _ in range(60):
        deep = {"a": [deep]}
    found = _check(tmp_path, _expect(m={str(number): 1 for number in range(5000)}), _expect(d=deep))
    assert found == []
