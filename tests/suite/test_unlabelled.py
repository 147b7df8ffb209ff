"""Fields that many answers fill where the expected values leave them out: a warning before anything runs."""

from pathlib import Path
from typing import Any

import pytest
from pipeline import plan_of

from agentv_py import jsontext
from agentv_py.suite import unlabelled_checker

_TIP = (
    "7 of 8 answers fill it where the expected value leaves it out; "
    "`absent: empty` counts these as invented, `absent: unlabelled` accepts them"
)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def _write_rows(file: str, rows: list[dict[str, Any]]) -> None:
    Path(file).write_bytes(b"".join(map(jsontext.dumps_line, rows)))


def _check(evaluator: str, cases: list[dict[str, Any]], more: str = "") -> list[str]:
    """Return the warnings of a suite."""
    _write_rows("d.jsonl", [{"id": str(number)} | case for number, case in enumerate(cases)])
    Path("s.yaml").write_text(f"evaluators:\n  - {evaluator}\ndataset: d.jsonl\n{more}", encoding="utf-8")
    return [str(warning) for warning in plan_of(Path("s.yaml")).warnings]


def _cases(filled: int = 7, blank: int = 1, labelled: int = 2, wrapped: Any = lambda value: value) -> list[Any]:
    """Cases whose truth leaves `tip` out, beside some whose truth has it."""
    return [
        *({"expected": {"total": 1}, "candidate": wrapped({"total": 1, "tip": 2})} for _ in range(filled)),
        *({"expected": {"total": 1}, "candidate": wrapped({"total": 1, "tip": " "})} for _ in range(blank)),
        *({"expected": {"total": 1, "tip": 1}, "candidate": wrapped({"total": 1, "tip": 2})} for _ in range(labelled)),
    ]


_OBJECT = "{type: object_match, comparators: {total: exact, tip: exact}}"
_FIELDS = "{type: field_accuracy, fields: [{path: total}, {path: tip}]}"


def test_a_key_that_many_answers_fill_is_a_warning_at_its_place() -> None:
    assert _check(_OBJECT, _cases()) == [f"s.yaml:2:54: evaluators[0].comparators.tip: {_TIP}"]


def test_a_path_that_many_answers_fill_is_a_warning_at_its_place() -> None:
    assert _check(_FIELDS, _cases()) == [f"s.yaml:2:59: evaluators[0].fields[1].path: {_TIP}"]


def test_answers_in_text_are_read_as_the_run_reads_them() -> None:
    cases = _cases(wrapped=lambda value: f"Here it is: {jsontext.dumps(value).decode()}")
    cases += [{"expected": {"total": 1}, "candidate": "no JSON"}]
    assert len(_check(_OBJECT, cases)) == 1


@pytest.mark.parametrize("absent", ["empty", "unlabelled"])
@pytest.mark.parametrize("evaluator", [_OBJECT, _FIELDS])
def test_who_says_what_an_absent_value_means_gets_no_warning(evaluator: str, absent: str) -> None:
    assert _check(evaluator.replace("type:", f"absent: {absent}, type:"), _cases()) == []


def test_few_answers_or_a_small_share_of_them_are_no_warning() -> None:
    assert _check(_OBJECT, _cases(filled=4, blank=0)) == []
    assert _check(_OBJECT, _cases(filled=5, blank=46)) == []
    assert len(_check(_OBJECT, _cases(filled=5, blank=45))) == 1


@pytest.mark.parametrize(
    "field",
    ["{match: exact, required: false}", "{match: ignore}", "{match: exact, weight: 0}"],
    ids=lambda field: field,
)
def test_an_optional_field_is_counted_and_one_that_never_counts_is_not(field: str) -> None:
    evaluator = f"{{type: object_match, comparators: {{total: exact, tip: {field}}}}}"
    assert len(_check(evaluator, _cases())) == ("required" in field)


def test_a_key_below_a_null_is_labelled_and_a_key_below_an_absent_one_is_counted_once() -> None:
    evaluator = "{type: object_match, comparators: {n: exact, vendor: {name: exact, rows: {unordered: {a: exact}}}}}"
    answer = {"n": 1, "vendor": {"name": "x", "rows": [{"a": 1}]}}
    given = [{"expected": {"n": 1, "vendor": {"name": "x", "rows": [{"a": 1}]}}, "candidate": answer}]
    assert _check(evaluator, given + [{"expected": {"n": 1, "vendor": None}, "candidate": answer}] * 9) == []
    [warning] = _check(evaluator, given + [{"expected": {"n": 1}, "candidate": answer}] * 9)
    assert ".comparators.vendor: 9 of 9 answers" in warning
    [warning] = _check(evaluator, given + [{"expected": {"n": 1, "vendor": {"name": "x"}}, "candidate": answer}] * 9)
    assert ".comparators.vendor.rows: 9 of 9 answers" in warning
    unlisted = {"n": 1, "vendor": {"rows": [], "phone": "5"}}
    assert _check(evaluator, given + [{"expected": {"n": 1}, "candidate": unlisted}] * 9) == []


def test_recorded_answers_count_for_each_target_and_before_those_of_the_case() -> None:
    cases = _cases(filled=0, blank=8)
    answers = [{"id": str(number), "candidate": {"total": 1, "tip": 5}} for number in range(len(cases))]
    _write_rows("p.jsonl", answers)
    _write_rows("q.jsonl", [row | {"candidate": {"total": 1}} for row in answers])
    [warning] = _check(_OBJECT, cases, "predictions: p.jsonl\n")
    assert "8 of 8 answers" in warning
    targets = "".join(f"  - {{name: {name}, type: recorded, predictions: {name}.jsonl}}\n" for name in "pq")
    [warning] = _check(_OBJECT, cases, f"targets:\n{targets}")
    assert "8 of 16 answers" in warning


def test_the_first_cases_are_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unlabelled_checker, "_MOST_CASES", 6)
    [warning] = _check(_OBJECT, _cases())
    assert "6 of 6 answers to the first 6 cases fill it" in warning
