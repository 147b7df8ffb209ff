"""Suites that once ended in a traceback: each is exit 2 at its place, or a plain score."""

from pathlib import Path
from typing import Any

import pytest
from pipeline import plan_of, rows_of

from agentv_py import jsontext
from agentv_py.errors import InvalidSuite
from agentv_py.suite.yaml_document import read_yaml

_EVALUATORS = "evaluators: [{type: field_accuracy, fields: [{path: a}]}]\n"
_JUDGE = "evaluators: [{{type: llm_judge, model: m, rubric: good, base_url: {}}}]\ncases: [{{id: x}}]\n"
_TOO_LONG = "exceeds the limit (4300 digits) for integer string conversion"


@pytest.fixture(autouse=True)
def _in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _problems(text: str) -> list[str]:
    Path("s.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidSuite) as caught:
        plan_of(Path("s.yaml"))
    return [str(problem) for problem in caught.value.problems]


def _row(text: str) -> dict[str, Any]:
    Path("s.yaml").write_text(text, encoding="utf-8")
    [row] = rows_of(Path("s.yaml"))
    return row


@pytest.mark.parametrize("number", ["0x" + "f" * 5_000, "0o" + "7" * 6_000])
def test_an_integer_of_thousands_of_digits_is_a_problem_in_any_base(number: str) -> None:
    assert _problems(f"{_EVALUATORS}cases: [{{id: {number}}}]") == [f"s.yaml:2:14: {_TOO_LONG}"]
    assert _problems(f"{_EVALUATORS}verdicts: {{pass: {number}}}\ncases: []") == [f"s.yaml:2:18: {_TOO_LONG}"]


@pytest.mark.parametrize("number", ["1" + "0" * 400, "0x1" + "0" * 400])
def test_an_integer_beyond_every_float_is_infinite_where_a_float_is_asked_for(number: str) -> None:
    Path("s.yaml").write_text(f"a: !!float {number}\n", encoding="utf-8")
    assert read_yaml(Path("s.yaml"), "s.yaml").value == {"a": float("inf")}


@pytest.mark.parametrize("option", ["max_total", "max_input", "max_output"])
def test_a_limit_of_tokens_beyond_every_float_is_a_problem(option: str) -> None:
    [problem] = _problems(f"evaluators: [{{type: token_usage, {option}: 1{400 * '0'}}}]\ncases: [{{id: x}}]")
    place = f"s.yaml:1:{len(f'evaluators: [{{type: token_usage, {option}: ') + 1}: evaluators[0].{option}: "
    assert problem.startswith(place + "must be less than or equal to 9007199254740992, not 1000")


def _chain(length: int, form: str) -> str:
    links = ", ".join(f"a{n}: &a{n} {form.format(f'*a{n - 1} ')}" for n in range(1, length))
    return f"{_EVALUATORS}cases: [{{id: x, metadata: {{a0: &a0 [1], {links}}}, expected: *a{length - 1}}}]"


@pytest.mark.parametrize("form", ["[{}]", "{{k: {}}}", "{{<<: {{k: {}}}}}"])
def test_depth_through_aliases_is_depth(form: str) -> None:
    [problem] = _problems(_chain(3_000, form))
    assert problem.endswith("nested deeper than 200 levels")


def test_aliases_that_stay_shallow_are_read() -> None:
    assert _row(_chain(150, "[{}]").replace("path: a", "path: $"))["status"] == "error"  # it has no candidate


def test_an_alias_of_a_list_is_no_key() -> None:
    assert _problems(f"a: &a [1]\n*a : 2\n{_EVALUATORS}") == ["s.yaml:2:1: a key must be plain text"]


def test_a_path_with_a_nul_in_it_names_no_file() -> None:
    assert _problems(f'{_EVALUATORS}dataset: "\\0/*.jsonl"') == [
        "s.yaml:2:10: dataset: '\\x00/*.jsonl' matches no file"
    ]


@pytest.mark.parametrize("form", ["a[{}]", "a.{}", "{}"])
def test_a_path_of_thousands_of_digits_reaches_nothing(form: str) -> None:
    path = form.format("1" * 4_301)
    suite = f"evaluators: [{{type: field_accuracy, fields: [{{path: '{path}', required: false}}]}}]\n"
    row = _row(f"{suite}cases: [{{id: x, expected: {{a: [1]}}, candidate: {{a: [1]}}}}]")
    assert (row["status"], row["score"]) == ("ok", 0.0)


@pytest.mark.parametrize("evaluator", ["object_match, comparators: {{a: exact, ? '{}' : exact}}", "json_quality"])
def test_a_key_of_thousands_of_digits_is_a_miss_on_either_side(evaluator: str) -> None:
    digits = "1" * 5_000
    right, wrong = {"a": 1, digits: {digits: 2}}, {"a": 1, digits: {digits: [2]}}
    Path("d.jsonl").write_bytes(jsontext.dumps_line({"id": "x", "expected": right, "candidate": wrong}))
    row = _row(f"evaluators: [{{type: {evaluator.format(digits)}}}]\ndataset: d.jsonl")
    assert (row["status"], len(row["misses"])) == ("ok", 1)


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("http://xn--/v1", "Malformed A-label, no Punycode eligible content found"),
        ("http://[v1.x]/v1", "Invalid IPv6 address: '[v1.x]'"),
        ("http://a\\0b/v1", "Invalid non-printable ASCII character in URL, '\\x00' at position 8."),
        ("http://a/" + "v" * 65_515, "URL too long"),
        ("http://a/" + "v" * 70_000, "URL too long"),
        ("http://⒈.com/v1", "Invalid IDNA hostname: '⒈.com'"),
    ],
)
def test_an_address_that_the_client_refuses_is_refused_before_anything_runs(url: str, why: str) -> None:
    [problem] = _problems(_JUDGE.format(f'"{url}"'))
    assert problem.startswith("s.yaml:1:66: evaluators[0].base_url: 'http://")
    assert problem.endswith(f"' cannot be reached: {why}")
    assert len(problem) < 250
