"""A suite and its files → a plan, or every problem at once."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from pipeline import plan_of, rows_of

from agentv_py.errors import InvalidSuite, NothingSelected
from agentv_py.evaluators import EvaluatorName

Write = Callable[[str, Any], Path]

_EVALUATORS = "evaluators: [{type: field_accuracy, fields: [{path: a}]}]\n"


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _problems(text: Any) -> list[str]:
    Path("s.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidSuite) as caught:
        plan_of(Path("s.yaml"))
    return [str(problem) for problem in caught.value.problems]


def _rows(text: str, **options: Any) -> list[dict[str, Any]]:
    Path("s.yaml").write_text(text, encoding="utf-8")
    return rows_of(Path("s.yaml"), **options)


def test_a_missing_script_is_shown_beside_what_the_schema_refuses() -> None:
    assert _problems(
        "nmae: x\n"
        "evaluators:\n"
        "  - {type: code_judge, script: nowhere.py}\n"
        "  - {type: field_accurcy}\n"
        "cases:\n"
        "  - {id: x, evaluators: [{type: code_judge, script: neither.py}]}\n"
    ) == [
        "s.yaml:1:1: nmae: unknown key 'nmae'; did you mean 'name'?",
        "s.yaml:3:32: evaluators[0].script: 'nowhere.py' is neither in '.' nor in the working folder",
        "s.yaml:4:12: evaluators[1].type: Invalid evaluator type: 'field_accurcy'; did you mean 'field_accuracy'?"
        f" valid: {', '.join(get_args(EvaluatorName))}",
        "s.yaml:6:53: cases[0].evaluators[0].script: 'neither.py' is neither in '.' nor in the working folder",
    ]


def test_all_errors_are_shown_at_once_each_at_its_place(write: Write) -> None:
    write("d.jsonl", '{"id": "x", "expected": {}}\n{"id": \n[1]\n{"id": "x"}\n{"id": 4, "tags": 5}\n')
    assert _problems(
        "nmae: x\n"
        "verdicts: {pass: 0.5, partial: 0.6}\n"
        "dataset: [d.jsonl, none.jsonl, d.txt]\n"
        "evaluators:\n"
        "  - {type: field_accurcy}\n"
        "  - {type: field_accuracy, fields: [{path: a, match: fuzy}]}\n"
        "gates: {mean_score: 80}\n"
    ) == [
        "d.jsonl:2: not valid JSON: Expecting value at column 9",
        "d.jsonl:3: a row must be an object, not a list",
        "d.jsonl:4: duplicate id 'x'; the first is at d.jsonl:1",
        "d.jsonl:5: tags: must be a list, not 5",
        "s.yaml:1:1: nmae: unknown key 'nmae'; did you mean 'name'?",
        "s.yaml:2:11: verdicts: partial (0.6) is above pass (0.5)",
        "s.yaml:3:20: dataset: 'none.jsonl' does not exist",
        "s.yaml:3:32: dataset: 'd.txt' does not exist",
        "s.yaml:5:12: evaluators[0].type: Invalid evaluator type: 'field_accurcy'; did you mean 'field_accuracy'?"
        f" valid: {', '.join(get_args(EvaluatorName))}",
        "s.yaml:6:54: evaluators[1].fields[0].match: Invalid match type: 'fuzy'; did you mean 'fuzzy'?"
        " valid: exact, fuzzy, numeric_tolerance, within, numeric, date, name, one_of, contains, regex, presence, semantic, iou, distance, ignore",
        "s.yaml:7:21: gates.mean_score: must be less than or equal to 1, not 80",
    ]


def test_a_repeated_name_is_shown_beside_other_errors(write: Write) -> None:
    own = [{"name": "n", "type": "field_accuracy", "fields": []}, {"name": "n", "type": "field_acuracy"}]
    write("d.jsonl", {"id": "x", "evaluators": own})
    twice = "two evaluators are named 'n'; names are unique within a case"
    problems = _problems(
        "dataset: d.jsonl\n"
        "evaluators:\n"
        "  - {name: n, type: field_accuracy, fields: []}\n"
        "  - {name: n, type: field_accuracy, fields: [{path: a}]}\n"
    )
    assert [problem.partition("; did")[0] for problem in problems] == [
        f"d.jsonl:1: evaluators[1].name: {twice}",
        "d.jsonl:1: evaluators[0].fields: must not be empty",
        "d.jsonl:1: evaluators[1].type: Invalid evaluator type: 'field_acuracy'",
        "s.yaml:3:45: evaluators[0].fields: must not be empty",
        f"s.yaml:4:12: evaluators[1].name: {twice}",
    ]


def test_many_bad_rows_are_counted_not_listed(write: Write) -> None:
    twice = [f'{{"id": {number // 2}, "expected": {{"a": 1}}}}\n' for number in range(1_000)]
    wrong = [f"{' ' * number}nope\n" for number in range(100)]
    write("d.jsonl", "".join([*twice, *wrong]))
    Path("s.yaml").write_text(_EVALUATORS + "dataset: d.jsonl", encoding="utf-8")
    with pytest.raises(InvalidSuite) as caught:
        plan_of(Path("s.yaml"))
    assert (len(caught.value.problems), caught.value.omitted) == (50, 550)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[]", "s.yaml:1:1: a suite must be a mapping"),
        ("name: x", "s.yaml:1:1: a suite needs cases: or dataset:"),
        ("cases: [{id: a, expected: 1, candidate: 1}]", "s.yaml:1:9: case 'a' has no evaluators, and neither has the suite"),
        (_EVALUATORS + "cases: [{id: a}, {id: a}]", "s.yaml:2:18: duplicate id 'a'; the first is at s.yaml:2:9"),
        (_EVALUATORS + "cases: [{id: a, expcted: 1}]", "s.yaml:2:17: cases[0].expcted: unknown key 'expcted'; did you mean 'expected'?"),
        (_EVALUATORS + "cases: {}", "s.yaml:2:8: cases: must be a list, not {}"),
        (_EVALUATORS + "dataset: 5", "s.yaml:2:10: dataset: must be a path, a glob or a list of them, not 5"),
        (_EVALUATORS + "dataset: '*.jsonl'", "s.yaml:2:10: dataset: '*.jsonl' matches no file"),
        (_EVALUATORS + "dataset: s.yaml", "s.yaml:1: must hold a list of rows, not an object"),
        ("cases: [{id: a, evaluators: []}]", "s.yaml:1:29: cases[0].evaluators: must not be empty"),
        (
            "evaluators: [{type: field_accuracy, name: n, fields: [{path: a}]}, {type: field_accuracy, name: n, fields: [{path: b}]}]\n"
            "cases: []",
            "s.yaml:1:97: evaluators[1].name: two evaluators are named 'n'; names are unique within a case",
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named_with_its_place(text: str, problem: str) -> None:
    assert problem in _problems(text)


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ('[{"id": 1},\n {"id": 2}', "d.json:2:11: not valid JSON: expected ','"),
        ('[{"id": 1},\n {"id" 2}]', "d.json:2:8: not valid JSON: Expecting ':' delimiter"),
        ('[{"id": 1}] x', "d.json:1:13: not valid JSON: expected nothing more"),
        ('{"id": 1} x', "d.json:1:11: not valid JSON: expected nothing more"),
        ("5", "d.json:1:1: not valid JSON: expected '['"),
        ("", "d.json:1:1: not valid JSON: expected '['"),
    ],
)
def test_bad_json_is_named_with_its_line_and_column(write: Write, content: str, problem: str) -> None:
    write("d.json", content)
    assert f"{problem}; a file holds one list of rows, or one object" in _problems(_EVALUATORS + "dataset: d.json\n")


def test_a_missing_suite_is_an_error() -> None:
    with pytest.raises(InvalidSuite, match=r"^none\.yaml: cannot be read: No such file or directory$"):
        plan_of(Path("none.yaml"))


def test_datasets_of_every_kind_are_one_stream_in_order(write: Write) -> None:
    write(
        "1.jsonl",
        b'\xef\xbb\xbf{"id": "one", "expected": {"a": 1}, "candidate": {"a": 1}}\n\n{"expected": {"a": 1}, "candidate": 2}',
    )
    write("2.json", [{"id": 3, "expected": {"a": 1}, "candidate": {"a": 1}}])
    write(
        "3.yaml",
        "- id: four\n  expected: {a: NO}\n  candidate: {a: 'NO'}\n- {expected: {a: 1}, candidate: {a: 1}}\n",
    )
    write(
        "4.csv",
        'id,expected.a,candidate,tags,note\nfive,1,"{""a"": 1}","x,y",hello\n,text,"{""a"": ""text""}",,\n',
    )
    rows = _rows(_EVALUATORS + "cases: [{id: zero, expected: {a: 1}, candidate: {a: 1}}]\ndataset: ['[1-4].*']")
    assert [(row["case_id"], row["score"]) for row in rows] == [
        ("zero", 1.0), ("one", 1.0), ("1:3", 0.0), ("3", 1.0), ("four", 1.0), ("3:4", 1.0), ("five", 1.0), ("4:3", 1.0),
    ]  # fmt: skip
    assert (rows[6]["tags"], rows[6]["metadata"]) == (["x", "y"], {"note": "hello"})


def test_unknown_keys_of_a_row_go_to_metadata_and_a_likely_typo_is_a_warning(write: Write) -> None:
    row = '{"expceted": {"a": 1}, "page": 3, "metadata": {"k": 1}, "candidate": 1}\n'
    write("d.jsonl", '{"id": "w", "expected": {"a": 1}}\n' + row * 2)
    Path("s.yaml").write_text(_EVALUATORS + "dataset: d.jsonl", encoding="utf-8")
    plan = plan_of(Path("s.yaml"))
    assert [str(warning) for warning in plan.warnings] == [
        "d.jsonl:2: key 'expceted' goes to metadata; did you mean 'expected'? (the first of 2 such rows)"
    ]
    assert rows_of(Path("s.yaml"))[1]["metadata"] == {"expceted": {"a": 1}, "page": 3, "k": 1}


def test_predictions_are_joined_on_id_and_override(write: Write) -> None:
    write(
        "d.jsonl",
        '{"id": "x", "expected": {"a": 1}, "candidate": {"a": 2}}\n{"id": 2, "expected": {"a": 1}}\n',
    )
    write(
        "p.jsonl",
        '{"id": 2, "candidate": {"a": 1}, "prize": 1}\n{"id": "z", "candidate": 1}\n{"id": "x", "candidate": {"a": 1}}\n',
    )
    Path("s.yaml").write_text(_EVALUATORS + "dataset: d.jsonl\npredictions: p.jsonl", encoding="utf-8")
    plan = plan_of(Path("s.yaml"))
    assert [row["score"] for row in rows_of(Path("s.yaml"))] == [1.0, 1.0]
    assert [warning.what for warning in plan.warnings] == ["1 of 3 predictions match no case; the first is for 'z'"]
    assert [remark.what for remark in plan.remarks] == ["keys beside id and candidate are not used: prize"]


def test_bad_predictions_are_errors(write: Write) -> None:
    write(
        "p.jsonl",
        '{"id": "x", "candidate": 1}\n{"id": "x", "candidate": 2}\n{"id": "y"}\n{"candidate": 1}\nnope\n'
        '{"id": "z", "candidate": 1}\n{"id": "z", "candidate": 2}\n',
    )
    assert _problems(_EVALUATORS + "cases: [{id: x, expected: {a: 1}}]\npredictions: p.jsonl") == [
        "p.jsonl:2: a second prediction for 'x'; the first is at p.jsonl:1 (the first of 2 such rows)",
        "p.jsonl:3: candidate is required",
        "p.jsonl:4: id: is required",
        "p.jsonl:5: not valid JSON: Expecting value at column 1",
    ]


def test_a_case_without_a_candidate_is_an_error_and_null_is_an_answer() -> None:
    missing, null = _rows(
        _EVALUATORS + "cases: [{id: x, expected: {a: 1}}, {id: y, expected: {a: 1}, candidate: null}]"
    )
    assert (missing["status"], missing["score"], missing["error"]["kind"]) == ("error", 0.0, "no_candidate")
    assert (null["status"], null["candidate"]) == ("ok", None)


def test_a_case_s_own_evaluators_replace_the_suite_s(write: Write) -> None:
    write(
        "d.jsonl",
        '{"id": "y", "expected": {"b": 1}, "candidate": {"b": 1}, "evaluators": [{"type": "field_accuracy", "fields": [{"path": "b"}]}]}\n',
    )
    rows = _rows(
        _EVALUATORS + "cases: [{id: x, expected: {b: 1}, candidate: {b: 1}, evaluators: [{type: field_accuracy, fields: [{path: b}]},"
        "{type: field_accuracy, fields: [{path: b}]}, {type: field_accuracy, name: field_accuracy-3, fields: [{path: b}]}]}]\ndataset: d.jsonl"
    )  # fmt: skip
    assert [[one["name"] for one in row["evaluator_results"]] for row in rows] == [
        ["field_accuracy", "field_accuracy-2", "field_accuracy-3"],
        ["field_accuracy"],
    ]
    assert [row["score"] for row in rows] == [1.0, 1.0]


def test_weights_verdicts_and_required_decide_the_case() -> None:
    suite = (
        "verdicts: {pass: 0.7, partial: 0.5}\n"
        "evaluators:\n"
        "  - {name: one, type: field_accuracy, weight: 3, fields: [{path: a}]}\n"
        "  - {name: two, type: field_accuracy, required: REQUIRED, fields: [{path: b}]}\n"
        "cases: [{id: x, expected: {a: 1, b: 1}, candidate: {a: 1, b: 2}}]\n"
    )
    [row] = _rows(suite.replace("REQUIRED", "false"))
    assert (row["score"], row["verdict"]) == (0.75, "pass")
    assert (row["hits"], row["misses"], row["reasoning"]) == (
        ["a"],
        ["b"],
        "one: 1/1 fields matched; two: 0/1 fields matched",
    )
    [row] = _rows(suite.replace("REQUIRED", "true"))
    assert (row["score"], row["verdict"]) == (0.75, "fail")


def test_selection_is_by_glob_tag_and_limit() -> None:
    suite = _EVALUATORS + "cases:\n" + "".join(
        f"  - {{id: '{name}', tags: [{tag}], expected: {{a: 1}}, candidate: {{a: 1}}}}\n"
        for name, tag in (("a-1", "x"), ("a-2", "y"), ("b-1", "x"), ("[odd]", "y"))
    )  # fmt: skip

    def ids(**selection: Any) -> list[str]:
        return [row["case_id"] for row in _rows(suite, **selection)]

    assert ids(cases=["a-*"]) == ["a-1", "a-2"]
    assert ids(cases=["[odd]", "b-1"]) == ["b-1", "[odd]"]
    assert ids(tags=["y"]) == ["a-2", "[odd]"]
    assert ids(cases=["a-*"], tags=["x"]) == ["a-1"]
    assert ids(limit=2) == ["a-1", "a-2"]
    assert ids(tags=["y"], limit=1) == ["a-2"]
    with pytest.raises(NothingSelected):
        ids(limit=0)


def test_numbers_and_texts_that_json_can_hardly_hold_survive_the_trip(write: Write) -> None:
    write(
        "d.jsonl",
        b'{"id": "x", "expected": {"a": 1e400, "b": 123456789012345678901234567890, "c": "\\ud800", "d": NaN}, "candidate": {"a": 1}}\n',
    )
    [row] = _rows(_EVALUATORS + "dataset: d.jsonl")
    assert row["expected"] == {
        "a": "Infinity",
        "b": 123456789012345678901234567890,
        "c": "\ud800",
        "d": "NaN",
    }
    assert row["misses"] == ["a (not a finite number)"]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("id,id\n", "d.csv:1: column 'id' is listed twice"),
        ("id,expected,expected.a\n", "d.csv:1: columns 'expected' and 'expected.a' exclude each other"),
        ("id,expected.a\nx\n", "d.csv:2: 1 cells under 2 columns"),
        (b"id,expected.a\nx,caf\xe9\n", "d.csv:2:6: byte 0xe9 is not valid UTF-8; save the file as UTF-8"),
        ('id,expected.a\nx,"open\n', "d.csv:2: not valid CSV (separated by commas, quoted by double quotes, in UTF-8): unexpected end of data"),
    ],
)  # fmt: skip
def test_bad_csv_is_named_with_its_line(write: Write, content: Any, problem: str) -> None:
    write("d.csv", content)
    assert problem in _problems(_EVALUATORS + "dataset: d.csv")


def test_csv_cells_are_json_where_they_parse_and_empty_ones_are_empty(write: Write) -> None:
    write(
        "d.csv",
        'id;expected.a;expected.b;expected.c.d;candidate\nx;007;;"1,5";"{""a"": ""007"", ""b"": null, ""c"": {""d"": ""1,5""}}"\ny;1;NaN;true;\n',
    )
    first, second = _rows(_EVALUATORS + "dataset: d.csv")
    assert first["expected"] == {"a": "007", "b": None, "c": {"d": "1,5"}}
    assert second["expected"] == {"a": 1, "b": "NaN", "c": {"d": True}}
    assert (first["score"], second["status"]) == (1.0, "error")


def test_a_row_that_is_too_deep_is_refused(write: Write) -> None:
    write("d.jsonl", '{"id": "x", "expected": ' + "[" * 300 + "]" * 300 + "}\n")
    assert _problems(_EVALUATORS + "dataset: d.jsonl") == ["d.jsonl:1: not valid JSON: nested deeper than 200 levels"]
