"""What the expected values of a suite lack, and what cannot be read in them, before anything runs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pipeline import plan_of

from agentv_py.errors import InvalidSuite
from agentv_py.suite.load import load
from agentv_py.suite.selection import Selection

Write = Callable[[str, Any], Path]

_INVOICE = {
    "number": "A-1",
    "date": "2025-01-15",
    "vendor": {"name": "Acme", "x.y": 1},
    "line_items": [{"sku": "a", "price": 1.5}, {"sku": "b", "price": 2}],
    "tags": ["x"],
}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _check(evaluator: str, *expected: Any, case: dict[str, Any] | None = None) -> list[str]:
    """Return the errors of a suite, each with "error: ", or else its warnings."""
    rows = [{"id": str(number), "expected": value} | (case or {}) for number, value in enumerate(expected)]
    from agentv_py import jsontext

    Path("d.jsonl").write_bytes(b"".join(map(jsontext.dumps_line, rows)))
    Path("s.yaml").write_text(f"evaluators:\n  - {evaluator}\ndataset: d.jsonl\n", encoding="utf-8")
    try:
        return [str(warning) for warning in plan_of(Path("s.yaml")).warnings]
    except InvalidSuite as error:
        return [f"error: {problem}" for problem in error.problems]


def _fields(*fields: str) -> str:
    return f"{{type: field_accuracy, fields: [{', '.join(fields)}]}}"


def _object(comparators: str, more: str = "") -> str:
    return f"{{type: object_match, comparators: {comparators}{more}}}"


@pytest.mark.parametrize(
    ("evaluator", "where", "what"),
    [
        (_fields("{path: dat}"), "fields[0].path", "'dat'; did you mean 'date'?"),
        (_fields("{path: vendor.nmae}"), "fields[0].path", "'vendor.nmae'; did you mean 'vendor.name'?"),
        (_fields("{path: vendr.name}"), "fields[0].path", "'vendr.name'; did you mean 'vendor.name'?"),
        (_fields("{path: name}"), "fields[0].path", "'name'; did you mean 'vendor.name'?"),
        (_fields("{path: 'line_items[*].prise'}"), "fields[0].path", "'line_items[*].prise'; did you mean 'line_items[*].price'?"),
        (_fields("{path: 'line_items[0].prise'}"), "fields[0].path", "'line_items[0].prise'; did you mean 'line_items[0].price'?"),
        (_fields("{path: 'line_items[7].price'}"), "fields[0].path", "'line_items[7].price'"),
        (_fields("{path: zzz}"), "fields[0].path", "'zzz'"),
        (_object("{dat: exact}"), "comparators.dat", "'dat'; did you mean 'date'?"),
        (_object("{vendor: {nam: exact}}"), "comparators.vendor.nam", "'vendor.nam'; did you mean 'name'?"),
        (_object("{vendr: {name: exact, city: exact}}"), "comparators.vendr", "'vendr'; did you mean 'vendor'?"),
        (_object("{line_items: {unorderd: {sku: exact}}}"), "comparators.line_items.unorderd", "'line_items.unorderd'; did you mean 'unordered'?"),
        (_object("{line_items: {unordered: {skuu: exact, price: exact}}}"), "comparators.line_items.unordered.skuu", "'line_items[].skuu'; did you mean 'sku'?"),
        (_object("{line_items: {unordered: {sku: exact}, key: sk}}"), "comparators.line_items.key[0]", "'sk'; did you mean 'sku'?"),
        (_object("{number: {mach: exact}}"), "comparators.number.mach", "'number.mach'; did you mean 'match'?"),
        (_object("{fields: {datee: exact}}"), "comparators.fields.datee", "'datee'; did you mean 'date'?"),
        (_object("{dat: exact}", ", default: exact"), "comparators.dat", "'dat'; did you mean 'date'?"),
        ("{type: iou_score, bbox_path: box}", "bbox_path", "'box'"),
        ("{type: iou_score, bbox_path: line_items, expected_bbox_path: line_itms}", "expected_bbox_path", "'line_itms'; did you mean 'line_items'?"),
        ("{type: coordinate_distance, point_path: tag}", "point_path", "'tag'; did you mean 'tags'?"),
        ("{type: detection, path: tag}", "path", "'tag'; did you mean 'tags'?"),
        ("{type: json_quality, strategies: {nubmer: EXACT}}", "strategies.nubmer", "'nubmer'; did you mean 'number'?"),
    ],
)  # fmt: skip
def test_a_path_that_no_case_has_is_an_error_at_its_place(evaluator: str, where: str, what: str) -> None:
    [error] = _check(evaluator, _INVOICE, _INVOICE)
    place, found_where, found = error.removeprefix("error: ").split(": ", 2)
    assert (found_where, found) == (f"evaluators[0].{where}", f"no case's expected value has {what}")
    file, line, column = place.split(":")
    last = where.removesuffix("[0]").rpartition(".")[2]
    text = Path("s.yaml").read_text(encoding="utf-8").splitlines()[int(line) - 1][int(column) - 1 :]
    # A key of comparators is shown at the key itself, a path at its value.
    assert (file, text.startswith((last, what.split("'")[1], f"'{what.split(chr(39))[1]}"))) == ("s.yaml", True)


def test_a_path_that_one_case_has_is_right_and_the_selection_does_not_matter() -> None:
    evaluator = _object("{number: exact, vendor: {name: exact}, line_items: {unordered: {sku: exact}, key: sku}}")
    assert _check(evaluator, {"number": "B"}, _INVOICE) == []
    assert list(load("s.yaml", Selection(cases=["0"])).selected) == [0]


@pytest.mark.parametrize(
    "path", ["vendor['x.y']", "line_items[1].sku", "line_items.1.sku", "line_items[*].sku", "tags[0]", "$"]
)
def test_every_spelling_of_a_path_is_found(path: str) -> None:
    assert _check(_fields(f'{{path: "{path}"}}'), _INVOICE) == []


def test_text_that_holds_json_is_read() -> None:
    assert _check(_fields("{path: vendor.name}"), '{"vendor": {"name": "Acme"}}') == []
    assert _check(_object("exact"), '{"vendor": 1}') == []
    assert len(_check(_fields("{path: vendor.name}"), "prose")) == 1


def test_a_key_of_the_whole_path_is_found() -> None:
    assert _check(_fields("{path: a.b}"), {"a.b": 1}) == []


def test_a_list_of_objects_may_stand_where_a_mapping_describes_one() -> None:
    assert _check(_object("{line_items: {sku: exact}}"), _INVOICE) == []


@pytest.mark.parametrize("empty", [None, [], " ", {}])
def test_an_empty_value_shows_nothing_about_the_keys_in_it(empty: Any) -> None:
    evaluator = _object("{number: exact, vendor: {name: exact}, line_items: {unordered: {sku: exact}, key: sku}}")
    assert _check(evaluator, {"number": 1, "vendor": empty, "line_items": empty}) == []
    assert (
        _check(_fields("{path: 'vendor.name'}, {path: 'line_items[*].sku'}"), {"vendor": empty, "line_items": empty})
        == []
    )


def test_a_path_that_is_not_required_is_a_warning() -> None:
    warning = "no case's expected value has 'dat'; did you mean 'date'?"
    assert _check(_fields("{path: date}, {path: dat, required: false}"), _INVOICE) == [
        f"s.yaml:2:58: evaluators[0].fields[1].path: {warning}"
    ]
    assert _check(_object("{date: exact, dat: {match: exact, required: false}}"), _INVOICE) == [
        f"s.yaml:2:53: evaluators[0].comparators.dat: {warning}"
    ]


def test_a_malformed_path_is_a_warning_and_no_error() -> None:
    assert _check(_fields("{path: date}, {path: 'a..b'}"), _INVOICE) == [
        "s.yaml:2:58: malformed path 'a..b' reaches nothing"
    ]


def test_what_is_ignored_and_what_a_judge_is_given_is_not_looked_for() -> None:
    assert _check(_object("{date: exact, nothing: ignore}"), _INVOICE) == []
    assert _check(_fields("{path: date}, {path: nothing, match: ignore}"), _INVOICE) == []
    assert _check("{type: code_judge, script: [cat], fields: [{path: nothing}]}", _INVOICE) == []


def test_the_evaluators_of_a_case_only_warn_and_are_counted(write: Write) -> None:
    own = {
        "evaluators": [
            {
                "type": "field_accuracy",
                "fields": [{"path": "dat", "match": "date"}, {"path": "number", "match": "date"}],
            }
        ]
    }
    assert _check(_fields("{path: zzz}"), _INVOICE, _INVOICE, case=own) == [
        "d.jsonl:1: evaluators[0].fields[0].path: the expected value has no 'dat'; did you mean 'date'?"
        " (the first of 2 such rows)",
        "d.jsonl:1: expected.number: the value is not a date: 'A-1' (the first of 2 such rows)",
    ]
    write("t.yaml", {"cases": [{"id": "a", "expected": _INVOICE} | own]})
    assert [str(warning).partition("t.yaml")[2] for warning in plan_of(Path("t.yaml")).warnings] == [
        ":1:233: cases[0].evaluators[0].fields[0].path: the expected value has no 'dat'; did you mean 'date'?",
        ":1:11: expected.number: the value is not a date: 'A-1'",
    ]


@pytest.mark.parametrize(
    ("evaluator", "values", "warning"),
    [
        (_fields("{path: a, match: date}"), ["2025-01-15", "08.13.18x", "x", None], "d.jsonl:2: expected.a: 2 of 3 values are not dates, such as '08.13.18x'"),
        (_fields("{path: a, match: date}"), ["2025-01-15", "x"], "d.jsonl:2: expected.a: 1 of 2 values is not a date: 'x'"),
        (_fields("{path: a, match: date, formats: [DD/MM/YYYY]}"), ["15/01/2025", "2025-01-15", "x"], "d.jsonl:3: expected.a: 1 of 3 values is not a date: 'x'"),
        (_fields("{path: a, match: numeric}"), [1, "1,5x", "2"], "d.jsonl:2: expected.a: 1 of 3 values is not a number: '1,5x'"),
        (_fields("{path: a, match: numeric}"), ["9.126,53 €", "1.000,50"], "d.jsonl:1: expected.a: 2 of 2 values are not numbers, such as '9.126,53 €', which decimal: auto reads"),
        (_object("{a: {match: within, tolerance: 1}}"), ["1,5 x", "9,5 €"], "d.jsonl:1: expected.a: 2 of 2 values are not numbers, such as '1,5 x'"),
        (_object("{a: {match: numeric, decimal: ','}}"), [[1, "9.50"]], "d.jsonl:1: expected.a: 1 of 2 values is not a number: '9.50', which decimal: auto reads"),
        (_fields("{path: a, match: numeric_tolerance}"), ["x"], "d.jsonl:1: expected.a: the value is not a number: 'x'"),
        (_object("{a: {match: within, tolerance: 1}}"), [True, False, 1.5], "d.jsonl:1: expected.a: 2 of 3 values are not numbers, such as true"),
        (_object("{a: numeric}"), [[1, "x"], [["y"]]], "d.jsonl:1: expected.a: 2 of 3 values are not numbers, such as 'x'"),
        (_object("{a: {unordered: {b: date}}}"), [[{"b": "x"}, {"b": "y"}], []], "d.jsonl:1: expected.a[].b: 2 of 2 values are not dates, such as 'x'"),
        (_object("{a: {b: {c: date}}}"), [{"b": {"c": "x"}}], "d.jsonl:1: expected.a.b.c: the value is not a date: 'x'"),
        (_object("{a: exact}", ", default: numeric"), [1, {"b": 1}], None),
        (_object("{b: exact}", ", default: {match: numeric, required: false}"), [{"b": 1}], None),
        (_object("{a: {unordered: {b: exact}}}", ", default: numeric"), [[{"b": "x", "c": "y"}]], "d.jsonl:1: expected.a[].c: the value is not a number: 'y'"),
        (_object("{a: {unordered: {b: exact}}}", ", default: fuzzy"), [[{"b": "x", "c": 5}]], None),
        (_fields("{path: a, match: date, any_of: true}"), [["2025-01-15", "x"]], "d.jsonl:1: expected.a: 1 of 2 values is not a date: 'x'"),
        (_fields("{path: 'a[*].b', match: date}"), [[{"b": "x"}, {"b": "2025-01-15"}]], "d.jsonl:1: expected.a[*].b: 1 of 2 values is not a date: 'x'"),
        (_fields("{path: a, match: fuzzy}"), ["x", 5], "d.jsonl:2: expected.a: 1 of 2 values is not text: 5"),
        (_fields("{path: a, match: name}"), [5, 6], "d.jsonl:1: expected.a: 2 of 2 values are not text, such as 5"),
        (_fields("{path: a, match: contains, substring: x}"), [5, "x"], "d.jsonl:1: expected.a: 1 of 2 values is not text: 5"),
        (_fields("{path: a, match: contains, substring: X, case_sensitive: false}"), ["box", "y", "z"], "d.jsonl:2: expected.a: 2 of 3 values do not contain the substring, such as 'y'"),
        (_fields("{path: a, match: regex, pattern: 'A-[0-9]'}"), ["A-1", "x", "A-1 x"], "d.jsonl:2: expected.a: 2 of 3 values do not match the pattern, such as 'x'"),
        (_fields("{path: a, match: regex, pattern: 'A-[0-9]', search: true}"), ["A-1", "x", "A-1 x"], "d.jsonl:2: expected.a: 1 of 3 values does not match the pattern: 'x'"),
        (_object("{a: {match: regex, pattern: 'A-[0-9]'}}"), [["A-1"], ["A-2", "x"]], "d.jsonl:2: expected.a: 1 of 3 values does not match the pattern: 'x'"),
        (_fields("{path: a, match: regex, pattern: '(a|aa)+(b|a)*c'}"), ["a" * 80], None),
        (_fields("{path: a, match: one_of, values: [x]}"), ["x", "y"], "d.jsonl:2: expected.a: 1 of 2 values is not one of the values: 'y'"),
        (_fields("{path: a, match: iou}"), [[0, 0, 1, 1], [3, 3, 1, 1]], "d.jsonl:2: expected.a: 1 of 2 values cannot be read (invalid bounding box): [3,3,1,1]"),
        (_fields("{path: a, match: distance, threshold: 1}"), [[0, 0], "x"], "d.jsonl:2: expected.a: 1 of 2 values is not a point: 'x'"),
        ("{type: iou_score, bbox_path: a}", [[[0, 0, 1, 1], [3, 3, 1, 1]]], "d.jsonl:1: expected.a: 1 of 2 values cannot be read (invalid bounding box): [3,3,1,1]"),
        ("{type: coordinate_distance, point_path: a}", [[1, 2], [["x", 1]]], 'd.jsonl:2: expected.a: 1 of 2 values is not a point: ["x",1]'),
        ("{type: detection, path: a}", [[{"label": "a", "box": [0, 0, 1, 1]}, {"label": "a", "box": 1}]], 'd.jsonl:1: expected.a: 1 of 2 values cannot be read (invalid bounding box): {"label":"a","box":1}'),
        (_object("date"), ["2025-01-15", "x"], "d.jsonl:2: expected: 1 of 2 values is not a date: 'x'"),
    ],
)  # fmt: skip
def test_values_that_cannot_be_read_are_one_warning_for_each_field(
    evaluator: str, values: list[Any], warning: str | None
) -> None:
    expected = values if "comparators: date" in evaluator else [{"a": value, "b": 1} for value in values]
    assert _check(evaluator, *expected) == ([] if warning is None else [warning])


def test_two_evaluators_that_read_a_field_alike_warn_once() -> None:
    field = "{type: field_accuracy, fields: [{path: a, match: date}]}"
    assert _check(f"{field}\n  - {field.replace('type', 'name: b, type')}", {"a": "x"}) == [
        "d.jsonl:1: expected.a: the value is not a date: 'x'"
    ]


def test_unlisted_keys_that_differ_in_every_case_are_counted_under_their_object() -> None:
    values = [{"a": 1, "b": {f"k{number}": "x"}} for number in range(300)]
    warnings = _check(_object("{a: exact}", ", default: numeric"), *values)
    assert warnings[0] == "d.jsonl:1: expected.b.k0: the value is not a number: 'x'"
    assert (len(warnings), warnings[-1]) == (51, "s.yaml: 51 more warnings are not shown")


@pytest.mark.parametrize(
    ("rows", "error"),
    [
        ([{"ground_truth": {"a": 1}}] * 60, "d.jsonl:1: none of the 60 cases has an expected value, which field_accuracy needs; rename 'ground_truth' to 'expected'"),
        ([{"expceted": {"a": 1}}], "d.jsonl:1: the only case has no expected value, which field_accuracy needs; did you mean 'expceted'?"),
        ([{"candidate": {"a": 1}}] * 2, "d.jsonl:1: none of the 2 cases has an expected value, which field_accuracy needs"),
        ([{"candidate": {"a": 1}}, {"expected": {"a": 1}}], None),
    ],
)  # fmt: skip
def test_rows_none_of_which_has_an_expected_value_are_one_error(
    write: Write, rows: list[dict[str, Any]], error: str | None
) -> None:
    from agentv_py import jsontext

    write("d.jsonl", b"".join(map(jsontext.dumps_line, rows)))
    write("more.yaml", [{"id": "m", "expected": {"a": 1}}])
    write("s.yaml", f"evaluators: [{_fields('{path: a}')}]\ndataset: [more.yaml, d.jsonl]\n")
    if error is None:
        assert plan_of(Path("s.yaml")).warnings == []
        return
    with pytest.raises(InvalidSuite) as caught:
        plan_of(Path("s.yaml"))
    assert [str(problem) for problem in caught.value.problems] == [error]
    write("s.yaml", "evaluators: [{type: code_judge, script: [cat]}]\ndataset: [d.jsonl]\n")
    plan_of(Path("s.yaml"))


def test_predictions_none_of_which_is_for_a_case_are_an_error(write: Write) -> None:
    write("p.jsonl", '{"id": "A", "candidate": 1}\n{"id": "B", "candidate": 1}\n')
    case = "cases: [{id: a, expected: {a: 1}}]"
    write("s.yaml", f"evaluators: [{_fields('{path: a}')}]\n{case}\npredictions: p.jsonl\n")
    with pytest.raises(InvalidSuite) as caught:
        plan_of(Path("s.yaml"))
    assert [str(problem) for problem in caught.value.problems] == [
        "p.jsonl: none of the 2 predictions is for a case; the first prediction is for 'A', the first case is 'a'"
    ]


def test_an_error_of_many_rows_is_said_once(write: Write) -> None:
    write("d.jsonl", "".join(f'{{"id": "{number}", "expected": 1, "tags": {number}}}\n' for number in range(60)))
    write("p.jsonl", "".join(f'{{"id": "{number}", "answer": 1}}\n' for number in range(60)))
    write("s.yaml", f"evaluators: [{_fields('{path: $}')}]\ndataset: d.jsonl\npredictions: p.jsonl\n")
    with pytest.raises(InvalidSuite) as caught:
        plan_of(Path("s.yaml"))
    assert [str(problem) for problem in caught.value.problems] == [
        "d.jsonl:1: tags: must be a list, not 0 (the first of 60 such rows)",
        "p.jsonl:1: candidate is required; rename 'answer' to 'candidate' (the first of 60 such rows)",
    ]
